import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// The version before a swap on trial, as it is restored.
@Suite struct FormerVersionTests {
  private static let second = Interval(nanoseconds: 1_000_000_000)

  /// Counts the values between which there is silence.
  private func counting() throws -> StreamVersion {
    try StreamVersion(
      try stream(fed(#"{"debounce": {"seconds": 0.2}}, {"scan": {"initialValue": 0, "expression": "acc + value"}}"#))
        .model)
  }

  private func time(_ seconds: Int64) -> StreamTime { StreamTime(nanoseconds: seconds * 1_000_000_000) }

  /// The values that an execution publishes up to a time.
  private func values(_ execution: Execution, until time: StreamTime) -> [Value] {
    execution.advance(to: time)
    var values: [Value] = []
    while let event = execution.next() { if case .value(let value) = event { values.append(value) } }
    return values
  }

  /// The former version after one value per second. The last value is being processed.
  private func former(_ numbers: [Int64]) throws -> FormerVersion {
    let version = try counting()
    let execution = Execution(version.pipeline)
    execution.request(.unlimited)
    _ = values(execution, until: time(0))
    var former = FormerVersion(version, try execution.snapshot(), SwapTrial { _ in }, at: time(0))
    for (index, number) in numbers.enumerated() {
      if index > 0 { former.finishWork(at: time(Int64(index)) + Interval(nanoseconds: 500_000_000)) }
      former.record(.value(.int(number), input: "a"), at: time(Int64(index + 1)))
    }
    return former
  }

  @Test("Timers fire between the messages as before, and nothing that was published is published again")
  func timers() throws {
    let restored = try former([1, 20, 300]).restored()
    #expect(restored.completion == nil)
    let values = values(restored.execution, until: time(9))
    #expect(values == [321])
  }

  @Test("With too many messages only the current one is delivered")
  func tooMany() throws {
    let version = try counting()
    let execution = Execution(version.pipeline)
    execution.request(.unlimited)
    _ = values(execution, until: time(0))
    var former = FormerVersion(version, try execution.snapshot(), SwapTrial { _ in }, at: time(0))
    for number in 0..<Int64(FormerVersion.entryLimit) {
      former.record(.value(1, input: "a"), at: time(number))
      former.finishWork(at: time(number))
    }
    former.record(.value(7, input: "a"), at: time(20_000))
    let restored = try former.restored()
    let values = values(restored.execution, until: time(20_001))
    #expect(values == [7])
  }
}
