internal import StreamCore

/// The arguments of operators and sources.
extension ShortFormReader {
  struct Arguments {
    /// The members among the fields, in the order of the specification.
    var fields: [(Value, Value)] = []
    /// The members beside the operator.
    var beside: [(Value, Value)] = []
  }

  /// Reads the arguments in parentheses, which may be missing.
  ///
  /// - Parameters:
  ///   - spec: The fields; nil for an operator of a host.
  ///   - pointer: The fields' place.
  ///   - step: The place of the operator, which has members beside its name; nil for a source.
  mutating func readArguments(
    of spec: OperatorSpec?, _ name: String, _ nameRange: Range<Int>, at pointer: JSONPointer,
    beside step: JSONPointer? = nil
  ) throws(Diagnostic) -> Arguments {
    var found: [String: Value] = [:]
    var order: [String] = []
    var arguments = Arguments()
    var positional = 0
    skipBlanksBeforeParenthesis()
    if take("(") {
      let open = position - 1
      skipBlanks()
      var isFirst = true
      var latest: Int?
      while !take(")") {
        if !isFirst {
          guard take(",") else {
            let problem = afterArgument(open, name, at: pointer)
            throw latest.map { helped(problem, forUnnamedAt: $0, of: spec) } ?? problem
          }
          skipBlanks()
        }
        isFirst = false
        latest = nil
        if let named = argumentName() {
          if found[named.name] != nil || arguments.beside.contains(where: { $0.0 == .string(named.name) }) {
            throw problem(
              .duplicateKey, "'\(named.name)' is given twice", at: named.range, pointer.appending(named.name),
              help: spec.map { "the arguments are \($0.shortSignature)" })
          }
          position = named.end
          skipBlanks()
          let field = spec?.parts.fields.first { $0.name == named.name }
          if field == nil, let step, PlacedOperator.besides.contains(named.name) {
            let place = step.appending(named.name)
            let value = try readValue(.string, at: place, key: named.range)
            arguments.beside.append((.string(named.name), value))
          } else {
            if let spec, field == nil { throw unknownField(named.name, named.range, of: spec, at: pointer) }
            let value = try readValue(
              field?.kind ?? .value, at: pointer.appending(named.name), key: named.range)
            found[named.name] = value
            order.append(named.name)
          }
        } else {
          let start = position
          latest = start
          do throws(Diagnostic) {
            try readPositional(spec, name, &positional, &found, open, at: pointer)
          } catch {
            var problem = error
            if problem.code == .syntax, problem.help == nil, let spec {
              problem.help = help(forUnnamedAt: start, of: spec)
            }
            throw helped(problem, forUnnamedAt: start, of: spec)
          }
        }
        skipBlanks()
      }
    } else if spec?.positionalFields.isEmpty == false {
      var copy = self
      copy.skipBlanks()
      let isEnd = copy.isAtEnd || ["|", ",", ")", "]"].contains(Unicode.Scalar(copy.byte()))
      if !isEnd {
        throw copy.unexpected(after: "'\(name)'", "expected '('", at: pointer)
      }
    }
    if let spec {
      order = spec.parts.names.filter { found[$0] != nil }
      if let missing = spec.positionalFields.first(where: { $0.isRequired && found[$0.name] == nil }) {
        throw problem(
          .missingField, "'\(name)' needs '\(missing.name)', \(missing.kind.shortExpectation)", at: nameRange, pointer,
          help: "write \(spec.shortSignature)")
      }
    }
    arguments.fields = order.compactMap { name in found[name].map { (.string(name), $0) } }
    return arguments
  }

  private mutating func skipBlanksBeforeParenthesis() {
    let start = position
    skipBlanks()
    if byte() != UInt8(ascii: "(") { position = start }
  }

  /// Reads an argument without a name.
  private mutating func readPositional(
    _ spec: OperatorSpec?, _ name: String, _ count: inout Int, _ found: inout [String: Value], _ open: Int,
    at pointer: JSONPointer
  ) throws(Diagnostic) {
    guard let spec else {
      throw unnamedArgument(of: name, at: pointer)
    }
    let fields = spec.positionalFields
    if spec.takesElements, let field = fields.first, count == 0 || found[field.name]?.isList == true {
      var elements: [Value] = []
      if case .list(let known)? = found[field.name] { elements = known.elements }
      let place = pointer.appending(field.name)
      if case .streams = field.kind { try requireNoBrackets(name, field.name, at: place) }
      if elements.isEmpty { places.add(place, open..<open + 1) }
      elements.append(try readElement(field.kind, at: place.appending(elements.count)))
      found[field.name] = .list(elements)
      count = 1
      return
    }
    guard let field = fields.dropFirst(count).first(where: { found[$0.name] == nil }) else {
      throw tooManyArguments(spec, at: pointer)
    }
    count += 1
    if let other = spec.alternative(to: field), !isAtLiteral {
      found[other.name] = try readValue(other.kind, at: pointer.appending(other.name))
    } else {
      found[field.name] = try readValue(field.kind, at: pointer.appending(field.name))
    }
  }

  /// Refuses streams in brackets, which would be the items of one stream.
  private func requireNoBrackets(_ name: String, _ field: String, at pointer: JSONPointer) throws(Diagnostic) {
    guard let list = try streamsInBrackets(at: pointer) else { return }
    let streams = list.text.split(separator: " ").joined(separator: " ")
    throw problem(
      .syntax, "the streams of '\(name)' have brackets only after the field's name", at: list.range, pointer,
      help: "write \(name)(\(streams)), or \(name)(\(field): [\(streams)])")
  }

  /// Whether a JSON value comes next that is the whole argument.
  var isAtLiteral: Bool {
    var copy = self
    guard (try? copy.readLiteral(.value, at: JSONPointer())) != nil else { return false }
    copy.skipBlanks()
    return copy.isAtEnd || copy.byte() == UInt8(ascii: ",") || copy.byte() == UInt8(ascii: ")")
  }
}

extension Value {
  fileprivate var isList: Bool { if case .list = self { true } else { false } }
}
