package streamrun.flink;

import java.nio.ByteBuffer;

/** How many records a router has read, how many of them were late, and how many it has skipped. */
final class RecordTotals {
  /** The number of bytes of {@link #bytes}. */
  static final int SIZE = 24;

  long records;
  long late;
  long skipped;

  /** Counts a record, by its fate. */
  void note(int fate) {
    records++;
    if (fate == Router.SKIPPED) {
      skipped++;
    } else if (fate != Router.ON_TIME) {
      late++;
    }
  }

  void add(long[] values) {
    records += values[0];
    late += values[1];
    skipped += values[2];
  }

  long[] values() {
    return new long[] {records, late, skipped};
  }

  byte[] bytes() {
    return ByteBuffer.allocate(SIZE).putLong(records).putLong(late).putLong(skipped).array();
  }

  static long[] values(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new long[] {buffer.getLong(), buffer.getLong(), buffer.getLong()};
  }
}
