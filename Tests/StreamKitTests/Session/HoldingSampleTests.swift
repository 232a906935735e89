import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// The values that operators hold, as estimated from a part of their inner streams.
@Suite struct HoldingSampleTests {
  private func session(_ operators: String, _ members: String = #""inputs": {"a": {}}"#) throws -> StreamSession {
    let version = try StreamVersion(try stream(fed(operators, members)).model, CompileOptions(host: .any))
    let session = StreamSession(version, origin: Timestamp(seconds: 0))
    session.start()
    return session
  }

  /// Sends a value, and returns what follows from it.
  private func send(_ value: Value, _ session: StreamSession, at number: Int) -> [String] {
    session.send(value, to: 0, at: StreamTime(seconds: Double(number) / 10))
    var found: [String] = []
    while let effect = session.next() {
      if case .event(let event) = effect { found.append("\(session.time): \(event)") }
    }
    return found
  }

  /// Groups by the remainder of a division, with these operators.
  private static func groups(_ count: Int, _ operators: String, _ members: String = "") -> String {
    #"{"groupBy": {"key": "value % \#(count)", \#(members) "operators": [\#(operators)]}}"#
  }

  private static let sum = #"{"scan": {"initialValue": 0, "expression": "acc + value"}}"#
  private static let pair = #"{"map": {"expression": "[key, value]"}}"#

  @Test("A part of the groups stands for all of them")
  func extrapolated() throws {
    let session = try session(Self.groups(5_000, "\(Self.sum), \(Self.pair)"))
    for number in 0..<5_000 { _ = send(.int(Int64(number)), session, at: 0) }
    let part = session.execution.sampledHoldings(streams: 100) { false }
    let whole = session.execution.sampledHoldings(streams: .max) { false }
    let none = session.execution.sampledHoldings(streams: .max) { true }
    #expect(whole.map(\.name).sorted() == ["groupBy", "input", "map", "scan"])
    for holding in whole {
      #expect(!holding.isEstimate, "\(holding)")
      for other in [part, none] {
        let same = try #require(other.first { $0.pointer == holding.pointer })
        #expect(same.streams == holding.streams, "\(holding) \(same)")
        #expect(abs(same.bytes - holding.bytes) <= holding.bytes / 5 + 100, "\(holding) \(same)")
        if ["groupBy", "map", "scan"].contains(same.name) { #expect(same.isEstimate, "\(same)") }
      }
    }
    #expect(whole.first { $0.name == "scan" }?.streams == 5_000)
  }

  @Test("A long state is measured in part")
  func longState() throws {
    let session = try session(#"{"collect": {}}"#)
    for number in 0..<20_000 { _ = send(.int(Int64(number)), session, at: 0) }
    let holding = try #require(session.execution.sampledHoldings(streams: 10) { false }.first { $0.name == "collect" })
    #expect(holding.isEstimate)
    #expect((19_000...21_000).contains(holding.values), "\(holding)")
  }

  @Test(
    "A stream continues as if it had not been asked",
    arguments: [
      groups(5_000, "\(sum), \(pair)"), groups(7, sum, #""idle": 1,"#), groups(7, #"{"count": {}}"#),
      groups(7, #"{"debounce": {"seconds": 0.5}}, \#(pair)"#),
      groups(
        7, #"{"collect": {"count": 3}}, {"flatMap": {"stream": {"source": {"just": {"expression": "outer"}}}}}"#),
      #"{"flatMap": {"stream": {"source": {"timer": {"every": 0.3}}, "operators": [{"prefix": {"count": 3}}]}}}"#,
      #"{"flatMap": {"strategy": "latest", "stream": {"source": {"range": {"from": 1, "through": 5}}}}}"#,
      #"{"buffer": {"capacity": 5}}, {"collect": {"count": 4, "startEvery": 2}}"#,
      #"{"removeDuplicates": {}}, {"combineLatest": {"with": [{"source": {"timer": {"every": 0.7}}}]}}"#,
    ])
  func unchanged(operators: String) throws {
    guard let asked = try? session(operators), let other = try? session(operators) else {
      Issue.record("\(operators) is no chain of operators")
      return
    }
    for number in 0..<200 {
      let value = Value.int(Int64(number * number % 23))
      let found = send(value, asked, at: number)
      #expect(found == send(value, other, at: number))
      _ = asked.execution.sampledHoldings(streams: number % 5) { number % 3 == 0 }
    }
  }
}
