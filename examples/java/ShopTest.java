import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/** Five tests of the shop. With JUnit, each method is a @Test, and `main` a @BeforeAll. */
final class ShopTest {
    static Giftsim giftsim;

    public static void main(String[] arguments) throws Exception {
        int passed = 0;
        try (var started = new Giftsim()) {
            giftsim = started;
            aMugIsDeliveredWithinSixDays();
            aLostAnswerOrdersOnce();
            anAccountWithoutFundsIsToldSo();
            theShopLearnsFromAWebhookThatAMugWasShipped();
            theVerifierDecidesAsEveryTestVectorSays();
            passed = 5;
        } finally {
            System.out.println(passed + " passed, " + (passed == 5 ? 0 : 1) + " failed");
        }
    }

    static void aMugIsDeliveredWithinSixDays() throws Exception {
        try (var world = giftsim.world()) {
            world.claim(new Shop(giftsim.url, world.key("partner.prepaid")).orderMug("bo@example.com"));
            world.advance("6d");
            equal(List.of("delivered"), world.orders());
        }
    }

    static void aLostAnswerOrdersOnce() throws Exception {
        try (var world = giftsim.world()) {
            world.control("POST", "/faults", "{\"effect\": {\"drop\": \"after\"}, \"when\": {\"first\": 1}}");
            new Shop(giftsim.url, world.key("partner.prepaid")).orderMug("bo@example.com");
            equal(1, world.orders().size());
        }
    }

    static void anAccountWithoutFundsIsToldSo() throws Exception {
        try (var world = giftsim.world()) {
            new Shop(giftsim.url, world.key("partner.no_funds")).orderMug("bo@example.com");
            throw new AssertionError("it was not told");
        } catch (IllegalStateException refused) {
            equal("402 insufficient_funds_no_card", refused.getMessage());
        }
    }

    static void theShopLearnsFromAWebhookThatAMugWasShipped() throws Exception {
        try (var world = giftsim.world()) {
            var shop = new Shop(giftsim.url, world.key("partner.prepaid"));
            var secret = new String[1];
            var server = shop.listen(() -> secret[0]);
            try {
                var address = "http://127.0.0.1:" + server.getAddress().getPort();
                secret[0] = world.subscribe(address, "/hooks", "team_order.shipped");
                world.claim(shop.orderMug("bo@example.com"));
                world.advance("6d");
                equal(1, shop.shipped.size());
                var forged = HttpRequest.newBuilder(URI.create(address + "/hooks"))
                    .POST(HttpRequest.BodyPublishers.ofString("{\"type\": \"team_order.shipped\"}")).build();
                equal(400, HttpClient.newHttpClient().send(forged, HttpResponse.BodyHandlers.discarding()).statusCode());
            } finally {
                server.stop(0);
            }
        }
    }

    static void theVerifierDecidesAsEveryTestVectorSays() throws Exception {
        var asked = new ProcessBuilder("python3", "-c", "from giftsim import verify; print(verify.vectors_path())").start();
        var path = Path.of(new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
        for (var each : (List<?>) Giftsim.object(Files.readString(path)).get("vectors")) {
            var vector = Giftsim.object(each);
            var encoded = (String) vector.get("body_base64");
            var body = encoded == null
                ? ((String) vector.get("body")).getBytes(StandardCharsets.UTF_8) : Base64.getDecoder().decode(encoded);
            boolean genuine = Webhooks.isGenuine(body, (String) vector.get("header"), (String) vector.get("secret"),
                (Long) vector.get("now"), (Long) vector.get("tolerance"));
            equal(vector.get("name") + " " + "accepted".equals(vector.get("verdict")), vector.get("name") + " " + genuine);
        }
    }

    private static void equal(Object expected, Object found) {
        if (!expected.equals(found)) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }
}
