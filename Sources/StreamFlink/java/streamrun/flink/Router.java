package streamrun.flink;

import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.OutputTag;

/**
 * Gives each record its key and its time, decides about late records, and makes the watermark.
 *
 * <p>It emits tuples of the key as JSON text, the time in nanoseconds, the record, and the place of its source.
 *
 * <p>Event time has come as far as the newest record. If the source has watermarks of its own, it has come as far as
 * they: a source with several partitions makes them from the slowest one, so that the others do not make its records late.
 *
 * <p>If the source is silent for the time of {@code idle}, event time passes by the clock of the machine, and the router
 * does not hold that of others: it is idle. When all are, the stage goes on by itself.
 *
 * <p>Its state is how far event time has come, the latest time of a record, and since when the source is silent. With an unchanged parallelism each subtask continues with its own. With a
 * changed one and an unbounded source it continues with the least of all, so that no record that was on time becomes
 * late, and no record comes before the watermark that the stage had. A bounded source cannot have such a state, since
 * Flink takes no checkpoint of it once some of its subtasks have ended; there a subtask continues with the least of
 * those that Flink assigns to it, if any.
 */
abstract class Router<IN> extends AbstractStreamOperator<Tuple4<String, Long, byte[], Integer>>
    implements OneInputStreamOperator<IN, Tuple4<String, Long, byte[], Integer>>, BoundedOneInput {
  private static final long serialVersionUID = 1;

  /** Late records, with {@code "late": "output"}. */
  static final OutputTag<byte[]> LATE = new OutputTag<>("late", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private static final byte[] EMPTY = {};
  private static final long FLUSH_MILLIS = 50;

  /** Fates of a record, as in the protocol. */
  static final int ON_TIME = 0;
  static final int LATE_APPLIED = 1;
  static final int LATE_DROPPED = 2;
  static final int LATE_OUTPUT = 3;
  static final int SKIPPED = 4;

  /** Settings that all routers have. */
  static final class Settings implements java.io.Serializable {
    private static final long serialVersionUID = 1;

    final int batch;
    final int keyGroups;
    final boolean isBounded;
    final long idleMillis;
    final long rate;
    final long latenessNanos;
    /** Whether event time is that of the watermarks of the source. */
    final boolean followsSource;

    Settings(int batch, int keyGroups, boolean isBounded, long idleMillis, long rate, long latenessNanos,
        boolean followsSource) {
      this.batch = batch;
      this.keyGroups = keyGroups;
      this.isBounded = isBounded;
      this.idleMillis = idleMillis;
      this.rate = rate;
      this.latenessNanos = latenessNanos;
      this.followsSource = followsSource;
    }
  }

  protected final Settings settings;

  /** How far event time has come, in nanoseconds. A record is late if it is older by more than the lateness. */
  protected transient long newest;
  /** The latest time of a record, in nanoseconds. */
  private transient long latest;
  private transient long watermark;
  private transient ListState<long[]> newestState;
  private transient ListState<long[]> totalsState;
  private transient RecordTotals totals;
  private transient boolean isTimerSet;
  private transient boolean isIdle;
  /** When the last record came, by the machine's clock in milliseconds, also before a failure. */
  private transient long lastRecord;
  /** From when on the source has been silent in this attempt. */
  private transient long silentSince;
  /** How far event time had come with the last record; none if records have come since it was noted. */
  private transient long lastNewest;
  private transient long started;
  private transient long throttled;

  private transient Counter events;
  private transient Counter late;
  private transient Counter lateApplied;
  private transient Counter lateDropped;
  private transient Counter lateOutput;
  private transient Counter skipped;

  Router(Settings settings) {
    this.settings = settings;
  }

  /** Takes a record, which may wait until {@link #route}. Returns whether a batch is full. */
  abstract boolean add(IN record) throws Exception;

  /** Emits the records that wait, and returns the watermark in nanoseconds. */
  abstract long route() throws Exception;

  /** Whether records wait. */
  abstract boolean isWaiting();

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    ListStateDescriptor<long[]> descriptor = new ListStateDescriptor<>(settings.isBounded ? "newest" : "newest of all",
        PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO);
    newestState = settings.isBounded
        ? context.getOperatorStateStore().getListState(descriptor)
        : context.getOperatorStateStore().getUnionListState(descriptor);
    totalsState = context.getOperatorStateStore().getListState(
        new ListStateDescriptor<>("totals", PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO));
    totals = new RecordTotals();
    newest = Times.NONE;
    latest = Times.NONE;
    watermark = Long.MIN_VALUE;
    lastRecord = System.currentTimeMillis();
    lastNewest = Times.NONE;
    if (!context.isRestored()) {
      return;
    }
    TaskInfo task = getRuntimeContext().getTaskInfo();
    long least = Times.NEVER;
    for (long[] entry : newestState.get()) {
      if (entry[0] == task.getNumberOfParallelSubtasks() && entry[1] == task.getIndexOfThisSubtask()) {
        least = entry[2];
        if (entry.length > 5) {
          lastRecord = entry[4];
          lastNewest = entry[5];
        }
        break;
      }
      least = Math.min(least, entry[2]);
    }
    for (long[] entry : newestState.get()) {
      // Savepoints of earlier versions do not have it.
      latest = Math.max(latest, entry[entry.length > 3 ? 3 : 2]);
    }
    for (long[] entry : totalsState.get()) {
      totals.add(entry);
    }
    newest = least == Times.NEVER ? Times.NONE : least;
  }

  @Override
  public void open() throws Exception {
    super.open();
    MetricGroup metrics = getMetricGroup().addGroup("streamrun");
    events = metrics.counter("events");
    late = metrics.counter("late");
    lateApplied = metrics.counter("lateApplied");
    lateDropped = metrics.counter("lateDropped");
    lateOutput = metrics.counter("lateOutput");
    skipped = metrics.counter("skipped");
    metrics.gauge("lag", () -> watermark == Long.MIN_VALUE ? 0L : Times.millis(newest) - watermark);
    metrics.gauge("restarts", () -> getRuntimeContext().getTaskInfo().getAttemptNumber());
    silentSince = System.currentTimeMillis();
    started = System.nanoTime();
    if (settings.idleMillis > 0) {
      startTimer();
    }
  }

  @Override
  public void processElement(StreamRecord<IN> element) throws Exception {
    events.inc();
    if (settings.rate > 0) {
      throttle();
    }
    if (settings.idleMillis > 0) {
      lastRecord = System.currentTimeMillis();
      silentSince = lastRecord;
      lastNewest = Times.NONE;
      if (isIdle) {
        isIdle = false;
        output.emitWatermarkStatus(WatermarkStatus.ACTIVE);
      }
    }
    if (add(element.getValue())) {
      flush();
    } else if (!isTimerSet) {
      startTimer();
    }
  }

  // A record waits at most this long for others; a batch in memory is never older.
  private void startTimer() {
    isTimerSet = true;
    getProcessingTimeService().registerTimer(getProcessingTimeService().getCurrentProcessingTime() + FLUSH_MILLIS,
        time -> {
          isTimerSet = false;
          flush();
          if (settings.idleMillis > 0) {
            passTime(System.currentTimeMillis());
            startTimer();
          }
        });
  }

  // After a failure the source gets its time to send again the records since the checkpoint: they are not late.
  private void passTime(long now) {
    if (now - silentSince < settings.idleMillis) {
      return;
    }
    lastNewest = lastNewest == Times.NONE ? newest : lastNewest;
    if (lastNewest != Times.NONE) {
      newest = Math.max(newest, lastNewest + Times.nanos(Math.max(0, now - lastRecord)));
    }
    if (!isIdle) {
      emitWatermark(Times.flinkWatermark(Times.minus(newest, settings.latenessNanos)));
      isIdle = true;
      output.emitWatermarkStatus(WatermarkStatus.IDLE);
    }
  }

  private void flush() throws Exception {
    if (isWaiting()) {
      emitWatermark(Times.flinkWatermark(route()));
    }
  }

  private void emitWatermark(long millis) {
    if (millis > watermark) {
      watermark = millis;
      output.emitWatermark(new Watermark(millis));
    }
  }

  /** Emits a record or counts it, by its fate. */
  protected final void emit(int fate, String key, long time, byte[] record, int source) throws Exception {
    if (fate <= LATE_OUTPUT) {
      latest = Math.max(latest, time);
    }
    totals.note(fate);
    switch (fate) {
      case ON_TIME:
        output.collect(new StreamRecord<>(Tuple4.of(key, time, record, source), Times.millis(time)));
        break;
      case LATE_APPLIED:
        late.inc();
        lateApplied.inc();
        output.collect(new StreamRecord<>(Tuple4.of(key, time, record, source), Times.millis(time)));
        break;
      case LATE_DROPPED:
        late.inc();
        lateDropped.inc();
        break;
      case LATE_OUTPUT:
        late.inc();
        lateOutput.inc();
        output.collect(LATE, new StreamRecord<>(record, Times.millis(time)));
        break;
      case SKIPPED:
        skipped.inc();
        LOG.debug("streamrun skipped a record: {}", key);
        break;
      default:
        throw new java.io.IOException("the worker answered with the unknown fate " + fate);
    }
  }

  // The last watermark of a bounded source follows when all records have gone out, in endInput: Flink sends it before
  // it ends the input.
  @Override
  public void processWatermark(Watermark mark) throws Exception {
    if (!settings.followsSource || mark.getTimestamp() == Long.MAX_VALUE) {
      return;
    }
    flush(); // what came before it, by the time before it
    newest = Math.max(newest, Times.nanos(mark.getTimestamp()));
    emitWatermark(Times.flinkWatermark(Times.minus(newest, settings.latenessNanos)));
  }

  @Override
  public void processWatermarkStatus(WatermarkStatus status) throws Exception {
    if (settings.idleMillis == 0) {
      super.processWatermarkStatus(status);
    }
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpoint) throws Exception {
    flush();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    TaskInfo task = getRuntimeContext().getTaskInfo();
    newestState.clear();
    newestState.add(new long[] {task.getNumberOfParallelSubtasks(), task.getIndexOfThisSubtask(), newest, latest, lastRecord,
        lastNewest == Times.NONE ? newest : lastNewest});
    totalsState.clear();
    totalsState.add(totals.values());
  }

  @Override
  public void endInput() throws Exception {
    flush();
    if (isIdle) {
      isIdle = false;
      output.emitWatermarkStatus(WatermarkStatus.ACTIVE);
    }
    latest = Math.max(latest, newest);
    byte[] account = totals.bytes();
    for (String key : EndKeys.all(settings.keyGroups)) {
      output.collect(new StreamRecord<>(Tuple4.of(key, latest, account, 0)));
      account = EMPTY; // told once
    }
    LOG.info("streamrun: a router ended after {} events", events.getCount());
    emitWatermark(Times.flinkWatermark(latest));
    output.emitWatermark(Watermark.MAX_WATERMARK);
  }

  // Slows the source down, so that tests have time to break something.
  private void throttle() throws InterruptedException {
    throttled++;
    if (throttled % 100 == 0) {
      long due = started + throttled * 1_000_000_000L / settings.rate - System.nanoTime();
      if (due > 0) {
        Thread.sleep(Math.min(due / 1_000_000, 1000));
      }
    }
  }
}
