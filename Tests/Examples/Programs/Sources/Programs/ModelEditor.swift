import StreamCore
import StreamEditing
import StreamKit

/// The editor of a model: operators to choose from, and edits that can be undone.
public struct ModelEditor {
  private var editor: StreamEditor

  public init(text: String) throws { editor = StreamEditor(try JSONDocument(reading: text, file: "rules.json")) }

  /// A name and a sentence for each operator whose name begins with a text.
  public static func choices(for text: String) -> [(name: String, summary: String)] {
    Operator.specs.filter { $0.name.hasPrefix(text) }.map { ($0.name, $0.summary) }
  }

  public var text: String { editor.text }
  public var canUndo: Bool { editor.canUndo }

  /// Appends an operator, and returns why it is refused.
  public mutating func append(_ placed: PlacedOperator) -> String? {
    perform(.addOperator(JSONFragment(placed.json)))
  }

  /// Sets a field, such as `/operators/0/debounce/seconds`, and returns why it is refused.
  public mutating func set(_ pointer: [String], to value: Value) -> String? {
    perform(.set(JSONPointer(pointer), JSONFragment(value)))
  }

  public mutating func undo() { editor.undo() }
  public mutating func redo() { editor.redo() }

  private mutating func perform(_ edit: StreamEdit) -> String? {
    do {
      try editor.apply(edit)
      return nil
    } catch {
      return error.description
    }
  }
}
