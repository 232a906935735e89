package streamrun.flink;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Items of one key that wait for the next batch. */
final class Group {
  /** The worker holds the key. */
  static final int HELD = 0;
  /** A snapshot follows. */
  static final int SNAPSHOT = 1;
  /** The key is new. */
  static final int NEW = 2;

  private final byte[] key;
  private final int mode;
  private final byte[] stored;
  private long[] times = new long[2];
  private int[] sources = new int[2];
  private byte[][] records = new byte[2][];
  private int count;

  /** @param stored the stored state with {@link StoredState}'s header, with mode {@link #SNAPSHOT} only */
  Group(String key, int mode, byte[] stored) {
    this.key = key.getBytes(StandardCharsets.UTF_8);
    this.mode = mode;
    this.stored = stored;
  }

  /** @param source the place of the record's source */
  void add(long time, int source, byte[] record) {
    if (count == times.length) {
      times = Arrays.copyOf(times, 2 * count);
      sources = Arrays.copyOf(sources, 2 * count);
      records = Arrays.copyOf(records, 2 * count);
    }
    times[count] = time;
    sources[count] = source;
    records[count++] = record;
  }

  /** An estimate of the bytes of the group without its items. */
  int size() {
    return 16 + key.length + (stored == null ? 0 : stored.length);
  }

  void writeTo(FrameWriter frame) {
    frame.bytes(key).u8(mode);
    if (mode == SNAPSHOT) {
      frame.bytes(stored, StoredState.HEADER, stored.length - StoredState.HEADER);
    }
    frame.u32(count);
    for (int i = 0; i < count; i++) {
      frame.i64(times[i]).u32(sources[i]).bytes(records[i]);
    }
  }
}
