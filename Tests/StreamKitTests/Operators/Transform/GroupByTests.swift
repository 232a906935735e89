import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

@Suite struct GroupByTests {
  @Test(
    "The operators of a group take the elements, whose type is another than that of the values",
    arguments: [true, false])
  func elements(fuses: Bool) throws {
    let model = try StreamModel(
      parsing: #"""
        {"inputs": {"event": {"type": {"user": "string", "amount": "int"}}}, "source": {"input": {"name": "event"}},
         "operators": [{"groupBy": {"key": "value.user", "element": "value.amount", "operators": [
           {"scan": {"initialValue": 0, "expression": "acc + value"}}, {"map": {"expression": "[key, value]"}}]}}]}
        """#)
    var options = CompileOptions()
    options.fuses = fuses
    let execution = Execution(try model.compile(options))
    execution.request(.unlimited)
    var heard: [ExecutionEvent] = []
    for (user, amount) in [("a", 1), ("b", 10), ("a", 2), ("b", 20)] as [(Value, Value)] {
      if let event = execution.next(sending: ["user": user, "amount": amount], to: 0, at: .zero) {
        heard.append(event)
      }
      #expect(execution.next() == nil)
    }
    #expect(heard == [.value(["a", 1]), .value(["b", 10]), .value(["a", 3]), .value(["b", 30])])
  }

  @Test("More than a hundred thousand keys need no limit; the failure at a limit has help")
  func limit() throws {
    let many = #"""
      {"source": {"range": {"from": 0, "through": 100000}},
       "operators": [{"groupBy": {"key": "value", "operators": [{"count": {}}]}}, {"count": {}}]}
      """#
    #expect(try run(many) == ["100001@0", "|@0"])
    let few = many.replacing(#""key": "value","#, with: #""key": "value", "limit": 9,"#)
    let history = VirtualRun(Execution(try StreamModel(parsing: few).compile())).run()
    guard case .failure(let failure)? = history.completion else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.code == "S409")
    #expect(["'idle'", "evictOldest", "'limit'"].allSatisfy { failure.help?.contains($0) == true })
  }

  @Test("A name of the key hides no other variable, and is checked", arguments: [true, false])
  func names(fuses: Bool) throws {
    func outcome(_ name: String, _ inner: String) -> String {
      do throws(Diagnostics) {
        let model = try StreamModel(
          parsing: #"""
            {"source": {"range": {"from": 11, "through": 22}}, "operators": [{"groupBy": {"key": "value / 10", "as": "\#(name)",
              "operators": [{"groupBy": {"key": "value % 10", "operators": [
                {"flatMap": {"stream": {"source": {"just": {"expression": "\#(inner)"}}}}}]}}]}}, {"last": {}}]}
            """#)
        var options = CompileOptions()
        options.fuses = fuses
        return VirtualRun(Execution(try model.compile(options))).run().texts().joined()
      } catch {
        return error.all.map { "\($0.code.rawValue) \($0.pointer.description)" }.joined()
      }
    }
    let place = "/operators/0/groupBy"
    #expect(outcome("tens", "[tens, key, outer]") == "[2,2,22]@0|@0")
    #expect(outcome("tens", "[ten, key]").hasPrefix("S202 \(place)/operators/0/groupBy/operators/0/flatMap"))
    #expect(outcome("value", "key").hasSuffix(" \(place)/as"))
    #expect(outcome("2nd", "key").hasSuffix(" \(place)/as"))
  }
}
