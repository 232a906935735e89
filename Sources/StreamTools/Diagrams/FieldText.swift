internal import StreamCore
internal import StreamKit

/// Summaries of operators' fields.
enum FieldText {
  /// Returns the fields on one line: expressions unchanged, others with their names, without streams.
  ///
  /// - Parameter references: The parameters whose values fields have, by field.
  static func line(_ fields: Value, _ spec: OperatorSpec?, _ references: [String: String] = [:]) -> String {
    parts(fields, spec, references).map { $0.isExpression ? $0.text : "\($0.name) \($0.text)" }.joined(separator: ", ")
  }

  /// A field that is set.
  struct Part {
    let name: String
    /// An expression, unchanged, or else JSON.
    let text: String
    let isExpression: Bool
  }

  /// The fields that are set, in the order of the catalog; streams and operators are not among them.
  static func parts(_ fields: Value, _ spec: OperatorSpec?, _ references: [String: String] = [:]) -> [Part] {
    guard case .map(let map) = fields else { return [] }
    func text(_ value: Value, _ field: String) -> String {
      guard let name = references[field] else { return shortened(JSONWriter.compact(value)) }
      // A parameter without a value is still written as a reference.
      return value.member("parameter")?.text == name ? name : "\(shortened(JSONWriter.compact(value))) (\(name))"
    }
    guard let spec else {
      return map.pairs.compactMap { key, value in
        key.text.map { Part(name: $0, text: text(value, $0), isExpression: false) }
      }
    }
    return spec.fields.compactMap { field in
      guard let value = map[field.name] else { return nil }
      switch (field.kind, value) {
      case (.expression, .string(let text)): return Part(name: field.name, text: text, isExpression: true)
      case (.stream, _), (.streams, _), (.operators, _), (.boolOrStream, .map): return nil
      default: return Part(name: field.name, text: text(value, field.name), isExpression: false)
      }
    }
  }

  /// Returns the text on one line, shortened to a number of characters.
  static func shortened(_ text: String, to limit: Int = 60) -> String {
    let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    return line.count <= limit ? line : line.prefix(max(limit - 1, 0)) + "…"
  }
}
