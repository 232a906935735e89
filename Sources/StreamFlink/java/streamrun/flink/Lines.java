package streamrun.flink;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.reader.SimpleStreamFormat;
import org.apache.flink.connector.file.src.reader.StreamFormat;
import org.apache.flink.core.fs.FSDataInputStream;

/**
 * Reads the lines of a file as bytes, without decoding them: what is not UTF-8 reaches the worker as it is.
 *
 * <p>Blank lines are left out, and so are a carriage return at the end of a line, and a byte order mark.
 */
final class Lines extends SimpleStreamFormat<byte[]> {
  private static final long serialVersionUID = 1;

  @Override
  public Reader<byte[]> createReader(Configuration configuration, FSDataInputStream stream) {
    return new LineReader(stream);
  }

  @Override
  public TypeInformation<byte[]> getProducedType() {
    return PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;
  }

  private static final class LineReader implements StreamFormat.Reader<byte[]> {
    private final FSDataInputStream stream;
    private final byte[] buffer = new byte[1 << 16];
    private int at;
    private int end;
    private boolean isStart = true;
    private boolean isFirst = true;

    LineReader(FSDataInputStream stream) {
      this.stream = stream;
    }

    @Override
    public byte[] read() throws IOException {
      ByteArrayOutputStream begun = null; // a line that continues in the next buffer
      while (true) {
        if (at == end) {
          end = stream.read(buffer, 0, buffer.length);
          at = 0;
          if (isStart) {
            requireText();
            isStart = false;
          }
          if (end <= 0) {
            end = 0;
            byte[] line = begun == null ? null : trimmed(begun.toByteArray(), 0, begun.size());
            return line == null || isBlank(line) ? null : line;
          }
        }
        int from = at;
        while (at < end && buffer[at] != '\n') {
          at++;
        }
        if (at == end) {
          begun = begun == null ? new ByteArrayOutputStream() : begun;
          begun.write(buffer, from, at - from);
          if (begun.size() > FrameWriter.RECORD_LIMIT) {
            throw WorkerRefusal.of("a line of the input is longer than " + FrameWriter.RECORD_LIMIT + " bytes, which is the limit");
          }
          continue;
        }
        byte[] line;
        if (begun == null) {
          line = trimmed(buffer, from, at);
        } else {
          begun.write(buffer, from, at - from);
          line = trimmed(begun.toByteArray(), 0, begun.size());
          begun = null;
        }
        at++;
        if (!isBlank(line)) {
          return line;
        }
      }
    }

    // A file that only the cluster can see. A first read of fewer bytes than the form has is one of a network.
    private void requireText() {
      String form = Compression.of(buffer, end);
      if (form != null) {
        throw WorkerRefusal.of(Compression.refusal("a file of the source", form));
      }
    }

    private byte[] trimmed(byte[] bytes, int from, int to) {
      int last = to > from && bytes[to - 1] == '\r' ? to - 1 : to;
      int first = from;
      if (isFirst && last - from >= 3 && bytes[from] == (byte) 0xEF && bytes[from + 1] == (byte) 0xBB && bytes[from + 2] == (byte) 0xBF) {
        first += 3;
      }
      isFirst = false;
      return java.util.Arrays.copyOfRange(bytes, first, last);
    }

    private static boolean isBlank(byte[] line) {
      for (byte b : line) {
        if (b != ' ' && b != '\t' && b != '\r') {
          return false;
        }
      }
      return true;
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
