internal import StreamCore
internal import StreamKit

/// Summaries of operators' fields.
enum FieldText {
  /// Returns the fields on one line: expressions unchanged, others with their names, without streams.
  static func line(_ fields: Value, _ spec: OperatorSpec?) -> String {
    parts(fields, spec).map { $0.isExpression ? $0.text : "\($0.name) \($0.text)" }.joined(separator: ", ")
  }

  /// A field that is set.
  struct Part {
    let name: String
    /// An expression, unchanged, or else JSON.
    let text: String
    let isExpression: Bool
  }

  /// The fields that are set, in the order of the catalog; streams and operators are not among them.
  static func parts(_ fields: Value, _ spec: OperatorSpec?) -> [Part] {
    guard case .map(let map) = fields else { return [] }
    guard let spec else {
      return map.pairs.compactMap { key, value in
        key.text.map { Part(name: $0, text: shortened(JSONWriter.compact(value)), isExpression: false) }
      }
    }
    return spec.fields.compactMap { field in
      guard let value = map[field.name] else { return nil }
      switch (field.kind, value) {
      case (.expression, .string(let text)): return Part(name: field.name, text: text, isExpression: true)
      case (.stream, _), (.streams, _), (.operators, _), (.boolOrStream, .map): return nil
      default: return Part(name: field.name, text: shortened(JSONWriter.compact(value)), isExpression: false)
      }
    }
  }

  /// Returns the text on one line, shortened to a number of characters.
  static func shortened(_ text: String, to limit: Int = 60) -> String {
    let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    return line.count <= limit ? line : line.prefix(max(limit - 1, 0)) + "…"
  }
}
