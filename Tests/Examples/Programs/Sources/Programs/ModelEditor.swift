import StreamCore
import StreamEditing
import StreamKit

/// The editor of a model: operators to choose from, and edits that can be undone.
public struct ModelEditor {
  private var editor: StreamEditor

  public init(text: String) throws { editor = StreamEditor(try JSONDocument(reading: text, file: "rules.json")) }

  /// A name and a sentence for each operator of a family.
  public static func choices(in family: OperatorFamily) -> [(name: String, summary: String)] {
    Operator.table.filter { $0.family == family }.map { ($0.spec.name, $0.spec.summary) }
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
