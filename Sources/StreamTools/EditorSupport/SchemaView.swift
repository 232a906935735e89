internal import StreamCore
internal import StreamKit

/// The schema of stream files at one location: every form that a value may have there.
struct SchemaView {
  /// A form, with references resolved.
  struct Form {
    let schema: ValueMap
    /// The name under which the schema defines it, as `stream` or `operator.map`.
    let name: String?
  }

  private(set) var forms: [Form]
  /// The description of the location.
  let description: String?

  /// The schema of a whole file.
  static let file = SchemaView(SchemaParts.reference("stream"))

  private static let definitions = Dictionary(StreamSchema.definitions, uniquingKeysWith: { first, _ in first })
  /// The documentation of operators and sources, by the names of their schemas.
  static let specs: [String: OperatorSpec] = Dictionary(
    Source.table.map { ("source.\($0.spec.name)", $0.spec) }
      + Operator.table.map { ("operator.\($0.spec.name)", $0.spec) }
      + [("partition", StreamModel.Partition.spec), ("time", InputDeclaration.EventTime.spec)],
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

  /// The view of an unknown location.
  static let anything = SchemaView()

  private static func collect(
    _ schema: Value, name: String?, into forms: inout [Form], _ description: inout String?
  ) {
    guard case .map(let map) = schema else { return }
    if description == nil { description = map["description"]?.text }
    if let reference = map["$ref"]?.text, let name = reference.split(separator: "/").last.map(String.init) {
      collect(definitions[name] ?? .null, name: name, into: &forms, &description)
    } else if case .list(let alternatives)? = map["anyOf"] {
      // The description of an alternative does not describe the whole.
      for alternative in alternatives {
        var its = description
        collect(alternative, name: nil, into: &forms, &its)
      }
      let value = map["default"].map { ValueMap([(.string("default"), $0)]) }
      if name != nil || value != nil { forms.append(Form(schema: value ?? ValueMap(), name: name)) }
    } else {
      forms.append(Form(schema: map, name: name))
    }
  }

  /// Whether one of the forms is the definition with this name.
  func isNamed(_ name: String) -> Bool { forms.contains { $0.name == name } }

  /// Whether the location has the fields of an operator or a source, whose values can be parameters.
  var takesParameters: Bool {
    forms.contains { form in
      form.name.map { ($0.hasPrefix("operator.") || $0.hasPrefix("source.")) && Self.specs[$0] != nil } ?? false
    }
  }

  /// Whether the location has the fields of an `apply` or of a source that name a file.
  var namesFile: Bool { isNamed("source.stream") || isNamed("apply") }

  /// The view without the form that names a parameter.
  var withoutParameter: SchemaView {
    var copy = self
    copy.forms.removeAll { $0.name == "parameterReference" }
    return copy
  }

  /// The specification of the operator or source whose fields are at this location.
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

  /// Returns the view of a member.
  func member(_ name: String) -> SchemaView {
    for form in forms {
      if let schema = form.schema["properties"]?.member(name) { return SchemaView(schema) }
      if !name.hasPrefix("x-"), case .map(let schema)? = form.schema["additionalProperties"] {
        return SchemaView(.map(schema))
      }
    }
    return .anything
  }

  /// The view of the elements of an array.
  var element: SchemaView {
    forms.lazy.compactMap { $0.schema["items"] }.first.map(SchemaView.init) ?? .anything
  }

  /// The words and constants allowed here.
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

  /// The value used if the member is absent.
  var defaultValue: Value? { forms.lazy.compactMap { $0.schema["default"] }.first }

  /// A description of the expression allowed here; nil if none is allowed.
  var expressionTitle: String? {
    forms.lazy.compactMap { $0.schema["title"]?.text }.first { $0.hasPrefix(FieldSpec.Kind.expressionTitle) }
  }

  /// A description of the allowed values. The specification of an operator describes its fields more precisely.
  var expectation: String? {
    if let title = expressionTitle { return title }
    if isNamed("streamReference") { return FieldSpec.Kind.stream.expectation }
    if isNamed("valueType") { return FieldSpec.Kind.type.expectation }
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
  /// Returns the view of a node.
  func view(of node: Int) -> SchemaView { views(to: node).last ?? .file }

  /// Returns the views of the nodes from the root to this one.
  func views(to node: Int) -> [SchemaView] {
    var views = [SchemaView.file]
    for step in path(to: node).dropFirst() {
      let outer = views[views.count - 1]
      views.append(nodes[step].key.map { outer.member($0.name) } ?? outer.element)
    }
    return views
  }
}
