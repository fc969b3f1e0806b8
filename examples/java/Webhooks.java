import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies webhooks, in production too. */
final class Webhooks {
    private Webhooks() {}

    /** Whether the service signed this body at most `tolerance` seconds before or after `now`, in Unix seconds. */
    static boolean isGenuine(byte[] body, String header, String secret, long now, long tolerance)
            throws GeneralSecurityException {
        var times = new ArrayList<String>();
        var digests = new ArrayList<String>();
        for (var field : (header == null ? "" : header).split(",")) {
            int end = field.indexOf('=');
            var name = end < 0 ? field : field.substring(0, end);
            var value = end < 0 ? "" : field.substring(end + 1);
            if (name.equals("t")) {
                times.add(value);
            }
            if (name.equals("v1")) {
                digests.add(value);
            }
        }
        if (secret.isBlank() || times.size() != 1 || !times.get(0).matches("0|[1-9][0-9]{0,14}")) {
            return false;
        }
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((times.get(0) + ".").getBytes(StandardCharsets.UTF_8));
        var expected = HexFormat.of().formatHex(mac.doFinal(body)).getBytes(StandardCharsets.UTF_8);
        boolean matches = false;
        for (var digest : digests) {
            matches |= MessageDigest.isEqual(digest.getBytes(StandardCharsets.UTF_8), expected);
        }
        return matches && Math.abs(now - Long.parseLong(times.get(0))) <= tolerance;
    }
}
