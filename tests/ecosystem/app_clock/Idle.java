import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** How long this process used a processor, in ms, while it waited for two seconds. */
public class Idle {
  public static void main(String[] arguments) throws Exception {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    var executor = Executors.newScheduledThreadPool(1);
    executor.schedule(() -> {}, 1, TimeUnit.MILLISECONDS).get();
    long used = system.getProcessCpuTime();
    executor.schedule(() -> {}, 2, TimeUnit.SECONDS).get();
    System.out.println((system.getProcessCpuTime() - used) / 1_000_000);
    System.exit(0);
  }
}
