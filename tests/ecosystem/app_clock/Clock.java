import java.time.Instant;
import java.util.Scanner;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** For each line: the wall clock before and after a real wait, and how long that was. */
public class Clock {
  public static void main(String[] arguments) throws Exception {
    var executor = Executors.newSingleThreadScheduledExecutor();
    var lines = new Scanner(System.in);
    while (lines.hasNextLine()) {
      lines.nextLine();
      long begun = System.nanoTime(), before = System.currentTimeMillis();
      executor.schedule(() -> {}, 100, TimeUnit.MILLISECONDS).get();
      System.out.println(before + " " + Instant.now().toEpochMilli() + " " + (System.nanoTime() - begun) / 1_000_000);
    }
    executor.shutdownNow();
  }
}
