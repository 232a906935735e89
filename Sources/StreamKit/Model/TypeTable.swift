package import CEL
internal import StreamCore

/// The types that a file declares under `types`, by name.
package struct TypeTable: Sendable {
  /// The table for a declaration read without its file, where a name that begins with a capital letter may be any type.
  package static let unknown = TypeTable()

  private var types: [String: CELType] = [:]
  /// The names, those of the outermost model first.
  private var order: [String] = []
  /// The errors in the declarations, by name.
  private var problems: [String: Diagnostic] = [:]
  private let isUnknown: Bool

  private init() { isUnknown = true }

  /// Creates the table of a model, with the types of the models around it.
  init(_ declared: Members<TypeDeclaration>, around outer: TypeTable?) {
    isUnknown = false
    if let outer { (types, order) = (outer.types, outer.order) }
    guard !declared.isEmpty else { return }
    var resolver = TypeResolver(declared, around: types)
    for name in declared.names { resolver.resolve(name, within: []) }
    order += declared.names.filter { types[$0] == nil }
    types = resolver.types
    problems = resolver.problems
  }

  /// The types that are known by name.
  fileprivate init(_ types: [String: CELType], order: [String]) {
    isUnknown = false
    (self.types, self.order) = (types, order)
  }

  package var names: [String] { order.sorted() }

  /// The declared type with a name; nil if there is none.
  subscript(name: String) -> CELType? { types[name] }

  /// The names that messages list or suggest. Many are in the order of the file: a file may have as many errors.
  var namesInMessages: [String] { order.count > 1_000 ? order : names }

  /// Returns the name of a type, if the file declares it.
  package func name(of type: CELType) -> String? {
    switch type {
    case .record, .choice: types.filter { $0.value == type }.keys.min()
    default: nil
    }
  }

  /// The type with the names of declared types instead of their content, for people.
  package func description(of type: CELType) -> String {
    if types.isEmpty { return type.description }
    if let name = name(of: type) { return name }
    return switch type {
    case .list(let element): "list(\(description(of: element)))"
    case .map(let key, let value): "map(\(key), \(description(of: value)))"
    case .nullable(let inner): "\(description(of: inner))?"
    case .record(let fields):
      "{\(fields.map { "\($0.name)\($0.isOptional ? "?" : ""): \(description(of: $0.type))" }.joined(separator: ", "))}"
    default: type.description
    }
  }

  /// The errors in the declarations of a model, relative to it.
  func problems(in declared: Members<TypeDeclaration>) -> [Diagnostic] {
    declared.names.compactMap { name in problems[name]?.prefixed(by: JSONPointer(["types", name])) }
  }

  /// The error in the name of a type; nil for a valid name.
  static func problem(withName name: String) -> Diagnostic? {
    let letters = Array(name.utf8)
    let isName =
      letters.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } == true && letters.allSatisfy(isPart)
    guard !isName else { return nil }
    let reason =
      CELType.plainNames.contains(name)
      ? "'\(name)' is the name of a CEL type" : "'\(name)' is not a name for a type"
    return Diagnostic(
      .invalidIdentifier,
      "\(reason); a declared type has a name of letters and digits that begins with a capital letter",
      part: .key, help: "write a name such as \"\(name.prefix(1).uppercased() + name.dropFirst().filter(\.isLetter))\"")
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
  }

  /// Returns the declared types whose names occur in the text of a type.
  func types(in text: String) -> [String: CELType] {
    var found: [String: CELType] = [:]
    for name in Self.names(in: text) {
      if isUnknown { found[name] = .dyn } else if let type = types[name] { found[name] = type }
    }
    return found
  }

  /// Returns the names in the text of a type that may be those of declared types.
  fileprivate static func names(in text: String) -> [String] {
    text.utf8.split { !isPart($0) }.map { String(Substring($0)) }.filter { problem(withName: $0) == nil }
  }
}

/// Replaces the names in declared types by what they stand for.
private struct TypeResolver {
  let declarations: Members<TypeDeclaration>
  var types: [String: CELType]
  var problems: [String: Diagnostic] = [:]
  /// The names of the types that are finished.
  private var finished: Set<String> = []

  /// Maximum number of types that refer to each other in a row.
  private static let levelLimit = 32

  init(_ declarations: Members<TypeDeclaration>, around outer: [String: CELType]) {
    self.declarations = declarations
    types = outer
    for name in declarations.names { types[name] = nil }
  }

  /// Finds the type of a name. An invalid declaration stands for any type.
  mutating func resolve(_ name: String, within open: [String]) {
    guard !finished.contains(name), let declaration = declarations[name] else { return }
    let open = open + [name]
    do throws(Diagnostic) {
      for inner in Self.names(mentionedIn: declaration.json) {
        if let start = open.firstIndex(of: inner) {
          let cycle = (open[start...] + [inner]).joined(separator: " → ")
          throw Diagnostic(
            .cycle, "the types refer to each other in a circle: \(cycle)",
            help: "declare one of the inner parts as \"dyn\"")
        }
        guard open.count < Self.levelLimit else {
          throw Diagnostic(
            .tooDeep, "more than \(Self.levelLimit) types refer to each other in a row",
            help: "declare one of the inner parts as \"dyn\"")
        }
        resolve(inner, within: open)
      }
      types[name] = try CELType(declaration, in: TypeTable(types, order: declarations.names))
    } catch {
      problems[name] = error
      types[name] = .dyn
    }
    finished.insert(name)
  }

  /// Returns the names of declared types in a type.
  private static func names(mentionedIn declaration: Value) -> [String] {
    switch declaration {
    case .string(let text): TypeTable.names(in: text)
    case .list(let elements): elements.elements.flatMap(names(mentionedIn:))
    case .map(let map): map.count == 1 && map["enum"] != nil ? [] : map.slots.flatMap(names(mentionedIn:))
    default: []
    }
  }
}

extension StreamModel {
  /// Reads `types`.
  static func readTypes(_ reader: inout MemberReader) -> Members<TypeDeclaration> {
    if case .map(let map)? = reader.value("types") {
      for case .string(let name) in map.keys {
        if let problem = TypeTable.problem(withName: name) {
          reader.append(problem.prefixed(by: JSONPointer(["types", name])))
        }
      }
    }
    return reader.named("types", what: "a type") { json in
      let declaration = TypeDeclaration(json: json)
      do throws(Diagnostic) {
        _ = try CELType(declaration)
        return (declaration, Diagnostics())
      } catch {
        return (declaration, Diagnostics([error]))
      }
    }
  }

  /// The types that the model declares, for the types of its inputs. Without those of models around it.
  package var typeTable: TypeTable { TypeTable(types, around: nil) }
}
