import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Makes one POST with the client of the JDK, and prints the status and the body. */
class Call {
    public static void main(String[] arguments) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(arguments[0])).header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(arguments[1])).build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(response.statusCode() + " " + response.body());
    }
}
