import StreamCore
import StreamEngine
import StreamKit
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
}
