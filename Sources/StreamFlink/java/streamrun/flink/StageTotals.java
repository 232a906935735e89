package streamrun.flink;

import java.util.List;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.base.array.LongPrimitiveArraySerializer;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * The numbers of a job that has ended, as accumulators, which its client tells.
 *
 * <p>They are in the state of the stage, since a failure begins accumulators anew. The numbers of routers come with their
 * end, and are keyed state, as that is.
 */
final class StageTotals {
  private final ValueState<long[]> ofRouters;
  private final ListState<Long> resultsState;
  private final ListState<Long> skippedState;
  private final LongCounter results = new LongCounter();
  private final LongCounter skipped = new LongCounter();
  private final RecordTotals sum = new RecordTotals();

  StageTotals(StateInitializationContext context) throws Exception {
    ofRouters = context.getKeyedStateStore().getState(
        new ValueStateDescriptor<>("totals", LongPrimitiveArraySerializer.INSTANCE));
    resultsState = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("results", Types.LONG));
    for (Long count : resultsState.get()) {
      results.add(count.longValue());
    }
    skippedState = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("skipped", Types.LONG));
    for (Long count : skippedState.get()) {
      skipped.add(count.longValue());
    }
  }

  /** Counts a result. */
  void noteResult() {
    results.add(1L);
  }

  /** Counts values that were skipped because they made an operator fail. */
  void noteSkipped(long count) {
    skipped.add(count);
  }

  /** Notes the numbers that came with the end of a router, if any did. The current key is that of its marker. */
  void noteEnd(byte[] account) throws Exception {
    if (account.length != RecordTotals.SIZE) {
      return;
    }
    RecordTotals totals = new RecordTotals();
    totals.add(RecordTotals.values(account));
    if (ofRouters.value() != null) {
      totals.add(ofRouters.value());
    }
    ofRouters.update(totals.values());
  }

  /** Adds the numbers of the current key, which is that of markers. */
  void addEnd() throws Exception {
    if (ofRouters.value() != null) {
      sum.add(ofRouters.value());
    }
  }

  void snapshot() throws Exception {
    resultsState.update(List.of(results.getLocalValuePrimitive()));
    skippedState.update(List.of(skipped.getLocalValuePrimitive()));
  }

  /** Tells the client the number of skipped values. Each stage has its own, which are added. */
  void tellSkipped(RuntimeContext context) {
    context.addAccumulator(JobReport.SKIPPED_VALUES, skipped);
  }

  /** Tells the client the number of results, if this is the last stage. */
  void tellResults(RuntimeContext context) {
    context.addAccumulator(JobReport.RESULTS, results);
  }

  /** Tells the client the numbers of the routers that have ended. */
  void tellRecords(RuntimeContext context) {
    tell(context, JobReport.RECORDS, sum.records);
    tell(context, JobReport.LATE, sum.late);
    tell(context, JobReport.SKIPPED, sum.skipped);
  }

  private static void tell(RuntimeContext context, String name, long number) {
    LongCounter counter = new LongCounter();
    counter.add(number);
    context.addAccumulator(name, counter);
  }
}
