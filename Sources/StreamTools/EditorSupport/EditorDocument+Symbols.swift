internal import StreamKit

extension EditorDocument {
  /// The declarations, sources, operators and tests of the file, each with its parts.
  package var symbols: [EditorSymbol] { tree.nodes.isEmpty ? [] : symbols(ofStream: 0, depth: 0) }

  /// Streams within streams are shown so deep.
  private static let depthLimit = 20

  private func symbols(ofStream stream: Int, depth: Int) -> [EditorSymbol] {
    guard depth < Self.depthLimit else { return [] }
    var all: [EditorSymbol] = []
    for section in tree.nodes[stream].children {
      let children = tree.nodes[section].children
      switch tree.nodes[section].key?.name {
      case "inputs": all += children.compactMap { named($0, .input) }
      case "parameters": all += children.compactMap { named($0, .parameter) }
      case "types": all += children.compactMap { named($0, .type) }
      case "definitions": all += children.compactMap { named($0, .definition, symbols(ofStream: $0, depth: depth + 1)) }
      case "streams": all += children.compactMap { named($0, .stream, symbols(ofStream: $0, depth: depth + 1)) }
      case "outputs":
        all += children.compactMap { output in
          let stream = tree.member("stream", of: output)
          return named(output, .stream, stream.map { symbols(ofStream: $0, depth: depth + 1) } ?? [])
        }
      case "source":
        for child in children {
          if let key = tree.nodes[child].key, SchemaView.specs["source.\(key.name)"] != nil {
            all.append(symbol(key.name, .source, child, key.range, named(in: child)))
          }
        }
      case "operators": all += children.compactMap { placedOperator($0, depth: depth) }
      case "tests":
        for child in children {
          guard let name = tree.member("name", of: child) else { continue }
          all.append(symbol(tree.text(of: name) ?? "test", .test, child, tree.nodes[name].range))
        }
      default: break
      }
    }
    return all
  }

  private func named(_ node: Int, _ kind: EditorSymbol.Kind, _ children: [EditorSymbol] = []) -> EditorSymbol? {
    guard let key = tree.nodes[node].key else { return nil }
    return symbol(key.name, kind, node, key.range, "", children)
  }

  /// Returns an operator with its label or id, and the streams in its fields.
  private func placedOperator(_ node: Int, depth: Int) -> EditorSymbol? {
    let children = tree.nodes[node].children
    guard
      let child = children.first(where: { child in
        tree.nodes[child].key.map { !PlacedOperator.besides.contains($0.name) && !$0.name.hasPrefix("x-") } ?? false
      }), let key = tree.nodes[child].key
    else { return nil }
    let detail = (tree.member("label", of: node) ?? tree.member("id", of: node)).flatMap { tree.text(of: $0) }
    let fields = tree.nodes[child].children
    let inner = fields.flatMap { field -> [EditorSymbol] in
      let elements = tree.nodes[field].kind == .list ? tree.nodes[field].children : []
      // A symbol without parts does not need the schema.
      guard depth + 1 < Self.depthLimit, !tree.nodes[field].children.isEmpty else { return [] }
      let view = tree.view(of: field)
      if view.isNamed("operators") { return elements.compactMap { placedOperator($0, depth: depth + 1) } }
      let streams =
        view.isNamed("streamReference") ? [field] : view.element.isNamed("streamReference") ? elements : []
      return streams.filter { tree.nodes[$0].kind == .object }.flatMap { symbols(ofStream: $0, depth: depth + 1) }
    }
    return symbol(key.name, .operator, node, key.range, detail ?? named(in: child), inner)
  }

  /// Returns the name or the expression in the fields, which distinguishes the operator from others.
  private func named(in node: Int) -> String {
    for field in ["name", "expression", "path", "file", "definition"] {
      if let child = tree.member(field, of: node), let text = tree.text(of: child) { return FieldText.shortened(text) }
    }
    return ""
  }

  private func symbol(
    _ name: String, _ kind: EditorSymbol.Kind, _ node: Int, _ selection: Range<Int>, _ detail: String = "",
    _ children: [EditorSymbol] = []
  ) -> EditorSymbol {
    let whole = tree.nodes[node].whole
    return EditorSymbol(
      // An empty name is none to an editor.
      name: name.isEmpty ? "\"\"" : name, detail: detail, kind: kind,
      range: min(whole.lowerBound, selection.lowerBound)..<max(whole.upperBound, selection.upperBound),
      selection: selection, children: children)
  }
}
