extension StreamGraph {
  /// The graph as a Mermaid flowchart, drawn top-down if it would be too wide for a page.
  public var mermaid: String {
    var lines = [runsDown ? "flowchart TB" : "flowchart LR"]
    for (number, node) in nodes.enumerated() {
      let text = Self.mermaidText(node)
      let shape =
        switch node.kind {
        case .input: "([\"\(text)\"])"
        case .source: "[/\"\(text)\"/]"
        case .operator: "[\"\(text)\"]"
        case .stream: "[[\"\(text)\"]]"
        case .output: "((\"\(text)\"))"
        }
      lines.append("  n\(number)\(shape)")
    }
    for edge in edges { lines.append("  n\(edge.from) \(edge.isInner ? "-.->" : "-->") n\(edge.to)") }
    return lines.joined(separator: "\n")
  }

  /// The graph in Graphviz's DOT language, drawn top-down if it would be too wide for a page.
  public var dot: String {
    var lines = [
      "digraph stream {", runsDown ? "  rankdir=TB;" : "  rankdir=LR;",
      #"  node [fontname="monospace", fontsize=11, shape=box, style=rounded];"#,
    ]
    for (number, node) in nodes.enumerated() {
      let shape =
        switch node.kind {
        case .input: "oval"
        case .source: "parallelogram"
        case .operator: "box"
        case .stream: "box3d"
        case .output: "doublecircle"
        }
      lines.append("  n\(number) [shape=\(shape), label=\"\(Self.dotText(node))\"];")
    }
    for edge in edges { lines.append("  n\(edge.from) -> n\(edge.to)\(edge.isInner ? " [style=dashed]" : "");") }
    return (lines + ["}"]).joined(separator: "\n")
  }

  private static func mermaidText(_ node: Node) -> String {
    let texts = [node.name, FieldText.shortened(node.detail)].filter { !$0.isEmpty }
    return texts.map { text in
      text.reduce(into: "") { result, character in
        switch character {
        case "\"": result += "#quot;"
        case "#": result += "#35;"
        case "<": result += "#lt;"
        case ">": result += "#gt;"
        case "&": result += "#amp;"
        case "`": result += "#96;"
        default: result.append(character)
        }
      }
    }.joined(separator: "<br/>")
  }

  private static func dotText(_ node: Node) -> String {
    let texts = [node.name, FieldText.shortened(node.detail)].filter { !$0.isEmpty }
    return texts.map { text in
      text.reduce(into: "") { result, character in
        if character == "\"" || character == "\\" { result.append("\\") }
        result.append(character)
      }
    }.joined(separator: #"\n"#)
  }
}
