package streamrun.flink;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Writes records to standard output, one a line: at the watermark, the checkpoint and the end. */
final class Printer extends AbstractStreamOperator<byte[]> implements OneInputStreamOperator<byte[], byte[]> {
  private static final long serialVersionUID = 1;

  private transient ByteArrayOutputStream lines;

  @Override
  public void open() throws Exception {
    super.open();
    lines = new ByteArrayOutputStream();
  }

  @Override
  public void processElement(StreamRecord<byte[]> element) {
    byte[] line = element.getValue();
    lines.write(line, 0, line.length);
    lines.write('\n');
    if (lines.size() > 1 << 16) {
      print();
    }
  }

  @Override
  public void processWatermark(Watermark mark) {
    print();
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpoint) {
    print();
  }

  @Override
  public void finish() throws Exception {
    print();
    super.finish();
  }

  // One call for many lines: several subtasks may print to the same output.
  private void print() {
    PrintStream out = System.out;
    synchronized (out) {
      out.write(lines.toByteArray(), 0, lines.size());
      out.flush();
    }
    lines.reset();
  }
}
