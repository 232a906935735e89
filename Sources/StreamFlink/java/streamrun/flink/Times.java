package streamrun.flink;

/**
 * Arithmetic between the worker's times and Flink's.
 *
 * <p>The worker counts nanoseconds, Flink milliseconds. A watermark of the worker is exclusive: no later item has a
 * time before it. A watermark of Flink is inclusive: no later record has a timestamp up to and including it.
 */
final class Times {
  /** No time, or not yet. */
  static final long NONE = Long.MIN_VALUE;
  /** A time that never comes. */
  static final long NEVER = Long.MAX_VALUE;

  private static final long NANOS = 1_000_000;

  private Times() {}

  /** The millisecond that contains a time of the worker. */
  static long millis(long nanos) {
    return Math.floorDiv(nanos, NANOS);
  }

  /** The first nanosecond of a millisecond, at the limits if that is out of range. */
  static long nanos(long millis) {
    if (millis > NEVER / NANOS) {
      return NEVER;
    }
    // The smallest value means "none", so the earliest time is the one after it.
    return millis < NONE / NANOS ? NONE + 1 : millis * NANOS;
  }

  /** Flink's watermark for a watermark of the worker, or the smallest value if there is none. */
  static long flinkWatermark(long nanos) {
    return nanos == NONE ? Long.MIN_VALUE : millis(nanos) - 1;
  }

  /** How far the worker may advance at a watermark of Flink. */
  static long advance(long flinkWatermark) {
    return flinkWatermark == Long.MAX_VALUE ? NEVER : nanos(flinkWatermark + 1);
  }

  /** A time less a duration, not below the smallest time. */
  static long minus(long nanos, long duration) {
    return nanos == NONE ? NONE : nanos < NONE + 1 + duration ? NONE + 1 : nanos - duration;
  }
}
