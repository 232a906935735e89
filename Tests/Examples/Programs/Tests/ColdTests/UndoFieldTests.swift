import Testing

@testable import Cold

@Suite("Undo field", .timeLimit(.minutes(1)))
struct UndoFieldTests {
  @Test("Undo and redo move through the history, and typing drops the future")
  func history() throws {
    let field = try UndoField()
    for text in ["a", "ab", "ab", "abc"] { field.type(text) }
    #expect(field.state == UndoField.State(text: "abc", past: ["", "a", "ab"], future: []))
    field.undo()
    field.undo()
    #expect(field.state.text == "a")
    field.redo()
    #expect(field.state == UndoField.State(text: "ab", past: ["", "a"], future: ["abc"]))
    field.type("x")
    field.redo()
    #expect(field.state == UndoField.State(text: "x", past: ["", "a", "ab"], future: []))
  }

  @Test("Undo without a history changes nothing")
  func emptyHistory() throws {
    let field = try UndoField()
    field.undo()
    field.redo()
    #expect(field.state == UndoField.State())
  }
}
