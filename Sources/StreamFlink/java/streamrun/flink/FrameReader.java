package streamrun.flink;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads one frame of the worker protocol at a time, and its fields in order. No field reaches past the frame. */
final class FrameReader {
  private static final int KEEP = 4 << 20;
  private static final int STEP = 1 << 20;

  private byte[] data = new byte[1 << 16];
  private int at;
  private int end;

  /** Reads a frame and returns its type. */
  int read(InputStream stream) throws IOException {
    at = 0;
    end = 0;
    fill(stream, 4);
    int length = u32();
    if (length < 1 || length > FrameWriter.LIMIT) {
      throw new IOException("a frame has the length " + (length & 0xFFFF_FFFFL) + "; expected 1 to " + FrameWriter.LIMIT);
    }
    at = 0;
    end = 0;
    if (data.length > KEEP && length <= KEEP) {
      data = new byte[1 << 16];
    }
    fill(stream, length);
    return u8();
  }

  int u8() throws IOException {
    return data[take(1)] & 0xFF;
  }

  int u16() throws IOException {
    return u8() << 8 | u8();
  }

  int u32() throws IOException {
    int i = take(4);
    return (data[i] & 0xFF) << 24 | (data[i + 1] & 0xFF) << 16 | (data[i + 2] & 0xFF) << 8 | data[i + 3] & 0xFF;
  }

  long i64() throws IOException {
    return (long) u32() << 32 | u32() & 0xFFFF_FFFFL;
  }

  byte[] bytes() throws IOException {
    int count = u32();
    int from = take(count);
    return Arrays.copyOfRange(data, from, from + count);
  }

  String string() throws IOException {
    int count = u32();
    return new String(data, take(count), count, StandardCharsets.UTF_8);
  }

  /** Reads a count of elements, each with at least so many bytes. */
  int count(int least) throws IOException {
    int count = u32();
    if (count < 0 || count > (end - at) / least) {
      throw new IOException("a frame announces " + (count & 0xFFFF_FFFFL) + " elements and has " + (end - at) + " bytes");
    }
    return count;
  }

  /** The number of bytes of the frame, with its length field. */
  int size() {
    return end + 4;
  }

  /** Checks that no bytes are left. */
  void finish() throws IOException {
    if (at != end) {
      throw new IOException("a frame has " + (end - at) + " bytes too many");
    }
  }

  private int take(int count) throws IOException {
    if (count < 0 || count > end - at) {
      throw new IOException("a frame ends in the middle of a field");
    }
    int from = at;
    at += count;
    return from;
  }

  // The buffer grows as bytes arrive: a wrong length costs no memory.
  private void fill(InputStream stream, int count) throws IOException {
    while (end < count) {
      if (end == data.length) {
        data = Arrays.copyOf(data, Math.min(count, data.length + Math.max(STEP, data.length)));
      }
      int n = stream.read(data, end, Math.min(count, data.length) - end);
      if (n < 0) {
        throw new EOFException("the worker's output ended");
      }
      end += n;
    }
  }
}
