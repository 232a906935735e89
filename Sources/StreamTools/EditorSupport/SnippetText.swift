internal import StreamCore
internal import StreamKit

/// Text with places for the cursor, as editors take it: `$1`, `${2:word}`, `${3|one,another|}`.
enum SnippetText {
  /// Returns the JSON of a snippet body in a schema: a string that begins with `^` is written without quotation marks.
  static func json(_ body: Value) -> String {
    switch body {
    case .map(let map):
      guard !map.isEmpty else { return "{}" }
      let members = map.pairs.map { key, value in "\(JSONWriter.compact(key)): \(json(value))" }
      return "{ \(members.joined(separator: ", ")) }"
    case .list(let elements): return "[\(elements.map(json).joined(separator: ", "))]"
    case .string(let text) where text.hasPrefix("^"): return String(text.dropFirst())
    case .string(let text): return "\"\(text)\""
    default: return escaped(JSONWriter.compact(body))
    }
  }

  /// The text without places for the cursor.
  static func plain(_ snippet: String) -> String {
    var result = ""
    var rest = snippet[...]
    while let sign = rest.first {
      rest = rest.dropFirst()
      if sign == "\\", let next = rest.first {
        result.append(next)
        rest = rest.dropFirst()
      } else if sign == "$", let next = rest.first, next == "{" || next.isNumber {
        guard next == "{" else {
          rest = rest.drop(while: \.isNumber)
          continue
        }
        let body = rest.dropFirst().prefix { $0 != "}" }
        rest = rest.dropFirst(body.count + 2)
        let words = body.drop(while: \.isNumber)
        if words.first == "|" {
          result += words.dropFirst().prefix { $0 != "," && $0 != "|" }
        } else {
          result += words.dropFirst()
        }
      } else {
        result.append(sign)
      }
    }
    return result
  }

  /// A name as JSON.
  static func quoted(_ name: String) -> String { JSONWriter.compact(.string(name)) }

  /// A text that has no places for the cursor.
  static func escaped(_ text: String) -> String {
    String(text.flatMap { "\\$}".contains($0) ? ["\\", $0] : [$0] })
  }
}

extension EditorCompletion {
  /// The inserted text, without cursor stops.
  package var plainText: String { SnippetText.plain(edit.text) }
}

extension SchemaView {
  /// Returns the initial value for a key.
  func snippet(stop: Int = 1) -> String {
    if let spec { return SnippetText.json(spec.snippet) }
    if isNamed("valueType") { return SnippetText.json(FieldSpec.Kind.type.snippet(stop: stop)) }
    if let body { return SnippetText.json(body) }
    let choices = words
    if choices.count == 1, let only = choices.first { return SnippetText.escaped(JSONWriter.compact(only)) }
    if !choices.isEmpty, !accepts("object") {
      return "${\(stop)|\(choices.map(JSONWriter.compact).joined(separator: ","))|}"
    }
    if let value = defaultValue { return "${\(stop):\(SnippetText.escaped(JSONWriter.compact(value)))}" }
    if accepts("array") {
      let element = element
      if let body = element.body { return "[\(SnippetText.json(body))]" }
      return element.isNamed("operator") ? "[{ $\(stop) }]" : "[$\(stop)]"
    }
    if accepts("object") { return required ?? "{ $\(stop) }" }
    return accepts("string") ? "\"$\(stop)\"" : "$\(stop)"
  }

  /// The body of the schema's own snippet.
  private var body: Value? {
    for form in forms {
      if case .list(let snippets)? = form.schema["defaultSnippets"], let body = snippets.first?.member("body") {
        return body
      }
    }
    return nil
  }

  /// An object of the members that it cannot do without, if there are any.
  private var required: String? {
    for form in forms {
      guard case .list(let names)? = form.schema["required"], !names.isEmpty else { continue }
      let members = names.enumerated().map { number, name in
        "\(JSONWriter.compact(name)): \(member(name.text ?? "").snippet(stop: number + 1))"
      }
      return "{ \(members.joined(separator: ", ")) }"
    }
    return nil
  }
}
