package streamrun.flink;

import java.io.IOException;
import org.apache.flink.api.common.serialization.BulkWriter;
import org.apache.flink.core.fs.FSDataOutputStream;

/**
 * Writes records to a file of a file sink, one a line.
 *
 * <p>It is a bulk format because a row format writes each record to the file by itself. Both end a file at each
 * checkpoint.
 */
final class LineWriter implements BulkWriter<byte[]> {
  private final FSDataOutputStream stream;
  private byte[] buffer = new byte[1 << 16];
  private int size;

  LineWriter(FSDataOutputStream stream) {
    this.stream = stream;
  }

  @Override
  public void addElement(byte[] line) throws IOException {
    if (size + line.length + 1 > buffer.length) {
      write();
      if (line.length + 1 > buffer.length) {
        buffer = new byte[line.length + 1];
      }
    }
    System.arraycopy(line, 0, buffer, size, line.length);
    size += line.length;
    buffer[size++] = '\n';
  }

  @Override
  public void flush() throws IOException {
    write();
    stream.flush();
  }

  /** The sink closes the file itself. */
  @Override
  public void finish() throws IOException {
    flush();
  }

  private void write() throws IOException {
    stream.write(buffer, 0, size);
    size = 0;
  }
}
