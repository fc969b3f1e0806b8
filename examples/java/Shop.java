import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** An app that orders gifts: what you have, and what the tests are about. */
final class Shop {
    final Set<Object> shipped = ConcurrentHashMap.newKeySet(); // by event id
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String baseUrl;
    private final String key;

    Shop(String baseUrl, String key) {
        this.baseUrl = baseUrl;
        this.key = key;
    }

    /** Order a mug, and try again if the answer is lost; the id of the order. */
    long orderMug(String email) throws Exception {
        var order = "{\"idempotency_key\": \"mug-" + email + "\", \"gift_sender\": \"Ada\","
            + " \"items\": [{\"sku_code\": \"MUG-01\"}], \"recipients\": [{\"name\": \"Bo\", \"email\": \"" + email + "\"}]}";
        HttpResponse<String> response;
        try {
            response = post("/api/external/team-orders", order);
        } catch (IOException lost) {
            response = post("/api/external/team-orders", order);
        }
        var answer = Giftsim.object(response.body());
        if (response.statusCode() >= 300) {
            throw new IllegalStateException(response.statusCode() + " " + Giftsim.object(answer.get("error")).get("code"));
        }
        return (Long) Giftsim.object(answer.get("team_order")).get("id");
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(baseUrl + path)).header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body)).build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** A server with the webhook endpoint; `secret` is asked at each webhook. */
    HttpServer listen(java.util.function.Supplier<String> secret) throws IOException {
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/hooks", exchange -> {
            var body = exchange.getRequestBody().readAllBytes();
            boolean genuine = false;
            try {
                var header = exchange.getRequestHeaders().getFirst("X-Service-Signature");
                genuine = Webhooks.isGenuine(body, header, secret.get(), System.currentTimeMillis() / 1000, 300);
            } catch (java.security.GeneralSecurityException impossible) {
                throw new IllegalStateException(impossible);
            }
            var event = genuine ? Giftsim.object(new String(body, "UTF-8")) : java.util.Map.<String, Object>of();
            if ("team_order.shipped".equals(event.get("type"))) {
                shipped.add(event.get("id"));
            }
            exchange.sendResponseHeaders(genuine ? 204 : 400, -1);
            exchange.close();
        });
        server.start();
        return server;
    }
}
