import StreamCore
import StreamEngine
import StreamKit
import Testing

/// Expressions that operators contain themselves, beside those of the file.
@Suite struct BuiltInExpressionTests {
  // Seed 180124 of the harness: `output` overwrote `windowIndex`, so one group became two.
  @Test(
    "The expressions of operators leave the variables of inner streams unchanged",
    arguments: [
      (#"{"output": {"from": 1}}"#, "[2, 3][5, 6]"),
      (#"{"enumerated": {}}, {"map": {"expression": "value.value"}}"#, "[1, 2, 3][4, 5, 6]"),
      (#"{"withPrevious": {}}, {"map": {"expression": "value[1]"}}"#, "[1, 2, 3][4, 5, 6]"),
      (#"{"findIndex": {"expression": "value > 1"}}"#, "[1][0][-1]"),
    ], [true, false])
  func keepsVariables(_ example: (operators: String, output: String), fuses: Bool) throws {
    let model = try StreamModel(
      parsing: """
        {"source": {"sequence": {"values": [1, 2, 3, 4, 5, 6]}},
         "operators": [{"window": {"count": 3, "operators": [
           \(example.operators),
           {"groupBy": {"key": "windowIndex", "operators": [{"collect": {}}]}}]}}]}
        """)
    var options = CompileOptions()
    options.fuses = fuses
    let execution = Execution(try model.compile(options))
    execution.request(.unlimited)
    var output = ""
    while let event = execution.next() {
      if case .value(let value) = event { output += JSONWriter.compact(value).replacing(",", with: ", ") }
    }
    #expect(output == example.output)
  }
}
