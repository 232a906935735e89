internal import StreamCore

extension StreamOutline {
  /// Returns the connections of streams, inputs and operators as lines of text: a block for each file, for each named
  /// stream, and for the main stream.
  ///
  /// - Parameter isASCII: Whether to draw lines with `|` and `+`.
  public func tree(isASCII: Bool = false) -> String {
    var writer = TreeWriter(strokes: isASCII ? .ascii : .lines)
    writer.write(self, title: "output")
    return writer.lines.joined(separator: "\n")
  }
}

/// Writes outlines as trees.
private struct TreeWriter {
  /// The characters for drawing trees.
  struct Strokes {
    let fork: String
    let last: String
    let down: String
    let arrow: String

    static let lines = Strokes(fork: "├─ ", last: "└─ ", down: "│  ", arrow: "╰▶ ")
    static let ascii = Strokes(fork: "|- ", last: "`- ", down: "|  ", arrow: "`> ")
  }

  let strokes: Strokes
  private(set) var lines: [String] = []

  /// A block for each input and stream that the outline declares, and for itself.
  mutating func write(_ outline: StreamOutline, title: String, _ indent: String = "") {
    for file in outline.files {
      separate(indent)
      write(file, title: "file \(file.name ?? "")")
    }
    if !outline.files.isEmpty { separate(indent) }
    for input in outline.inputs {
      let type = input.type == "dyn" ? "" : ": \(input.type)"
      let initial = input.initialValue.map { " = \(FieldText.shortened(JSONWriter.compact($0)))" } ?? ""
      lines.append("\(indent)input \(input.name)\(type)\(initial)")
    }
    for stream in outline.streams {
      separate(indent)
      write(stream, title: "stream \(stream.name ?? "")", indent)
    }
    for output in outline.outputs {
      separate(indent)
      write(output.stream, title: "output \(output.name)", indent)
    }
    guard outline.outputs.isEmpty else { return }
    if outline.name == nil || !outline.streams.isEmpty { separate(indent) }
    for step in outline.steps { write(step, indent) }
    lines.append("\(indent)\(strokes.arrow)\(title)")
  }

  /// An empty line between blocks.
  private mutating func separate(_ indent: String) {
    if indent.isEmpty, let last = lines.last, !last.isEmpty { lines.append("") }
  }

  private mutating func write(_ step: StreamOutline.Step, _ indent: String) {
    let name =
      switch step.kind {
      case .input: "input \(step.name)"
      case .reference: "stream \(step.name)"
      case .file: "file \(step.name)"
      case .fed: "fed by \(step.name)"
      case .source, .operator: step.name
      }
    let note = step.label.map { "  (\($0))" } ?? ""
    lines.append(
      "\(indent)\(strokes.fork)\(name)\(step.detail.isEmpty ? "" : "  \(FieldText.shortened(step.detail, to: 90))")\(note)"
    )
    for (index, branch) in step.branches.enumerated() {
      if case .outline(let outline) = branch.content, branch.relation == .applied {
        write(outline, title: outline.name ?? step.name, indent + strokes.down)
        continue
      }
      let isLast = index == step.branches.count - 1
      let stroke = isLast ? strokes.last : strokes.fork
      switch branch.content {
      case .name(let name):
        lines.append("\(indent)\(strokes.down)\(stroke)\(Self.words(branch)) \(name)")
      case .outline(let outline):
        lines.append("\(indent)\(strokes.down)\(stroke)\(Self.words(branch))")
        write(outline, title: step.name, indent + strokes.down + (isLast ? "   " : strokes.down))
      }
    }
  }

  private static func words(_ branch: StreamOutline.Branch) -> String {
    switch branch.relation {
    case .joined: "\(branch.field.split(separator: "/").first.map(String.init) ?? "with"):"
    case .started: "\(branch.field), started anew:"
    case .fed: "\(branch.field), fed anew:"
    case .part: "item \(branch.field):"
    case .applied: ""
    }
  }
}
