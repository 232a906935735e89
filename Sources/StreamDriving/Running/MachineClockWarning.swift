internal import StreamCore
internal import StreamEngine
internal import StreamKit

extension RunRequest {
  /// Whether a file or standard input is a table whose columns have no types from the arguments.
  var hasUntypedTables: Bool {
    guard inputFormat.options.table.types == .strings else { return false }
    return inputFormat.format?.isTable == true || inputFormat.named.values.contains(where: \.isTable)
      || inputFormat.format == nil && input.contains { FileFormat(ofFile: $0.text)?.isTable == true }
  }
}

extension RecordQueues {
  /// The warnings about times that seem to be in another unit.
  var warningsAboutUnits: [Diagnostic] { warnings(output: nil).filter { $0.help?.contains("--unit") == true } }
}

extension StreamRun {
  /// Operators that sum up or select values by when they happened.
  private static let selecting: Set<String> = [
    "collectTime", "debounce", "distinct", "groupBy", "sample", "throttle", "window",
  ]
  /// Operators and sources by which a stream has a pace of its own, at which it reads files.
  private static let pacing: Set<String> = [
    "delay", "delaySubscription", "generate", "marbles", "rateLimit", "record", "timer",
  ]

  /// Returns the warning about a stream that goes by the clock of the machine, and reads files to their end as fast as
  /// possible: all of their values happen at once. Nil for live inputs, and for streams that do not ask when values happen.
  var clockWarning: Diagnostic? {
    let parts = prepared.timedParts
    guard let name = parts.first(where: Self.selecting.contains), !parts.contains(where: Self.pacing.contains),
      prepared.calledFunctions.isEmpty, options.speed == nil, !feeds.isEmpty, feeds.allSatisfy(\.isRegular)
    else { return nil }
    return Diagnostic(
      .invalidEventTime,
      "'\(name)' goes by the clock of the machine, and time hardly passes while a file is read: all values happen at once",
      severity: .warning,
      help: "write --event-time value.time, or \"time\" at the input, with the field that says when a value happened")
  }
}
