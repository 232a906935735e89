internal import CEL
package import StreamCore

/// Reads the members of one JSON object and collects all that is wrong with it.
///
/// Pointers are relative to the object. Members that begin with `x-` are the author's own and are kept.
struct MemberReader {
  private let map: ValueMap
  private(set) var diagnostics = Diagnostics()
  /// Known keys that an unknown key was probably meant to be; they are not reported as missing.
  private var misspelt: Set<String> = []

  /// - Parameters:
  ///   - what: "an operator", for messages.
  ///   - keys: the known ones, in the order in which they are written.
  ///   - form: returns help for a value that is not an object.
  ///   - advice: returns help for a member by its name in other tools, and its value.
  ///   - synonyms: Names that other programs have for some of the keys.
  init(
    _ value: Value, what: @autoclosure () -> String, keys: [String], form: (Value) -> String? = { _ in nil },
    advice: (String, Value) -> String? = { _, _ in nil }, synonyms: [String: String] = [:]
  ) {
    guard case .map(let map) = value else {
      self.map = ValueMap()
      diagnostics.append(
        Diagnostic(
          .wrongType, "expected \(what()), which is an object; found \(value.describedType)", help: form(value)))
      return
    }
    self.map = map
    for case .string(let key) in map.keys where !keys.contains(key) && !key.hasPrefix("x-") {
      let near = synonyms[key] ?? nearestName(to: key, among: keys)
      if let near { misspelt.insert(near) }
      diagnostics.append(
        Diagnostic(
          .unknownKey, "unknown member '\(key)' in \(what())", at: JSONPointer([key]), part: .key,
          notes: ["known members: \(keys.joined(separator: ", "))"],
          help: near.map { "did you mean '\($0)'?" } ?? map[key].flatMap { advice(key, $0) }
            ?? "remove it, or begin its name with x-"))
    }
  }

  /// Reads members of an object whose other members are read elsewhere.
  init(_ map: ValueMap) { self.map = map }

  /// The author's own members.
  var extensions: ValueMap {
    guard map.keys.contains(where: Self.isExtension) else { return ValueMap() }
    return ValueMap(map.pairs.filter { Self.isExtension($0.0) })
  }

  private static func isExtension(_ key: Value) -> Bool {
    if case .string(let key) = key { key.hasPrefix("x-") } else { false }
  }

  /// Whether there is an object to read.
  var isObject: Bool {
    diagnostics.all.first.map { $0.code != .wrongType || !$0.pointer.tokens.isEmpty } ?? true
  }

  /// Throws if the value is not an object.
  func throwUnlessObject() throws(Diagnostics) {
    if !isObject { throw diagnostics }
  }

  func has(_ key: String) -> Bool { map[key] != nil }

  mutating func append(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  mutating func append(_ found: Diagnostics, under tokens: String...) {
    diagnostics.append(contentsOf: found.prefixed(by: JSONPointer(tokens)))
  }

  func value(_ key: String) -> Value? { map[key] }

  mutating func string(_ key: String) -> String? {
    guard let value = map[key] else { return nil }
    guard case .string(let text) = value else { return wrongType(key, value, "a string") }
    return text
  }

  /// Reads an expression.
  mutating func expression(_ key: String) -> CELExpression? {
    guard let value = map[key] else { return nil }
    if case .string(let text) = value { return CELExpression(text) }
    return wrongType(key, value, "an expression in a string", help: Self.advice(.expression([]), value))
  }

  /// Returns the advice for a value of another kind; nil if there is none.
  private static func advice(_ kind: FieldSpec.Kind, _ value: Value) -> String? {
    kind.advisedValue(for: value).map { "write \(JSONWriter.compact($0))" }
  }

  mutating func bool(_ key: String) -> Bool? {
    guard let value = map[key] else { return nil }
    guard case .bool(let flag) = value else { return wrongType(key, value, "true or false") }
    return flag
  }

  mutating func int(_ key: String) -> Int? {
    guard let value = map[key] else { return nil }
    let result: Int?
    switch value {
    case .int(let number): result = Int(exactly: number)
    case .uint(let number): result = Int(exactly: number)
    case .double(let number):
      diagnostics.append(
        Diagnostic(
          .wrongType, "'\(key)' is \(JSONWriter.compact(value)); expected an integer", at: JSONPointer([key]),
          help: Int64(exactly: number).map { "write \($0)" }))
      return nil
    default: return wrongType(key, value, "an integer")
    }
    guard let result else {
      diagnostics.append(
        Diagnostic(
          .outOfRange, "'\(key)' is \(JSONWriter.compact(value)); expected an integer from \(Int.min) to \(Int.max)",
          at: JSONPointer([key])))
      return nil
    }
    return result
  }

  mutating func seconds(_ key: String) -> Double? {
    guard let value = map[key] else { return nil }
    switch value {
    case .int(let number): return Double(number)
    case .uint(let number): return Double(number)
    case .double(let number): return number
    default: return wrongType(key, value, "a number of seconds", help: Self.advice(.seconds(0...0), value))
    }
  }

  mutating func list(_ key: String) -> [Value]? {
    guard let value = map[key] else { return nil }
    guard case .list(let list) = value else { return wrongType(key, value, "an array") }
    return list.elements
  }

  mutating func object(_ key: String, form: (Value) -> String? = { _ in nil }) -> ValueMap? {
    guard let value = map[key] else { return nil }
    guard case .map(let map) = value else { return wrongType(key, value, "an object", help: form(value)) }
    return map
  }

  /// The elements of a list, each read on its own: one that is wrong does not hide the others.
  mutating func elements<Element>(
    _ key: String, _ read: (Value) throws(Diagnostics) -> Element
  ) -> [Element]? {
    guard let list = list(key) else { return nil }
    var elements: [Element] = []
    for (index, value) in list.enumerated() {
      do throws(Diagnostics) {
        elements.append(try read(value))
      } catch {
        append(error, under: key, String(index))
      }
    }
    return elements
  }

  /// Reads an array of strings.
  mutating func strings(_ key: String) -> [String] {
    elements(key) { value throws(Diagnostics) in
      if case .string(let text) = value { return text }
      throw Diagnostics(.wrongType, "a name is a string; found \(value.describedType)")
    } ?? []
  }

  /// The elements of a list as far as they can be read, each in its place.
  mutating func partialElements<Element>(_ key: String, _ read: (Value) -> (Element, Diagnostics)) -> [Element]? {
    guard let list = list(key) else { return nil }
    var elements: [Element] = []
    elements.reserveCapacity(list.count)
    for (index, value) in list.enumerated() {
      let (element, problems) = read(value)
      elements.append(element)
      if !problems.isEmpty { append(problems, under: key, String(index)) }
    }
    return elements
  }

  /// The members of an object of names, each as far as it can be read.
  mutating func named<Element>(
    _ key: String, what: String, _ read: (Value) -> (Element, Diagnostics)
  ) -> Members<Element> {
    guard let object = object(key) else { return [:] }
    var result: Members<Element> = [:]
    for case (.string(let name), let value) in object.pairs {
      if let problem = Identifier.problem(with: name, what: what) {
        diagnostics.append(problem.prefixed(by: JSONPointer([key, name])))
      }
      let (element, problems) = read(value)
      result[name] = element
      if !problems.isEmpty { append(problems, under: key, name) }
    }
    return result
  }

  /// Reads a part of a file. If it has errors, returns a substitute with the errors.
  static func part<Part>(
    or substitute: @autoclosure () -> Part, _ read: () throws(Diagnostics) -> Part
  ) -> (Part, Diagnostics) {
    do throws(Diagnostics) {
      return (try read(), Diagnostics())
    } catch {
      return (substitute(), error)
    }
  }

  /// Reads the elements of an array. An invalid element does not hide errors in the others.
  static func elements<Element>(
    of value: Value, named name: String, _ read: (Value) -> (Element, Diagnostics)
  ) throws(Diagnostics) -> [Element] {
    var reader = MemberReader(.map(ValueMap([(.string(name), value)])), what: "an object", keys: [name])
    let elements = reader.partialElements(name, read) ?? []
    guard reader.diagnostics.hasErrors else { return elements }
    // The list was read as a member only for that.
    throw Diagnostics(
      reader.diagnostics.all.map { diagnostic in
        var copy = diagnostic
        copy.pointer = JSONPointer(Array(diagnostic.pointer.tokens.dropFirst()))
        return copy
      })
  }

  /// Reports a missing required member.
  mutating func missing(_ key: String, in what: String, help: String? = nil) {
    guard !misspelt.contains(key) else { return }
    diagnostics.append(
      Diagnostic(.missingField, "\(what) needs '\(key)'", help: help ?? "add \"\(key)\""))
  }

  private mutating func wrongType<Result>(
    _ key: String, _ value: Value, _ expected: String, help: String? = nil
  ) -> Result? {
    diagnostics.append(
      Diagnostic(
        .wrongType, "'\(key)' is \(value.describedType); expected \(expected)", at: JSONPointer([key]), help: help))
    return nil
  }
}

/// Names of streams, inputs and operators.
enum Identifier {
  /// Returns the error in a name; nil for a valid name.
  static func problem(with name: String, what: String) -> Diagnostic? {
    if name.isEmpty || name.allSatisfy(\.isWhitespace) {
      return Diagnostic(.invalidIdentifier, "the name of \(what) is empty", part: .key, help: "give it a name")
    }
    return nil
  }
}

/// Builds the members of an object in the order in which they are written.
package struct MemberWriter {
  package private(set) var pairs: [(Value, Value)] = []

  package init() {}

  package mutating func add(_ key: String, _ value: Value?) {
    if let value { pairs.append((.string(key), value)) }
  }

  package mutating func add(_ key: String, _ text: String?) { add(key, text.map(Value.string)) }

  package mutating func add(_ key: String, _ list: [Value], always: Bool = false) {
    if always || !list.isEmpty { add(key, .list(list)) }
  }

  mutating func add(_ key: String, _ named: Members<Value>) {
    if !named.isEmpty { add(key, .map(ValueMap(named.map { (.string($0.name), $0.element) }))) }
  }

  mutating func add(_ extensions: ValueMap) { pairs += extensions.pairs.map { ($0.0, $0.1) } }

  package var value: Value { .map(ValueMap(pairs)) }
}
