package streamrun.flink;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.runtime.client.JobExecutionException;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Tells people what a job has done, and how a failed one goes on.
 *
 * <p>Each line begins with {@code streamflink: }. In one JVM it goes to standard error; `flink run` prints standard output,
 * from which the launcher takes it.
 */
final class JobReport {
  /** Names of the accumulators: records that were read, were late, and were skipped, values that were skipped, results. */
  static final String RECORDS = "streamrun records";
  static final String LATE = "streamrun late";
  static final String SKIPPED = "streamrun skipped";
  static final String SKIPPED_VALUES = "streamrun skipped values";
  static final String RESULTS = "streamrun results";

  private final Options options;

  JobReport(Options options) {
    this.options = options;
  }

  private void say(String text) {
    (options.has("one-jvm") ? System.err : System.out).println("streamflink: " + text);
  }

  /** Tells the numbers of a job that has ended. */
  void tellEnd(JobExecutionResult result, Description description) {
    if (!result.isJobExecutionResult()) {
      return; // it was submitted, and goes on
    }
    Map<String, Object> totals = result.getAllAccumulatorResults();
    long late = number(totals, LATE);
    say(count(number(totals, RECORDS), "record") + ", " + count(number(totals, RESULTS), "result") + ", " + late + " late, "
        + skipped(number(totals, SKIPPED), number(totals, SKIPPED_VALUES)));
    if (late > 0) {
      say("warning: " + account(late, description) + ". If one task reads several files or partitions, it mixes their times: read each by a "
          + "task of its own with --source-parallelism, or let the source table declare a watermark; otherwise set 'lateness' in "
          + "'partition' to the seconds by which records may be out of order");
    }
  }

  /** Tells how many records were skipped because they cannot be read, and values because they made an operator fail. */
  static String skipped(long records, long values) {
    String parts = values == 0 ? "" : " (" + count(records, "record") + ", " + count(values, "value") + ")";
    return records + values + " skipped" + parts;
  }

  static String account(long late, Description description) {
    String who = count(late, "record") + " arrived more than " + seconds(description.latenessNanos) + " s late, and ";
    switch (description.lateFate) {
      case Router.LATE_APPLIED:
        return who + "got the earliest time that was still possible";
      case Router.LATE_DROPPED:
        return who + (late == 1 ? "was" : "were") + " dropped";
      default:
        return who + "went to the --late-sink";
    }
  }

  private static String seconds(long nanos) {
    return java.math.BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString();
  }

  private static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  private static long number(Map<String, Object> totals, String name) {
    return totals.get(name) instanceof Long ? (Long) totals.get(name) : 0;
  }

  /** Tells where the last checkpoint of a failed job is, if there is one. */
  void tellCheckpoint(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause() == cause ? null : cause.getCause()) {
      if (cause instanceof JobExecutionException) {
        String checkpoint = checkpoint(((JobExecutionException) cause).getJobID().toString());
        if (checkpoint != null) {
          say("the last checkpoint of the failed job is kept; continue with --from-savepoint " + checkpoint);
        }
        return;
      }
    }
  }

  private String checkpoint(String job) {
    try {
      if (options.has("cluster")) {
        URI address = URI.create("http://" + options.text("cluster", "") + "/jobs/" + job + "/checkpoints");
        try (InputStream answer = address.toURL().openStream()) {
          return new ObjectMapper().readTree(answer).path("latest").path("completed").path("external_path").textValue();
        }
      }
      Path directory = Path.of(URI.create(Job.uri(options.text("checkpoint-dir", "")))).resolve(job);
      try (Stream<Path> entries = Files.list(directory)) {
        return entries.filter(path -> Files.exists(path.resolve("_metadata")))
            .max(Comparator.comparingLong(JobReport::number)).map(Path::toString).orElse(null);
      }
    } catch (IOException | RuntimeException unknown) {
      return null; // it is elsewhere, or there is none: Flink's own log names it
    }
  }

  /** The number of a checkpoint's directory, such as {@code chk-12}. */
  private static long number(Path directory) {
    String digits = directory.getFileName().toString().replaceAll("\\D", "");
    return digits.isEmpty() ? -1 : Long.parseLong(digits);
  }
}
