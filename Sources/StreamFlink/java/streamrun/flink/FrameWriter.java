package streamrun.flink;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Builds one frame of the worker protocol: {@code u32 length, u8 type, body}, big-endian. */
final class FrameWriter {
  /** The largest number that a frame may have as its length. */
  static final int LIMIT = 67_108_864;

  /** The most bytes of a record, and of a key: with the state of a key, they fit into a frame. */
  static final int RECORD_LIMIT = 32 << 20;
  static final int KEY_LIMIT = 1 << 20;

  private static final int KEEP = 4 << 20;

  private byte[] data = new byte[1 << 16];
  private int size = 4;

  /** Refuses a record, or its key, that is too large. */
  static void requireSize(String key, byte[] record) {
    if (record.length > RECORD_LIMIT || key.length() > KEY_LIMIT) {
      throw WorkerRefusal.of("a record of the key " + key.substring(0, Math.min(200, key.length())) + " has "
          + record.length + " bytes, and the key " + key.length() + "; the limits are " + RECORD_LIMIT + " and " + KEY_LIMIT);
    }
  }

  /** Begins a frame, and forgets the one before. */
  FrameWriter begin(int type) {
    if (data.length > KEEP) {
      data = new byte[1 << 16];
    }
    size = 4;
    return u8(type);
  }

  FrameWriter u8(int value) {
    room(1);
    data[size++] = (byte) value;
    return this;
  }

  FrameWriter u16(int value) {
    return u8(value >>> 8).u8(value);
  }

  FrameWriter u32(int value) {
    room(4);
    put(size, value);
    size += 4;
    return this;
  }

  FrameWriter i64(long value) {
    return u32((int) (value >>> 32)).u32((int) value);
  }

  FrameWriter bytes(byte[] value) {
    return bytes(value, 0, value.length);
  }

  FrameWriter bytes(byte[] value, int from, int count) {
    u32(count);
    room(count);
    System.arraycopy(value, from, data, size, count);
    size += count;
    return this;
  }

  /** The number of bytes of the frame, with its length field. */
  int size() {
    return size;
  }

  /** Writes the frame with one call, so that it is not copied through the stream's small buffer. */
  void writeTo(OutputStream stream) throws IOException {
    if (size - 4 > LIMIT) {
      throw WorkerRefusal.of("a request of " + (size - 4) + " bytes exceeds the limit of a frame, " + LIMIT);
    }
    put(0, size - 4);
    stream.write(data, 0, size);
    stream.flush();
  }

  private void put(int at, int value) {
    data[at] = (byte) (value >>> 24);
    data[at + 1] = (byte) (value >>> 16);
    data[at + 2] = (byte) (value >>> 8);
    data[at + 3] = (byte) value;
  }

  private void room(int count) {
    if (data.length - size < count) {
      long needed = Math.max((long) size + count, 2L * data.length);
      data = Arrays.copyOf(data, (int) Math.min(needed, Integer.MAX_VALUE - 8));
    }
  }
}
