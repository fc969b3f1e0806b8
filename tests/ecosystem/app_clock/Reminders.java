import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A shop that polls: a scheduled task reminds its staff each morning, and a server takes webhooks. Ten days pass. */
public class Reminders {
  static final Duration DAY = Duration.ofDays(1);
  static final List<String> reminders = Collections.synchronizedList(new ArrayList<>());
  static final List<String> webhooks = Collections.synchronizedList(new ArrayList<>());
  static Instant due = Instant.now().plus(DAY);

  public static void main(String[] arguments) throws Exception {
    String orders = arguments[0];
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[2])), 0);
    server.createContext("/", exchange -> {
      boolean isHook = exchange.getRequestURI().getPath().equals("/hooks");
      String text = new String(exchange.getRequestBody().readAllBytes());
      if (isHook) {
        var type = Pattern.compile("\"type\": ?\"([a-z_.]+)\"").matcher(text);
        webhooks.add(type.find() ? "\"" + type.group(1) + "\"" : text);
      }
      exchange.sendResponseHeaders(isHook ? 200 : 404, -1);
      exchange.close();
    });
    server.start();
    call(orders, arguments[1]);
    Executors.newScheduledThreadPool(1).scheduleAtFixedRate(() -> poll(orders), 0, 5, TimeUnit.MILLISECONDS);
    long begun = System.nanoTime();
    String report = call(System.getenv("GIFTSIM_CONTROL") + "/clock/advance", "{\"by\": \"10d\"}");
    long took = (System.nanoTime() - begun) / 1_000_000;
    while (reminders.size() < 10) Thread.sleep(10);
    String problems = report.replaceAll("(?s).*\"problems\": ?(\\[.*?\\]).*", "$1");
    System.out.println("{\"reminders\": " + reminders + ", \"webhooks\": " + webhooks + ", \"problems\": " + problems
        + ", \"took_ms\": " + took + "}");
    System.exit(0);
  }

  static void poll(String orders) {
    while (!Instant.now().isBefore(due)) {
      try {
        call(orders, null);
      } catch (Exception error) {
        throw new IllegalStateException(error);
      }
      reminders.add("\"" + due.toString().substring(0, 19).replace('T', ' ') + "\"");
      due = due.plus(DAY);
    }
  }

  static String call(String url, String body) throws Exception {
    var connection = (HttpURLConnection) new URL(url).openConnection();
    if (body != null) {
      connection.setRequestMethod("POST");
      connection.setRequestProperty("Content-Type", "application/json");
      connection.setDoOutput(true);
      connection.getOutputStream().write(body.getBytes());
    }
    try (InputStream answer = connection.getInputStream()) {
      return new String(answer.readAllBytes());
    }
  }
}
