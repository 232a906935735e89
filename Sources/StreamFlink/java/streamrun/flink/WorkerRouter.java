package streamrun.flink;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.metrics.MetricGroup;

/**
 * A router that asks a worker for the key and the time of each record.
 *
 * <p>Its input are the records with the places of their sources.
 */
final class WorkerRouter extends Router<Tuple2<Integer, byte[]>> {
  private static final long serialVersionUID = 1;
  private static final int BATCH_BYTES = 1 << 20;

  private final WorkerSpec spec;

  private transient Worker worker;
  private transient List<Tuple2<Integer, byte[]>> waiting;
  private transient int waitingBytes;

  WorkerRouter(WorkerSpec spec, Settings settings) {
    super(settings);
    this.spec = spec;
  }

  @Override
  public void open() throws Exception {
    super.open();
    waiting = new ArrayList<>();
    worker = spec.start(getRuntimeContext(), "router " + getRuntimeContext().getTaskInfo().getIndexOfThisSubtask());
    // A canceled task must not wait for a worker that does not answer.
    getContainingTask().getCancelables().registerCloseable(worker);
    spec.helloRouter(worker, settings.followsSource);
    MetricGroup metrics = getMetricGroup().addGroup("streamrun");
    metrics.gauge("bytesOut", () -> worker.sent);
    metrics.gauge("bytesIn", () -> worker.received);
  }

  @Override
  boolean add(Tuple2<Integer, byte[]> record) throws Exception {
    int size = record.f1.length;
    if (size > FrameWriter.RECORD_LIMIT) {
      throw WorkerRefusal.of("a record of the source has " + size + " bytes; the limit is " + FrameWriter.RECORD_LIMIT);
    }
    waiting.add(record);
    waitingBytes += size;
    return waiting.size() >= settings.batch || waitingBytes >= BATCH_BYTES;
  }

  @Override
  boolean isWaiting() {
    return !waiting.isEmpty();
  }

  @Override
  long route() throws Exception {
    FrameWriter request = worker.begin('K').i64(newest).u32(waiting.size());
    for (Tuple2<Integer, byte[]> record : waiting) {
      request.bytes(record.f1);
    }
    FrameReader reply = worker.exchange('k');
    newest = reply.i64();
    long watermark = reply.i64();
    int count = reply.count(13);
    if (count != waiting.size()) {
      throw new IOException("the worker answered for " + count + " records of " + waiting.size());
    }
    for (Tuple2<Integer, byte[]> record : waiting) {
      int fate = reply.u8();
      long time = reply.i64();
      emit(fate, reply.string(), time, record.f1, record.f0);
    }
    reply.finish();
    waiting.clear();
    waitingBytes = 0;
    return watermark;
  }

  @Override
  public void close() throws Exception {
    if (worker != null) {
      getContainingTask().getCancelables().unregisterCloseable(worker);
      worker.shutDown();
    }
    super.close();
  }
}
