internal import CEL
internal import StreamCore

/// Writes the JSON of a model in the short form.
struct ShortFormWriter {
  /// The inputs that the stream reads.
  private var inputs: Set<String> = []
  private var levels = 0

  /// Returns the error for a part without a short form.
  static func refusal(
    _ part: String, at pointer: JSONPointer, _ range: Diagnostic.Part = .key, help: String? = nil
  ) -> Diagnostic {
    Diagnostic(.invalidArgument, "\(part) has no short form", at: pointer, part: range, help: help)
  }

  /// Returns the text of a whole model.
  mutating func text(of model: Value) throws(Diagnostic) -> String {
    let text = try stream(model, at: JSONPointer(), isInner: false)
    guard case .map(let declared)? = model.member("inputs") else { return text }
    for (key, input) in declared.pairs {
      let name = key.text ?? ""
      let pointer = JSONPointer(["inputs", name])
      if case .map(let members) = input, let member = members.keys.first?.text {
        throw Self.refusal("'\(member)' of an input", at: pointer.appending(member))
      }
      if !inputs.contains(name) { throw Self.refusal("an input that nothing reads", at: pointer) }
    }
    return text
  }

  // MARK: Streams

  private mutating func stream(
    _ model: Value, at pointer: JSONPointer, isInner: Bool
  ) throws(Diagnostic) -> String {
    guard case .map(let members) = model else { throw Self.refusal("the stream", at: pointer, .value) }
    levels += 1
    defer { levels -= 1 }
    if levels > ShortForm.levelLimit { throw Self.refusal("a stream at this depth", at: pointer) }
    for key in members.keys {
      let name = key.text ?? ""
      let isKnown = ["source", "stream", "operators"].contains(name)
      if !isKnown, isInner || (name != "inputs" && name != StreamModel.Partition.spec.name) {
        throw Self.refusal("'\(name)'", at: pointer.appending(name))
      }
    }
    var steps: [String] = []
    let partition = members[StreamModel.Partition.spec.name]
    var operators: [String] = []
    if let list = members["operators"] {
      operators = try self.operators(list, at: pointer.appending("operators"))
    }
    let source = try source(members, at: pointer)
    let isImplied = source == "input(\(ShortForm.inputName))" && !isInner && (partition != nil || !operators.isEmpty)
    if !isImplied { steps.append(source) }
    if let partition {
      let spec = StreamModel.Partition.spec
      let place = pointer.appending(spec.name)
      guard case .map(let fields) = partition else { throw Self.refusal("'\(spec.name)'", at: place) }
      steps.append("\(spec.name)(\(try arguments(fields, of: spec, at: place).joined(separator: ", ")))")
    }
    return (steps + operators).joined(separator: " | ")
  }

  private mutating func source(_ members: ValueMap, at pointer: JSONPointer) throws(Diagnostic) -> String {
    if case .list(let items)? = members["stream"] {
      var texts: [String] = []
      for (index, item) in items.enumerated() {
        texts.append(try self.item(item, at: pointer.appending("stream").appending(index)))
      }
      return "[\(texts.joined(separator: ", "))]"
    }
    let place = pointer.appending("source")
    guard case .map(let object)? = members["source"] else { throw Self.refusal("the stream", at: pointer, .value) }
    if let member = object.keys.first(where: { Source.spec(named: $0.text ?? "") == nil })?.text {
      throw Self.refusal("'\(member)'", at: place.appending(member))
    }
    guard object.count == 1, let name = object.keys.first?.text, let spec = Source.spec(named: name),
      case .map(let fields)? = object[name]
    else { throw Self.refusal("the source", at: place, .value) }
    if name == Source.Input.spec.name, let input = fields["name"]?.text { inputs.insert(input) }
    return "\(name)(\(try arguments(fields, of: spec, at: place.appending(name)).joined(separator: ", ")))"
  }

  private mutating func item(_ item: Value, at pointer: JSONPointer) throws(Diagnostic) -> String {
    guard case .map(let members) = item, let value = members["value"] else {
      throw Self.refusal("the item", at: pointer, .value)
    }
    if let member = members.keys.first(where: { !StreamItem.keys.contains($0.text ?? "") })?.text {
      throw Self.refusal("'\(member)'", at: pointer.appending(member))
    }
    guard let list = members["operators"] else { return Self.json(value) }
    let operators = try self.operators(list, at: pointer.appending("operators"))
    return ([Self.json(value)] + operators).joined(separator: " | ")
  }

  private mutating func operators(_ list: Value, at pointer: JSONPointer) throws(Diagnostic) -> [String] {
    guard case .list(let elements) = list else { throw Self.refusal("'operators'", at: pointer) }
    levels += 1
    defer { levels -= 1 }
    if levels > ShortForm.levelLimit { throw Self.refusal("an operator at this depth", at: pointer) }
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      texts.append(try self.operator(element, at: pointer.appending(index)))
    }
    return texts
  }

  private mutating func `operator`(_ placed: Value, at pointer: JSONPointer) throws(Diagnostic) -> String {
    guard case .map(let members) = placed else { throw Self.refusal("the operator", at: pointer, .value) }
    let names = members.keys.compactMap(\.text)
    guard let name = names.first(where: { Operator.entry(named: $0) != nil || Operator.Custom.isName($0) }),
      case .map(let fields)? = members[name]
    else { throw Self.refusal("the operator", at: pointer, .value) }
    let place = pointer.appending(name)
    let spec = Operator.entry(named: name)?.spec
    if spec == nil, !name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ $0.isStepName }) {
      throw Self.refusal("the operator '\(name)'", at: place)
    }
    var texts = try arguments(fields, of: spec, at: place)
    for (key, value) in members.pairs where key.text != name {
      let member = key.text ?? ""
      let isTaken = spec?.parts.names.contains(member) ?? (fields[member] != nil)
      guard PlacedOperator.besides.contains(member), !isTaken else {
        throw Self.refusal("'\(member)' beside an operator", at: pointer.appending(member))
      }
      texts.append("\(member): \(Self.word(value))")
    }
    return "\(name)(\(texts.joined(separator: ", ")))"
  }

  // MARK: Fields

  private mutating func arguments(
    _ fields: ValueMap, of spec: OperatorSpec?, at pointer: JSONPointer
  ) throws(Diagnostic) -> [String] {
    guard let spec else {
      return try fields.pairs.map { key, value throws(Diagnostic) in
        let name = key.text ?? ""
        if PlacedOperator.besides.contains(name) {
          throw Self.refusal("a field '\(name)'", at: pointer.appending(name))
        }
        return "\(ShortForm.isWord(name) ? name : Self.json(key)): \(Self.json(value))"
      }
    }
    for key in fields.keys where !spec.parts.names.contains(key.text ?? "") {
      throw Self.refusal("'\(key.text ?? "")'", at: pointer.appending(key.text ?? ""))
    }
    var texts: [String] = []
    var written: Set<String> = []
    for field in spec.positionalFields {
      let other = spec.alternative(to: field)
      if let value = fields[field.name] {
        let place = pointer.appending(field.name)
        if spec.takesElements {
          guard case .list(let elements) = value, !elements.isEmpty else { break }
          for (index, element) in elements.enumerated() {
            texts.append(try self.element(element, field.kind, at: place.appending(index)))
          }
        } else {
          texts.append(try self.value(value, field.kind, at: place))
        }
        written.insert(field.name)
      } else if let other, let text = fields[other.name]?.text,
        !ShortFormReader(SourceText(file: ShortForm.file, text: text)).isAtLiteral
      {
        texts.append(try expression(text, at: pointer.appending(other.name)))
        written.insert(other.name)
      } else {
        break
      }
    }
    for field in spec.parts.fields where !written.contains(field.name) {
      guard let value = fields[field.name] else { continue }
      texts.append("\(field.name): \(try self.value(value, field.kind, at: pointer.appending(field.name)))")
    }
    return texts
  }

  private mutating func value(
    _ value: Value, _ kind: FieldSpec.Kind, at pointer: JSONPointer
  ) throws(Diagnostic) -> String {
    switch (kind, value) {
    case (.expression, .string(let text)): return try expression(text, at: pointer)
    case (.expression, _): throw Self.refusal("this value", at: pointer, .value)
    case (.stream, _), (.boolOrStream, .string), (.boolOrStream, .map): return try reference(value, at: pointer)
    case (.streams, .list(let elements)), (.names, .list(let elements)):
      var texts: [String] = []
      for (index, element) in elements.enumerated() {
        texts.append(try self.element(element, kind, at: pointer.appending(index)))
      }
      return "[\(texts.joined(separator: ", "))]"
    case (.operators, .list):
      return "(\(try operators(value, at: pointer).joined(separator: " | ")))"
    case (.string, .string), (.choice, .string), (.type, .string): return Self.word(value)
    default: return Self.json(value)
    }
  }

  private mutating func element(
    _ element: Value, _ kind: FieldSpec.Kind, at pointer: JSONPointer
  ) throws(Diagnostic) -> String {
    if case .streams = kind { return try reference(element, at: pointer) }
    return Self.word(element)
  }

  private mutating func reference(_ value: Value, at pointer: JSONPointer) throws(Diagnostic) -> String {
    if case .string(let name) = value {
      inputs.insert(name)
      return Self.word(value)
    }
    return "(\(try stream(value, at: pointer, isInner: true)))"
  }

  private func expression(_ text: String, at pointer: JSONPointer) throws(Diagnostic) -> String {
    let bytes = Array(text.utf8)
    guard let range = try? ExpressionExtent.range(in: bytes, from: 0), range == 0..<bytes.count, !bytes.isEmpty else {
      throw Self.refusal(
        "this expression", at: pointer, .value,
        help: "a short form has no comment and no white space around an expression, and no errors in it")
    }
    return text
  }

  /// A string without quotation marks, if it is a word; any other value as JSON.
  private static func word(_ value: Value) -> String {
    if case .string(let text) = value, ShortForm.isWord(text) { text } else { json(value) }
  }

  /// The value as JSON on one line, with a space after each comma and colon.
  private static func json(_ value: Value) -> String {
    var result: [UInt8] = []
    var isInString = false
    var isEscaped = false
    for byte in JSONWriter.compact(value).utf8 {
      result.append(byte)
      if isEscaped {
        isEscaped = false
      } else if isInString {
        isEscaped = byte == UInt8(ascii: "\\")
        if byte == UInt8(ascii: "\"") { isInString = false }
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") {
        result.append(0x20)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension Substring {
  /// Whether the part of a name can be read as one.
  fileprivate var isStepName: Bool {
    guard let first = utf8.first, first.isLetterOrUnderscore else { return false }
    return utf8.allSatisfy { $0.isLetterOrUnderscore || $0.isDecimalDigit }
  }
}
