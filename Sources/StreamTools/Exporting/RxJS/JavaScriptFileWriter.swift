internal import StreamKit

/// Writes the ES module of an export.
struct JavaScriptFileWriter {
  let walk: ExportWalk
  let model: StreamModel
  /// The main stream.
  let main: Fragment

  var text: String {
    var imports = walk.script.imports
    imports.formUnion(walk.inputs.map { $0.initialValue == nil ? "Subject" : "BehaviorSubject" })
    var parts: [String] = []
    if !imports.isEmpty { parts.append("import { \(imports.sorted().joined(separator: ", ")) } from 'rxjs';") }
    if !walk.inputs.isEmpty { parts.append(inputs) }
    parts.append(function)
    parts += JavaScriptHelper.allCases.filter(walk.script.helpers.contains).map(\.code)
    return parts.joined(separator: "\n\n") + "\n"
  }

  private var inputs: String {
    let members = walk.inputs.map { input in
      let initial = input.initialValue.flatMap { try? JavaScriptTranslator.literal($0).code }
      let note = input.code == input.name ? "" : "  /** The input `\(Self.comment(input.name))`. */\n"
      return "\(note)  \(input.code): \(initial.map { "new BehaviorSubject(\($0))" } ?? "new Subject()"),\n"
    }
    return "/** Creates the inputs of the stream. */\nexport const makeInputs = () => ({\n\(members.joined())});"
  }

  private var function: String {
    let name = SwiftName.variable(model.name ?? "stream")
    let needed = walk.inputs.map(\.code) + walk.functions.map(\.code) + (walk.usesTime ? ["scheduler"] : [])
    let parameters = needed.isEmpty ? "" : "{ \(needed.joined(separator: ", ")) }"
    let isOptional = needed == ["scheduler"]
    let streams = walk.properties.map { property in
      let documentation = property.documentation.map { "/** \(Self.comment($0)) */\n" } ?? ""
      return "\(documentation)const \(property.name) = \(property.fragment.javaScript);\n"
    }
    let body = streams.joined() + "return \(main.javaScript);"
    return "\(documentation)export function \(name)(\(parameters)\(isOptional ? " = {}" : "")) {\n\(body.indented)\n}"
  }

  /// The documentation of the stream and of the host functions it uses.
  private var documentation: String {
    let summary = (model.description ?? model.name).map { [Self.comment($0)] } ?? []
    let functions = walk.functions.map { "`\($0.code)` is the host's `\(Self.comment($0.name))`." }
    guard !functions.isEmpty else { return summary.map { "/** \($0) */\n" }.joined() }
    let lines = summary + (summary.isEmpty ? [] : [""]) + functions
    return "/**\n" + lines.map { $0.isEmpty ? " *\n" : " * \($0)\n" }.joined() + " */\n"
  }

  private static func comment(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ").split(separator: "*/").joined(separator: "* /")
  }
}
