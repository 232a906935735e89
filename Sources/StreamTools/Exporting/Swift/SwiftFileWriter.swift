internal import StreamCore
internal import StreamKit

/// Writes the Swift file of an export.
struct SwiftFileWriter {
  let walk: ExportWalk
  let model: StreamModel
  /// The main stream.
  let main: Fragment

  var text: String {
    let members = [stored, computed].filter { !$0.isEmpty }.joined(separator: "\n\n")
    let parts = [imports, "\(documentation)struct \(name)\(generics) {\n\(members.indented)\n}"]
    return (parts + walk.swift.declarations).joined(separator: "\n\n") + "\n"
  }

  private var name: String {
    let name = SwiftName.type(model.name ?? "Stream")
    let isTaken = SwiftName.takenTypes.contains(name) || walk.swift.records.all.contains { $0.name == name }
    return isTaken ? name + "Stream" : name
  }

  private var generics: String { walk.usesTime ? "<Clock: Scheduler>" : "" }

  private var documentation: String {
    let lines = [model.description ?? model.name].compactMap { $0 }
    return lines.map { "/// \(Self.oneLine($0))\n" }.joined()
  }

  private var imports: String {
    let foundation = walk.swift.helpers.contains(where: \.importsFoundation) ? "import Foundation\n\n" : ""
    return foundation + "#if canImport(Combine)\n  import Combine\n#else\n  import OpenCombine\n#endif"
  }

  /// Inputs, functions of the host, the scheduler.
  private var stored: String {
    var lines: [String] = []
    if walk.usesTime {
      lines.append("/// The scheduler for time, such as `DispatchQueue.main`.\nlet scheduler: Clock")
    }
    for function in walk.functions {
      let result = function.isHook ? "Void" : "AnyPublisher<JSON, any Error>"
      lines.append("/// The host's `\(function.name)`.\nlet \(function.code): (\(function.argument.text)) -> \(result)")
    }
    for input in walk.inputs {
      if input.code != input.name { lines.append("/// The input `\(input.name)`.") }
      guard let initial = input.initialValue,
        let literal = try? ExportStep(
          walk: walk, scope: ExportScope(model, file: nil, outer: nil, pointer: JSONPointer()), pointer: JSONPointer(),
          hint: "Input"
        ).swiftLiteral(initial, as: input.type)
      else {
        lines.append("let \(input.code) = PassthroughSubject<\(input.type.text), any Error>()")
        continue
      }
      lines.append("let \(input.code) = CurrentValueSubject<\(input.type.text), any Error>(\(literal.code))")
    }
    return lines.joined(separator: "\n")
  }

  private var computed: String {
    let main = property("var stream", self.main, documentation: nil)
    let others = walk.properties.reversed().map {
      property("private var \($0.name)", $0.fragment, documentation: $0.documentation)
    }
    return ([main] + others).joined(separator: "\n\n")
  }

  private func property(_ declaration: String, _ fragment: Fragment, documentation: String?) -> String {
    let body = fragment.swift + (fragment.steps.isEmpty ? "." : "\n  .") + "eraseToAnyPublisher()"
    let text = documentation.map { "/// \(Self.oneLine($0))\n" } ?? ""
    return "\(text)\(declaration): AnyPublisher<\(fragment.type.text), any Error> {\n\(body.indented)\n}"
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
