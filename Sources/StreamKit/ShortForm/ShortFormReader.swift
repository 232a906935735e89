internal import StreamCore

/// Reads the short form of a stream as the JSON that it is short for.
struct ShortFormReader {
  let source: SourceText
  let bytes: [UInt8]
  var position = 0
  var places = ShortFormPlaces()
  /// The names of inputs, with the place of the first mention of each.
  private var inputs: [(name: String, range: Range<Int>)] = []
  private var levels = 0
  /// The values that become parameters if the text names them.
  var parameters: [(name: String, value: Value)] = []

  init(_ source: SourceText) {
    self.source = source
    bytes = source.bytes
  }

  /// Reads the whole text.
  mutating func readAll() throws(Diagnostic) -> Value {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Diagnostic(.invalidUTF8, "the one-liner is not UTF-8", location: source.location(of: 0..<0))
    }
    skipBlanks()
    if isAtEnd {
      throw problem(
        .emptyText, "the one-liner is empty", at: bytes.count..<bytes.count,
        help: "write operators, such as 'filter(value > 1) | count()'")
    }
    places.add(JSONPointer(), 0..<bytes.count)
    var members = try readStream(at: JSONPointer(), isInner: false)
    skipBlanks()
    if !isAtEnd { throw unexpected(after: "an operator", "expected '|' or the end", at: JSONPointer()) }
    if !inputs.isEmpty {
      for input in inputs {
        places.add(JSONPointer(["inputs", input.name]), input.range, key: input.range)
      }
      let declared = inputs.map { (Value.string($0.name), Value.map(ValueMap())) }
      members.insert((.string("inputs"), .map(ValueMap(declared))), at: 0)
    }
    let declared = declaredParameters
    if !declared.isEmpty { members.insert((.string("parameters"), .map(ValueMap(declared))), at: 0) }
    return .map(ValueMap(members))
  }

  /// The declarations of the parameters that the text names, which are not inputs.
  private var declaredParameters: [(Value, Value)] {
    let words = text(0..<bytes.count).words
    return parameters.filter { parameter in
      !ParameterDeclaration.isReserved(parameter.name) && words.contains(parameter.name)
        && !inputs.contains { $0.name == parameter.name }
    }.map { parameter in
      let type: Value? =
        switch parameter.value {
        case .int: "int"
        case .double: "double"
        case .bool: "bool"
        case .string: "string"
        default: nil
        }
      let members = [("type", type), ("default", parameter.value)].compactMap { name, value in
        value.map { (Value.string(name), $0) }
      }
      return (.string(parameter.name), .map(ValueMap(members)))
    }
  }

  /// Notes that the stream reads an input.
  mutating func noteInput(_ name: String, _ range: Range<Int>) {
    if !inputs.contains(where: { $0.name == name }) { inputs.append((name, range)) }
  }

  /// Does the work one level deeper.
  private mutating func nested<Result>(
    _ work: (inout ShortFormReader) throws(Diagnostic) -> Result
  ) throws(Diagnostic) -> Result {
    levels += 1
    defer { levels -= 1 }
    if levels > ShortForm.levelLimit {
      throw problem(
        .tooDeep, "the one-liner has more than \(ShortForm.levelLimit) levels of streams", at: position..<position + 1,
        help: "write a stream file, and refer to it: stream(file: \"other.json\")")
    }
    return try work(&self)
  }

  // MARK: Streams

  /// Reads a source, if there is one, and the operators after it.
  mutating func readStream(
    at pointer: JSONPointer, isInner: Bool
  ) throws(Diagnostic) -> [(Value, Value)] {
    try nested { reader throws(Diagnostic) in try reader.readStreamMembers(at: pointer, isInner: isInner) }
  }

  private mutating func readStreamMembers(
    at pointer: JSONPointer, isInner: Bool
  ) throws(Diagnostic) -> [(Value, Value)] {
    skipBlanks()
    var members: [(Value, Value)] = []
    if byte() == UInt8(ascii: "[") {
      members.append((.string("stream"), try readItems(at: pointer.appending("stream"))))
    } else {
      let start = position
      let name = try readStepName(what: isInner ? "a source" : "an operator or a source", at: pointer)
      if let spec = Source.spec(named: name.text) {
        members.append((.string("source"), try readSource(spec, name.range, at: pointer.appending("source"))))
      } else {
        if isInner { throw noSource(name.text, name.range, at: pointer) }
        position = start
        let place = pointer.appending("source")
        places.add(place, name.range, key: name.range)
        noteInput(ShortForm.inputName, name.range)
        members.append((.string("source"), ["input": ["name": .string(ShortForm.inputName)]]))
        return try members + readOperators(at: pointer, mayDivide: !isInner)
      }
    }
    skipBlanks()
    guard takeSeparator() else { return members }
    return try members + readOperators(at: pointer, mayDivide: !isInner)
  }

  /// Reads `partition`, if it may come first, and operators.
  private mutating func readOperators(
    at pointer: JSONPointer, mayDivide: Bool
  ) throws(Diagnostic) -> [(Value, Value)] {
    var members: [(Value, Value)] = []
    skipBlanks()
    let start = position
    let spec = StreamModel.Partition.spec
    if mayDivide, let name = readName(), name == spec.name {
      let place = pointer.appending(spec.name)
      let fields = try readArguments(of: spec, spec.name, start..<position, at: place).fields
      places.add(place, start..<position, key: start..<start + spec.name.utf8.count)
      members.append((.string(spec.name), .map(ValueMap(fields))))
      skipBlanks()
      guard takeSeparator() else { return members }
    } else {
      position = start
    }
    let operators = try readList(at: pointer.appending("operators"))
    return members + [(.string("operators"), .list(operators))]
  }

  /// Reads operators between `|`.
  mutating func readList(at pointer: JSONPointer) throws(Diagnostic) -> [Value] {
    try nested { reader throws(Diagnostic) in
      let start = reader.position
      var operators: [Value] = []
      repeat {
        operators.append(try reader.readOperator(at: pointer.appending(operators.count)))
        reader.skipBlanks()
      } while reader.takeSeparator()
      reader.places.add(pointer, start..<reader.position)
      return operators
    }
  }

  private mutating func readSource(
    _ spec: OperatorSpec, _ name: Range<Int>, at pointer: JSONPointer
  ) throws(Diagnostic) -> Value {
    let place = pointer.appending(spec.name)
    let fields = try readArguments(of: spec, spec.name, name, at: place).fields
    places.add(pointer, name.lowerBound..<position, key: name)
    places.add(place, name.lowerBound..<position, key: name)
    if spec.name == Source.Input.spec.name, case .string(let input)? = fields.first?.1 { noteInput(input, name) }
    return .map(ValueMap([(.string(spec.name), .map(ValueMap(fields)))]))
  }

  private mutating func readOperator(at pointer: JSONPointer) throws(Diagnostic) -> Value {
    skipBlanks()
    let name = try readStepName(what: "an operator", at: pointer)
    let spec = Operator.entry(named: name.text)?.spec
    if spec == nil, !Operator.Custom.isName(name.text) { throw noOperator(name.text, name.range, at: pointer) }
    let place = pointer.appending(name.text)
    let arguments = try readArguments(of: spec, name.text, name.range, at: place, beside: pointer)
    places.add(pointer, name.lowerBound..<position, key: name.range)
    places.add(place, name.lowerBound..<position, key: name.range)
    let fields = Value.map(ValueMap(arguments.fields))
    return .map(ValueMap([(.string(name.text), fields)] + arguments.beside))
  }

  /// Reads an array of items: JSON values, each with its operators.
  private mutating func readItems(at pointer: JSONPointer) throws(Diagnostic) -> Value {
    let start = position
    position += 1
    var items: [Value] = []
    skipBlanks()
    while !take("]") {
      if !items.isEmpty, !take(",") {
        throw unexpected(after: "an item", "expected ',', '|' or ']'", at: pointer)
      }
      skipBlanks()
      let place = pointer.appending(items.count)
      let begin = position
      let value = try readLiteral(.value, at: place.appending("value"))
      var members: [(Value, Value)] = [(.string("value"), value)]
      skipBlanks()
      if takeSeparator() {
        let operators = try readList(at: place.appending("operators"))
        members.append((.string("operators"), .list(operators)))
        skipBlanks()
      }
      places.add(place, begin..<position)
      items.append(.map(ValueMap(members)))
    }
    places.add(pointer, start..<position)
    return .list(items)
  }
}
