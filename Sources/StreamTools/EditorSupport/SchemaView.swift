internal import StreamCore
internal import StreamKit

/// What the schema of stream files says about one place in them: every form that may stand there.
struct SchemaView {
  /// One of the forms, references followed.
  struct Form {
    let schema: ValueMap
    /// The name under which the schema defines it, as `stream` or `operator.map`.
    let name: String?
  }

  let forms: [Form]
  /// What the place is for.
  let description: String?

  /// What may stand in a whole file.
  static let file = SchemaView(SchemaParts.reference("stream"))

  private static let definitions = Dictionary(StreamSchema.definitions, uniquingKeysWith: { first, _ in first })
  /// The documentation of operators and sources, by the names of their schemas.
  static let specs: [String: OperatorSpec] = Dictionary(
    Source.table.map { ("source.\($0.spec.name)", $0.spec) }
      + Operator.table.map { ("operator.\($0.spec.name)", $0.spec) },
    uniquingKeysWith: { first, _ in first })

  init(_ schema: Value) {
    var forms: [Form] = []
    var description: String?
    Self.collect(schema, name: nil, into: &forms, &description)
    self.forms = forms
    self.description = description
  }

  private init() {
    forms = []
    description = nil
  }

  /// What may stand where nothing is known.
  static let anything = SchemaView()

  private static func collect(
    _ schema: Value, name: String?, into forms: inout [Form], _ description: inout String?
  ) {
    guard case .map(let map) = schema else { return }
    if description == nil { description = map["description"]?.text }
    if let reference = map["$ref"]?.text, let name = reference.split(separator: "/").last.map(String.init) {
      collect(definitions[name] ?? .null, name: name, into: &forms, &description)
    } else if case .list(let alternatives)? = map["anyOf"] {
      // What an alternative is for is not what the whole is for.
      for alternative in alternatives {
        var its = description
        collect(alternative, name: nil, into: &forms, &its)
      }
      if let name { forms.append(Form(schema: ValueMap(), name: name)) }
    } else {
      forms.append(Form(schema: map, name: name))
    }
  }

  /// Whether one of the forms is the one that the schema defines under this name.
  func isNamed(_ name: String) -> Bool { forms.contains { $0.name == name } }

  /// The documentation of the operator or source whose fields stand here.
  var spec: OperatorSpec? { forms.lazy.compactMap { $0.name.flatMap { Self.specs[$0] } }.first }

  /// The members that are known, in the order in which they are written.
  var members: [(name: String, schema: Value)] {
    var names: Set<String> = []
    var all: [(String, Value)] = []
    for form in forms {
      guard case .map(let properties)? = form.schema["properties"] else { continue }
      for case (.string(let name), let schema) in properties.pairs where names.insert(name).inserted {
        all.append((name, schema))
      }
    }
    return all
  }

  /// What may stand behind a key.
  func member(_ name: String) -> SchemaView {
    for form in forms {
      if let schema = form.schema["properties"]?.member(name) { return SchemaView(schema) }
      if !name.hasPrefix("x-"), case .map(let schema)? = form.schema["additionalProperties"] {
        return SchemaView(.map(schema))
      }
    }
    return .anything
  }

  /// What may be an element of a list.
  var element: SchemaView {
    forms.lazy.compactMap { $0.schema["items"] }.first.map(SchemaView.init) ?? .anything
  }

  /// The words and fixed values of which one may stand here.
  var words: [Value] {
    var words: [Value] = []
    for form in forms {
      if case .list(let all)? = form.schema["enum"] { words += all }
      if let word = form.schema["const"] { words.append(word) }
      if form.schema["type"] == "boolean" { words += [true, false] }
    }
    return words
  }

  /// Whether a form is of this type of JSON.
  func accepts(_ type: String) -> Bool { forms.contains { $0.schema["type"] == .string(type) } }

  /// What is used where nothing is written.
  var defaultValue: Value? { forms.lazy.compactMap { $0.schema["default"] }.first }

  /// What an expression may stand here, in words; nil where none may.
  var expressionTitle: String? {
    forms.lazy.compactMap { $0.schema["title"]?.text }.first { $0.hasPrefix(FieldKind.expressionTitle) }
  }

  /// What is expected, in words: of fields of operators their table says it better.
  var expectation: String? {
    if let title = expressionTitle { return title }
    if isNamed("streamReference") { return FieldKind.stream.expectation }
    if isNamed("valueType") { return FieldKind.type.expectation }
    if !words.isEmpty {
      return words.map { "`\(JSONWriter.compact($0))`" }.joined(separator: ", ")
    }
    for form in forms {
      switch form.schema["type"]?.text {
      case "string": return "a string"
      case "integer": return "an integer"
      case "number": return "a number"
      case "object": return "an object"
      case "array": return "an array"
      default: continue
      }
    }
    return nil
  }
}

extension TolerantSyntaxTree {
  /// What the schema says about a node.
  func view(of node: Int) -> SchemaView { views(to: node).last ?? .file }

  /// What the schema says about the nodes from the root to this one.
  func views(to node: Int) -> [SchemaView] {
    var views = [SchemaView.file]
    for step in path(to: node).dropFirst() {
      let outer = views[views.count - 1]
      views.append(nodes[step].key.map { outer.member($0.name) } ?? outer.element)
    }
    return views
  }
}
