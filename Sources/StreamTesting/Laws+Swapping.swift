internal import StreamCore
internal import StreamEngine
internal import StreamKit

// The laws for operators and sources when a running stream is swapped.

extension Laws {
  /// Checks that the stream has the same output when it is swapped for the same model between any two steps, and that
  /// every operator keeps its state.
  public static func survivesSwapping(_ stream: ExampleStream) throws -> String? {
    let version = try StreamVersion(StreamModel(json: stream.stream()), stream.options)
    for demand in [Demand.unlimited, Demand(1)] {
      var report: SwapReport?
      let problem = try swapping(stream, demand) { count, snapshot in
        // Compiled again now and then: a pipeline's identity must not matter.
        let again = count % 4 == 0 ? try StreamVersion(StreamModel(json: stream.stream()), stream.options) : version
        let swap = try StreamSwap(of: snapshot, from: version, to: again)
        if swap.report.parts.contains(where: { $0.outcome != .kept }) { report = swap.report }
        return try Execution(again.pipeline, restoring: Snapshot(text: swap.snapshot.text()))
      }
      if let problem { return problem }
      if let report { return "swapped for itself: \(report)" }
    }
    return nil
  }

  /// Checks that the stream has the same output when, between any two steps, it is swapped for a version with
  /// additional stateless operators before and after it, and back.
  public static func keepsItsStateBesideNewOperators(_ stream: ExampleStream) throws -> String? {
    let model = try StreamModel(json: stream.stream())
    let same = try StreamModel(json: ["stream": [], "operators": [["map": ["expression": "value"]]]]).operators
    var longer = model
    longer.operators += same
    if !stream.isSource { longer.operators = same + longer.operators }
    let versions = [try StreamVersion(model, stream.options), try StreamVersion(longer, stream.options)]
    for demand in [Demand.unlimited, Demand(1)] {
      let problem = try swapping(stream, demand) { count, snapshot in
        let (old, new) = (versions[(count + 1) % 2], versions[count % 2])
        let swap = try StreamSwap(of: snapshot, from: old, to: new)
        return try Execution(new.pipeline, restoring: swap.snapshot)
      }
      if let problem { return problem }
    }
    return nil
  }

  /// Returns the difference when the execution is swapped after every step; nil if there is none.
  ///
  /// - Parameter swap: Returns the execution to continue with after a step, numbered from 1.
  private static func swapping(
    _ stream: ExampleStream, _ demand: Demand, _ swap: (Int, Snapshot) throws -> Execution
  ) throws -> String? {
    let (pipeline, inputs) = (try stream.pipeline(), try stream.inputs())
    var plain = HistoryRecorder(Execution(pipeline))
    plain.demand = demand
    plain.run(inputs) { $0 }
    var recorder = HistoryRecorder(Execution(pipeline))
    recorder.demand = demand
    var count = 0
    try recorder.run(inputs) { execution in
      count += 1
      return try swap(count, execution.snapshot())
    }
    // The locations of operators are ignored: they change with operators before them.
    guard text(plain.history) != text(recorder.history) else { return nil }
    return "with a demand of \(demand.count): " + difference(plain.history, recorder.history)
  }
}
