import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// A source has no `onError` of its own: the operator that has started it for a value skips the value.
@Suite struct SkippedSourceTests {
  /// An operator that starts a stream for each value, and the values that it publishes for 1, 0 and 2 if the stream
  /// fails for 0.
  struct Case: CustomTestStringConvertible {
    let name: String
    /// The operator, with `SOURCE` for the source that fails.
    let fields: String
    let expected: [Value]

    var testDescription: String { name }
  }

  private static let just = #"{"just": {"expression": "outer.n / outer.d"}}"#

  static let cases: [Case] = [
    Case(name: "flatMap", fields: #""stream": {"source": SOURCE}"#, expected: [4, 2]),
    Case(name: "flatMap", fields: #""strategy": "concat", "stream": {"source": SOURCE}"#, expected: [4, 2]),
    Case(
      name: "flatMap", fields: #""stream": {"source": SOURCE, "operators": [{"map": {"expression": "value"}}]}"#,
      expected: [4, 2]),
    Case(
      name: "flatMap", fields: #""stream": {"source": SOURCE, "operators": [{"delay": {"seconds": 1}}]}"#,
      expected: [4, 2]),
    Case(name: "switchMap", fields: #""stream": {"source": SOURCE}"#, expected: [4, 2]),
    Case(name: "exhaustMap", fields: #""stream": {"source": SOURCE}"#, expected: [4, 2]),
    Case(name: "mergeScan", fields: #""initialValue": 0, "stream": {"source": SOURCE}"#, expected: [4, 2]),
    Case(
      name: "delayWhen", fields: #""stream": {"source": SOURCE}"#, expected: [["n": 4, "d": 1], ["n": 4, "d": 2]]),
    Case(name: "zipAll", fields: #""stream": {"source": SOURCE}"#, expected: [[4, 2]]),
    Case(name: "combineLatestAll", fields: #""stream": {"source": SOURCE}"#, expected: [[4, 2]]),
    Case(name: "debounce", fields: #""stream": {"source": SOURCE}"#, expected: [["n": 4, "d": 1], ["n": 4, "d": 2]]),
    Case(name: "audit", fields: #""stream": {"source": SOURCE}"#, expected: [["n": 4, "d": 1], ["n": 4, "d": 2]]),
    Case(
      name: "throttle", fields: #""edges": "trailing", "stream": {"source": SOURCE}"#,
      expected: [["n": 4, "d": 1], ["n": 4, "d": 2]]),
  ]

  private static let sources = [
    just, #"{"sequence": {"expression": "[outer.n / outer.d]"}}"#,
    #"{"generate": {"initialValue": 1, "next": "value + 1", "while": "value == 1 && outer.n / outer.d > 0", "output": "outer.n / outer.d"}}"#,
    #"{"iif": {"condition": "outer.n / outer.d > 0", "then": {"source": {"just": {"expression": "outer.n / outer.d"}}}}}"#,
  ]

  private func run(_ operation: String, skipsErrors: Bool, fuses: Bool) throws -> ([Value], [StreamFailure], Bool) {
    let pipeline = try stream(
      """
      {"source": {"sequence": {"values": [{"n": 4, "d": 1}, {"n": 4, "d": 0}, {"n": 4, "d": 2}]}},
       "operators": [\(operation)]}
      """
    ).compile(CompileOptions(fuses: fuses))
    let execution = Execution(pipeline, skipsErrors: skipsErrors)
    var (values, skipped, hasFailed) = ([Value](), [StreamFailure](), false)
    VirtualRun(execution).run { event in
      switch event.event {
      case .value(let value): values.append(value)
      case .skipped(let failure): skipped.append(failure)
      case .failure: hasFailed = true
      default: break
      }
      return true
    }
    return (values, skipped, hasFailed)
  }

  @Test("A failing expression of a source skips the value that the source was started for", arguments: cases)
  func skips(_ example: Case) throws {
    for source in Self.sources {
      let fields = example.fields.replacing("SOURCE", with: source)
      for fuses in [true, false] {
        for (operation, skipsErrors) in [
          (#"{"\#(example.name)": {\#(fields)}}"#, true),
          (#"{"\#(example.name)": {\#(fields)}, "onError": "skip"}"#, false),
        ] {
          let (values, skipped, hasFailed) = try run(operation, skipsErrors: skipsErrors, fuses: fuses)
          #expect(values == example.expected, "\(operation)")
          #expect(skipped.map(\.code) == ["S402"], "\(operation)")
          #expect(skipped.map(\.value) == [["n": 4, "d": 0]], "\(operation)")
          #expect(!hasFailed)
        }
        let (_, skipped, hasFailed) = try run(#"{"\#(example.name)": {\#(fields)}}"#, skipsErrors: false, fuses: fuses)
        #expect(hasFailed && skipped.isEmpty)
      }
    }
  }

  @Test("An operator of the stream may handle the failure before it is skipped")
  func handled() throws {
    for fuses in [true, false] {
      let (values, skipped, hasFailed) = try run(
        #"{"flatMap": {"stream": {"source": \#(Self.just), "operators": [{"replaceError": {"with": 0}}]}}, "onError": "skip"}"#,
        skipsErrors: false, fuses: fuses)
      #expect(values == [4, 0, 2])
      #expect(skipped.isEmpty && !hasFailed)
    }
  }
}
