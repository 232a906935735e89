import StreamCore
import StreamEngine
import StreamKit
import Testing

/// The types of the values that an input takes.
@Suite struct RecordInputTests {
  @Test("An input of records takes only values with the declared fields")
  func records() throws {
    let type: Value = ["x": "double", "n": "int", "any": "dyn"]
    let model: Value = ["inputs": ["a": ["type": type]], "source": ["input": ["name": "a"]]]
    let execution = Execution(try StreamModel(json: model).compile())
    let taken: [Value] = [["x": 0.5, "n": 1, "any": .null], ["any": [], "n": 1, "x": 0.5, "more": true]]
    let others: [Value] = [["x": 1, "n": 1, "any": 1], ["x": 0.5, "n": 1], .null, ["x": 0.5, "n": "1", "any": 2]]
    #expect(taken.map { execution.takes($0, on: 0) } == [true, true])
    #expect(others.map { execution.takes($0, on: 0) } == [false, false, false, false])
  }
}
