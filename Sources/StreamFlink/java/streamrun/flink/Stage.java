package streamrun.flink;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

/**
 * Runs the operators of a stream file for the keys of this subtask, in a worker.
 *
 * <p>The worker's state is only a cache. Before each checkpoint barrier the values of all records before it go out, and
 * the snapshots of the keys that have changed go into Flink's keyed state, each with a timer for its wake. After a
 * failure or a rescale the keys come back from there, when a record arrives or the timer fires. Between checkpoints, no
 * state of Flink is touched for a key that the worker holds.
 *
 * <p>Input and output are tuples of a key, a time in nanoseconds, a record, and the place of its source. The key of all
 * results is {@link #RESULT_KEY}.
 *
 * <p>If the file has {@code idle}, and all sources are silent for so long, their watermarks stop, and event time passes by
 * the clock of the machine, until a record arrives.
 */
final class Stage extends AbstractStreamOperator<Tuple4<String, Long, byte[], Integer>>
    implements OneInputStreamOperator<Tuple4<String, Long, byte[], Integer>, Tuple4<String, Long, byte[], Integer>>,
        Triggerable<String, VoidNamespace>, BoundedOneInput {
  private static final long serialVersionUID = 1;

  /** The key of results, which a second stage receives. */
  static final String RESULT_KEY = "null";

  private static final byte[] EMPTY = {};
  private static final int BATCH_BYTES = 1 << 20;
  private static final long FLUSH_MILLIS = 50;
  private static final ValueStateDescriptor<byte[]> SNAPSHOT =
      new ValueStateDescriptor<>("snapshot", BytePrimitiveArraySerializer.INSTANCE);

  private final WorkerSpec spec;
  private final int number;
  private final int batch;
  private final long memoryLimit;
  private final boolean hasNext;
  private final boolean hasTime;
  private final boolean passesTime;

  private transient Worker worker;
  private transient ValueState<byte[]> stored;
  private transient ValueState<Long> routerEnd;
  private transient StageTotals totals;
  private transient ListState<String> hashState;
  private transient Set<String> hashes;
  private transient InternalTimerService<VoidNamespace> timers;

  /** The keys of the next batch. */
  private transient ArrayList<HeldKey> waiting;
  private transient int waitingItems;
  private transient long waitingBytes;
  /** The keys that the worker holds. */
  private transient HashMap<String, HeldKey> held;
  /** Number of batches, the time of uses. */
  private transient long batches;
  /** The latest time of the routers that have ended. */
  private transient long newest;
  private transient long latestResult;
  private transient long watermark;
  /** Whether all sources are silent. Then the watermark was this at that time of the machine's clock, in nanoseconds. */
  private transient boolean isSilent;
  private transient long silentWatermark;
  private transient long silentSince;
  private transient boolean isClockSet;
  private transient boolean isFinished;
  private transient boolean isTimerSet;

  private transient long storedCount;
  private transient long storedBytes;
  private transient long droppedKeys;
  private transient Counter events;
  private transient Counter outputs;
  private transient Counter skipped;
  private transient long latestEvent;

  /**
   * @param number 1 for the operators of the partition, 2 for those of {@code then}
   * @param hasNext whether another stage receives the results, and has to learn of the end
   * @param hasTime whether records have times. Otherwise the worker publishes with each batch
   * @param passesTime whether time passes by the clock of the machine while all sources are silent
   */
  Stage(WorkerSpec spec, int number, int batch, long memoryLimit, boolean hasNext, boolean hasTime, boolean passesTime) {
    this.spec = spec;
    this.number = number;
    this.batch = batch;
    this.memoryLimit = memoryLimit;
    this.hasNext = hasNext;
    this.hasTime = hasTime;
    this.passesTime = passesTime;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    stored = context.getKeyedStateStore().getState(SNAPSHOT);
    routerEnd = context.getKeyedStateStore().getState(new ValueStateDescriptor<>("end", LongSerializer.INSTANCE));
    totals = new StageTotals(context);
    hashState = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("hash", Types.STRING));
    // Snapshots of an old version of the file stay in the state until their keys change: so do their hashes.
    hashes = new HashSet<>();
    hashes.add(spec.hash);
    for (String hash : hashState.get()) {
      hashes.add(hash);
      if (!hash.equals(spec.hash) && !spec.hasOldFile) {
        throw WorkerRefusal.of("the state belongs to another version of the stream file: its hash is " + hash
            + ", the hash of this file is " + spec.hash + "; run the old file, or give it as --restore-old OLDFILE");
      }
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    TaskInfo task = getRuntimeContext().getTaskInfo();
    waiting = new ArrayList<>();
    held = new HashMap<>();
    newest = Times.NONE;
    latestResult = Times.NONE;
    latestEvent = Times.NONE;
    watermark = Long.MIN_VALUE;
    timers = getInternalTimerService("wake", VoidNamespaceSerializer.INSTANCE, this);
    String name = (number == 1 ? "stage " : "then ") + task.getIndexOfThisSubtask();
    worker = spec.start(getRuntimeContext(), name);
    // A canceled task must not wait for a worker that does not answer.
    getContainingTask().getCancelables().registerCloseable(worker);
    Worker.Hello hello = spec.helloStage(worker, number);
    Description description = new Description(hello.description);
    LOG.info("streamrun {}: '{}', hash {}, state {}, attempt {}", name, description.name, hello.hash,
        description.state, task.getAttemptNumber());

    totals.tellSkipped(getRuntimeContext());
    if (!hasNext) {
      totals.tellResults(getRuntimeContext());
    }
    MetricGroup metrics = getMetricGroup().addGroup("streamrun");
    events = metrics.counter("events");
    outputs = metrics.counter("outputs");
    skipped = metrics.counter("skipped");
    metrics.gauge("keys", () -> worker.keys);
    metrics.gauge("memory", () -> worker.memory);
    metrics.gauge("bytesOut", () -> worker.sent);
    metrics.gauge("bytesIn", () -> worker.received);
    metrics.gauge("lag", () -> watermark == Long.MIN_VALUE ? 0L : Math.max(0, Times.millis(latestEvent) - watermark));
    metrics.gauge("restarts", () -> getRuntimeContext().getTaskInfo().getAttemptNumber());
  }

  @Override
  public void processElement(StreamRecord<Tuple4<String, Long, byte[], Integer>> element) throws Exception {
    Tuple4<String, Long, byte[], Integer> item = element.getValue();
    if (EndKeys.isEnd(item.f0)) {
      Long before = routerEnd.value();
      routerEnd.update(before == null ? item.f1 : Long.valueOf(Math.max(before, item.f1)));
      totals.noteEnd(item.f2);
      return;
    }
    FrameWriter.requireSize(item.f0, item.f2);
    long time = item.f1;
    latestEvent = Math.max(latestEvent, time);
    events.inc();
    Group group = group(item.f0);
    if (waitingBytes + item.f2.length > FrameWriter.LIMIT - BATCH_BYTES) {
      // A large state and a large record do not fit into one frame.
      send(Times.NONE);
      group = group(item.f0);
    }
    group.add(time, item.f3, item.f2);
    waitingItems++;
    waitingBytes += 16 + item.f2.length;
    if (isFull()) {
      send(Times.NONE);
      limitMemory();
    } else if (!hasTime && !isTimerSet) {
      startTimer();
    }
  }

  // Without event time, no watermark asks for results: a record waits at most this long for others.
  private void startTimer() {
    isTimerSet = true;
    getProcessingTimeService().registerTimer(getProcessingTimeService().getCurrentProcessingTime() + FLUSH_MILLIS,
        time -> {
          isTimerSet = false;
          if (!isFinished) {
            send(Times.NONE);
            limitMemory();
          }
        });
  }

  /** The group of the current key in the next batch. Attaches the stored snapshot if the worker does not hold the key. */
  private Group group(String key) throws Exception {
    HeldKey known = held.get(key);
    if (known == null) {
      byte[] state = stored.value();
      known = new HeldKey(state == null ? Times.NEVER : StoredState.wake(state));
      known.group = new Group(key, state == null ? Group.NEW : Group.SNAPSHOT, state);
      held.put(key, known);
    } else if (known.lastBatch == batches) {
      return known.group;
    } else {
      known.group = new Group(key, Group.HELD, null);
    }
    known.lastBatch = batches;
    waiting.add(known);
    waitingBytes += known.group.size();
    return known.group;
  }

  private boolean isFull() {
    return waitingItems >= batch || waiting.size() >= batch || waitingBytes >= BATCH_BYTES;
  }

  /** Sends the batch and emits the values that the worker publishes. */
  private void send(long advance) throws Exception {
    if (waiting.isEmpty() && advance == Times.NONE) {
      return;
    }
    FrameWriter request = worker.begin('B').u32(waiting.size());
    for (HeldKey known : waiting) {
      known.group.writeTo(request);
      known.group = null;
    }
    request.i64(advance);
    waiting.clear();
    batches++;
    waitingItems = 0;
    waitingBytes = 0;
    result();
  }

  /** Emits the values of an answer, and counts those that the worker has skipped. */
  private void result() throws Exception {
    long before = worker.skipped;
    worker.result(this::emit);
    skipped.inc(worker.skipped - before);
    totals.noteSkipped(worker.skipped - before);
  }

  private void emit(long time, byte[] value) {
    outputs.inc();
    totals.noteResult();
    latestResult = Math.max(latestResult, time);
    output.collect(new StreamRecord<>(Tuple4.of(RESULT_KEY, time, value, 0), Times.millis(time)));
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    // Flink's last watermark would let all timers run out before the streams end. The end is for endInput, which comes
    // after it in all versions.
    if (mark.getTimestamp() == Long.MAX_VALUE) {
      return;
    }
    // Time may have passed further in a silence.
    if (mark.getTimestamp() > watermark) {
      advance(mark);
    }
  }

  private void advance(Watermark mark) throws Exception {
    watermark = mark.getTimestamp();
    if (getTimeServiceManager().isPresent()) {
      getTimeServiceManager().get().advanceWatermark(mark); // calls onEventTime
    }
    send(Times.advance(watermark));
    limitMemory();
    output.emitWatermark(mark);
  }

  // The status goes no further if time passes here: the watermarks of this stage move on.
  @Override
  public void processWatermarkStatus(WatermarkStatus status) throws Exception {
    if (!passesTime) {
      super.processWatermarkStatus(status);
      return;
    }
    isSilent = status.isIdle();
    silentWatermark = watermark;
    silentSince = System.nanoTime();
    if (isSilent && !isClockSet) {
      startClock();
    }
  }

  // Before the first watermark there is no time that could pass.
  private void startClock() {
    isClockSet = true;
    getProcessingTimeService().registerTimer(getProcessingTimeService().getCurrentProcessingTime() + FLUSH_MILLIS,
        time -> {
          isClockSet = false;
          if (!isSilent || isFinished) {
            return;
          }
          long present = silentWatermark + (System.nanoTime() - silentSince) / 1_000_000;
          if (silentWatermark != Long.MIN_VALUE && present > watermark) {
            advance(new Watermark(present));
          }
          startClock();
        });
  }

  /** A wake: the worker must hold the key before event time passes it. */
  @Override
  public void onEventTime(InternalTimer<String, VoidNamespace> timer) throws Exception {
    String key = timer.getKey();
    if (held.containsKey(key) || stored.value() == null) {
      return;
    }
    group(key);
    if (!isFull()) {
      return;
    }
    if (worker.memory <= memoryLimit) {
      send(Times.NONE);
    } else {
      // Timers fire in the order of time, so all keys with an earlier wake are there: run until then, and make room.
      send(Times.nanos(timer.getTimestamp()));
      limitMemory();
    }
  }

  @Override
  public void onProcessingTime(InternalTimer<String, VoidNamespace> timer) {}

  /** Stores the snapshots of the keys that have changed. */
  private void store() throws Exception {
    worker.snapshots((key, wake, snapshot) -> {
      setCurrentKey(key);
      HeldKey known = held.get(key);
      long before = known.wake;
      if (snapshot == null) {
        // The worker still holds the key, without a state, until it is dropped. Then the next record makes it new.
        stored.clear();
        wake = Times.NEVER;
      } else {
        storedCount++;
        storedBytes += snapshot.length;
        stored.update(StoredState.of(wake, snapshot));
      }
      known.wake = wake;
      if (before == wake) {
        return;
      }
      if (before != Times.NEVER) {
        timers.deleteEventTimeTimer(VoidNamespace.INSTANCE, Times.millis(before));
      }
      if (wake != Times.NEVER) {
        timers.registerEventTimeTimer(VoidNamespace.INSTANCE, Times.millis(wake));
      }
    });
  }

  /** Lets the worker forget the least recently used keys if it holds too much. Nothing may wait for them. */
  private void limitMemory() throws Exception {
    if (worker.memory <= memoryLimit || held.isEmpty() || !waiting.isEmpty()) {
      return;
    }
    store();
    long each = Math.max(1, worker.memory / Math.max(1, worker.keys));
    int excess = (int) Math.min(held.size(), (worker.memory - memoryLimit / 4 * 3 + each - 1) / each);
    List<String> dropped = HeldKey.removeOldest(held, excess);
    LOG.debug("streamrun: the worker forgets {} of {} keys in {} bytes", dropped.size(), worker.keys, worker.memory);
    droppedKeys += dropped.size();
    for (int from = 0; from < dropped.size(); from += 100_000) {
      worker.drop(dropped.subList(from, Math.min(dropped.size(), from + 100_000)));
    }
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpoint) throws Exception {
    if (isFinished) {
      return;
    }
    send(Times.NONE);
    storedCount = 0;
    storedBytes = 0;
    store();
    LOG.info("streamrun checkpoint {}: the worker holds {} keys in {} bytes; stored {} snapshots of {} bytes", checkpoint,
        worker.keys, worker.memory, storedCount, storedBytes);
    limitMemory();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    hashState.update(new ArrayList<>(hashes));
    totals.snapshot();
  }

  /** Ends the streams of all keys, at the latest time of all routers. */
  @Override
  public void endInput() throws Exception {
    if (number == 2) {
      // The operators of `then` may publish at their end without any result before.
      setCurrentKey(RESULT_KEY);
      group(RESULT_KEY);
    }
    send(Times.NONE);
    TaskInfo task = getRuntimeContext().getTaskInfo();
    int keyGroups = task.getMaxNumberOfParallelSubtasks();
    String[] endKeys = EndKeys.all(keyGroups);
    KeyGroupRange own = KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(keyGroups,
        task.getNumberOfParallelSubtasks(), task.getIndexOfThisSubtask());
    for (int group : own) {
      setCurrentKey(endKeys[group]);
      Long end = routerEnd.value();
      newest = end == null ? newest : Math.max(newest, end);
      totals.addEnd();
    }
    if (number == 1) {
      totals.tellRecords(getRuntimeContext());
    }
    for (String key : held.keySet()) {
      setCurrentKey(key);
      stored.clear();
    }
    held.clear();
    finish(newest);
    // The keys that are only in the state, a batch at a time.
    getKeyedStateBackend().applyToAllKeys(VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, SNAPSHOT,
        (key, state) -> {
          group((String) key);
          state.clear();
          if (isFull()) {
            send(Times.NONE);
            finish(newest);
          }
        });
    if (!waiting.isEmpty()) {
      send(Times.NONE);
      finish(newest);
    }
    held.clear();
    isFinished = true;
    if (hasNext) {
      // The second stage has one subtask.
      output.collect(new StreamRecord<>(
          Tuple4.of(EndKeys.all(1)[0], Math.max(newest, latestResult), EMPTY, 0)));
    }
    output.emitWatermark(Watermark.MAX_WATERMARK);
  }

  private void finish(long time) throws Exception {
    worker.begin('F').i64(time);
    result();
    held.clear();
  }

  @Override
  public void close() throws Exception {
    if (worker != null) {
      if (events != null) {
        LOG.info("streamrun closes: {} events, {} outputs, {} bytes to the worker, {} bytes from it, {} keys dropped",
            events.getCount(), outputs.getCount(), worker.sent, worker.received, droppedKeys);
      }
      getContainingTask().getCancelables().unregisterCloseable(worker);
      worker.shutDown();
    }
    super.close();
  }
}
