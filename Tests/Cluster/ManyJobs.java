import java.io.BufferedReader;
import java.io.InputStreamReader;

/** Runs jobs of the adapter one after another in this JVM: a line of standard input has the arguments of each, with tabs. */
public final class ManyJobs {
  private ManyJobs() {}

  public static void main(String[] arguments) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      streamrun.flink.Job.main(line.split("\t"));
      System.out.println("done");
      System.out.flush();
    }
  }
}
