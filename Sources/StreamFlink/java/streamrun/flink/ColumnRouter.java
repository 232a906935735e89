package streamrun.flink;

import org.apache.flink.api.java.tuple.Tuple4;

/**
 * A router for tables that have key and time as columns: it needs no worker.
 *
 * <p>Its input has the key as JSON text, the time in nanoseconds, or {@link Times#NONE} for null, the record,
 * and the place of its source. The rules for late records are those of the worker.
 */
final class ColumnRouter extends Router<Tuple4<String, Long, byte[], Integer>> {
  private static final long serialVersionUID = 1;

  private final int lateFate;
  private final boolean skipsErrors;

  private transient int unmarked;

  ColumnRouter(int lateFate, boolean skipsErrors, Settings settings) {
    super(settings);
    this.lateFate = lateFate;
    this.skipsErrors = skipsErrors;
  }

  @Override
  boolean add(Tuple4<String, Long, byte[], Integer> record) throws Exception {
    unmarked++;
    long time = record.f1;
    if (time == Times.NONE || record.f2 == null) {
      if (!skipsErrors) {
        throw WorkerRefusal.of("a row of the table 'input' has null as its time or its line; --skip-errors skips such rows");
      }
      emit(SKIPPED, "time or line is null", time, record.f2, record.f3);
      return unmarked >= settings.batch;
    }
    long watermark = Times.minus(newest, settings.latenessNanos);
    if (watermark != Times.NONE && time < watermark) {
      emit(lateFate, record.f0, lateFate == LATE_APPLIED ? watermark : time, record.f2, record.f3);
    } else {
      if (!settings.followsSource) {
        newest = Math.max(newest, time);
      }
      emit(ON_TIME, record.f0, time, record.f2, record.f3);
    }
    return unmarked >= settings.batch;
  }

  // Records go out at once; the watermark follows a batch, since each one costs the stage a request.
  @Override
  boolean isWaiting() {
    return unmarked > 0;
  }

  @Override
  long route() {
    unmarked = 0;
    return Times.minus(newest, settings.latenessNanos);
  }
}
