import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Helpers for tests with giftsim, to copy: one simulator for all tests, and a world for each. The JDK only; where you have
 * Jackson or Gson, let it read the JSON.
 */
final class Giftsim implements AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    final String url;
    private final Process process;

    /** Start a simulator on a free port, or use the one that GIFTSIM_URL names. */
    Giftsim() throws IOException {
        if (System.getenv("GIFTSIM_URL") != null) {
            url = System.getenv("GIFTSIM_URL");
            process = null;
            return;
        }
        process = new ProcessBuilder("giftsim", "serve", "--port", "0", "--json")
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        var line = new BufferedReader(new InputStreamReader(process.getInputStream())).readLine();
        url = (String) object(line).get("origin");
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroy();
        }
    }

    /** A world for one test: nobody else sees or disturbs it. */
    World world() throws Exception {
        return new World();
    }

    final class World implements AutoCloseable {
        final Map<String, Object> about = object(send("POST", "/_sim/v1/worlds", "{\"fixture\": \"empty\"}", null));
        private final String path = "/_sim/v1/worlds/" + about.get("id");

        private World() throws Exception {}

        /** The value of a credential, such as partner.prepaid or partner.no_funds. */
        String key(String name) {
            return (String) object(object(about.get("credentials")).get(name)).get("value");
        }

        /** Make a call of the test-control API about this world. */
        String control(String method, String below, String body) throws Exception {
            return send(method, path + below, body, null);
        }

        /** Move the clock: "3d", "1h". */
        void advance(String by) throws Exception {
            control("POST", "/clock/advance", "{\"by\": \"" + by + "\"}");
        }

        /** Claim the gift of an order's only recipient, as that person would. */
        void claim(long order) throws Exception {
            control("POST", "/simulate/claim", "{\"team_order_id\": " + order + ", \"recipient\": 0}");
        }

        /** The status of each order. */
        List<String> orders() throws Exception {
            var found = new ArrayList<String>();
            for (var order : (List<?>) object(control("GET", "/orders", null)).get("orders")) {
                found.add((String) object(order).get("status"));
            }
            return found;
        }

        /** Create a webhook endpoint whose webhooks go to a server on this machine; its secret. */
        String subscribe(String server, String endpoint, String event) throws Exception {
            var target = "{\"mode\": \"forward\", \"to\": \"" + server + "\"}";
            control("PUT", "/receivers/hooks.shop.example", target);
            var body = "{\"url\": \"https://hooks.shop.example" + endpoint + "\", \"events\": [\"" + event + "\"]}";
            return (String) object(send("POST", "/api/external/webhooks", body, key("partner.prepaid"))).get("secret");
        }

        @Override
        public void close() throws Exception {
            control("DELETE", "", null);
        }
    }

    private String send(String method, String path, String body, String key) throws Exception {
        var content = body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
        var request = HttpRequest.newBuilder(URI.create(url + path)).method(method, content)
            .header("Content-Type", "application/json");
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        var response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() >= 300) {
            throw new AssertionError(method + " " + path + ": " + response.statusCode() + " " + response.body());
        }
        return response.body();
    }

    /** JSON as maps, lists, texts, numbers (Long or Double), booleans and null. */
    static Object json(String text) {
        return new Json(text).value();
    }

    /** A JSON object, from its text or as part of another one. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return (Map<String, Object>) (value instanceof String ? json((String) value) : value);
    }

    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        private char next() {
            while (Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return text.charAt(at);
        }

        /** Whether a character comes next, which is then behind us. */
        private boolean skip(char expected) {
            boolean found = next() == expected;
            at += found ? 1 : 0;
            return found;
        }

        Object value() {
            if (skip('{')) {
                var members = new LinkedHashMap<String, Object>();
                for (boolean more = !skip('}'); more; more = skip(',') || !skip('}')) {
                    next();
                    var name = text();
                    skip(':');
                    members.put(name, value());
                }
                return members;
            }
            if (skip('[')) {
                var items = new ArrayList<Object>();
                for (boolean more = !skip(']'); more; more = skip(',') || !skip(']')) {
                    items.add(value());
                }
                return items;
            }
            return next() == '"' ? text() : word();
        }

        private Object word() {
            int from = at;
            while (at < text.length() && ",]} \n\r\t".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            var word = text.substring(from, at);
            switch (word) {
                case "true": return true;
                case "false": return false;
                case "null": return null;
                default: return word.matches("-?\\d+") ? (Object) Long.parseLong(word) : (Object) Double.parseDouble(word);
            }
        }

        private String text() {
            var read = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char each = text.charAt(at);
                if (each == '\\') {
                    each = text.charAt(++at);
                    int known = "nrtbf".indexOf(each);
                    if (each == 'u') {
                        each = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                        at += 4;
                    } else if (known >= 0) {
                        each = "\n\r\t\b\f".charAt(known);
                    }
                }
                read.append(each);
            }
            at++;
            return read.toString();
        }
    }
}
