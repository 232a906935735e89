internal import CEL
internal import StreamCore
internal import StreamKit

extension EditorText {
  /// Returns a description of a declaration in Markdown.
  static func about(_ target: EditorTarget, in document: EditorDocument) -> String {
    let type = document.type(of: target).map { "`\($0)`" }
    let value = document.analysis.value(at: document.tree.pointer(to: target.node), in: document.tree)
    var parts = [title(target.kind, target.name, type)]
    switch target.kind {
    case .stream: parts += [value.member("name")?.text, value.member("description")?.text].compactMap(\.self)
    case .input:
      parts.append("Fed by the host.")
      if let initial = value.member("initialValue") { parts.append("Initial value \(code(initial)).") }
      if let time = value.member("time")?.member("expression")?.text {
        parts.append("The stream runs by its times: `\(FieldText.shortened(time))`.")
      }
    case .parameter: parts += about(ParameterDeclaration.read(value).0)
    case .definition: parts += about(OperatorDefinitionPart.read(value).0)
    case .type, .output: if let description = value.member("description")?.text { parts.append(description) }
    }
    return parts.joined(separator: "\n\n")
  }

  static func title(_ kind: EditorTarget.Kind, _ name: String, _ type: String?) -> String {
    let word = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
    return "**\(word) `\(name)`**" + (type.map { ": \($0)" } ?? "")
  }

  /// The description of a parameter and its default, a paragraph each.
  static func about(_ parameter: ParameterDeclaration) -> [String] {
    [parameter.description, parameter.defaultValue.map { "Default \(code($0))." } ?? "Without a default: required."]
      .compactMap(\.self)
  }

  private static func about(_ definition: OperatorDefinitionPart) -> [String] {
    var parts = [definition.description].compactMap(\.self)
    let parameters = definition.parameters.map { name, parameter in
      "- `\(name)`"
        + (parameter.type.map { ": `\(FieldText.shortened($0.json.text ?? JSONWriter.compact($0.json)))`" } ?? "")
        + (parameter.defaultValue.map { ", default \(code($0))" } ?? " (required)")
        + (parameter.description.map { ": \($0)" } ?? "")
    }
    if !parameters.isEmpty { parts.append(parameters.joined(separator: "\n")) }
    let names = definition.operators.map { "`\($0.operator.name)`" }
    if !names.isEmpty { parts.append("Applies \(names.joined(separator: " → ")).") }
    return parts
  }

  private static func code(_ value: Value) -> String { "`\(FieldText.shortened(JSONWriter.compact(value)))`" }
}

extension EditorAnalysis {
  /// Returns the value at a location.
  func value(at pointer: JSONPointer, in tree: TolerantSyntaxTree) -> Value {
    (document?.value ?? repaired)[pointer] ?? .null
  }
}
