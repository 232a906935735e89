public import StreamCore
internal import StreamKit

extension JSONPatch {
  /// Parses a patch: an array of objects with `op`, `path` and, depending on the operation, `value` or `from`.
  ///
  /// Members that RFC 6902 does not define are ignored, as it requires.
  ///
  /// - Throws: All errors in the patch, with pointers into it.
  public init(_ value: Value) throws(Diagnostics) {
    guard case .list(let elements) = value else {
      throw Diagnostics(
        .invalidPatch, "a JSON Patch is an array of operations; found \(value.describedType)",
        help: "write it as [{\"op\": \"replace\", \"path\": \"/name\", \"value\": \"new\"}]")
    }
    var operations: [Operation] = []
    var problems = Diagnostics()
    for (index, element) in elements.enumerated() {
      do throws(Diagnostics) {
        operations.append(try Operation(element))
      } catch {
        problems.append(contentsOf: error.prefixed(by: JSONPointer([String(index)])))
      }
    }
    try problems.throwErrors()
    self.operations = operations
  }
}

extension JSONPatch.Operation {
  private static let names = ["add", "remove", "replace", "move", "copy", "test"]

  /// The operation that a JSON object describes.
  init(_ value: Value) throws(Diagnostics) {
    guard case .map(let map) = value else {
      throw Diagnostics(.invalidPatch, "an operation is an object with 'op' and 'path'; found \(value.describedType)")
    }
    var reader = PatchReader(map)
    let name = reader.text("op", "one of \(Self.names.joined(separator: ", "))")
    let path = reader.pointer("path")
    switch name {
    case "remove":
      self = .remove(path)
    case "add", "replace", "test":
      let value = reader.value("value")
      self = name == "add" ? .add(path, value) : name == "test" ? .test(path, value) : .replace(path, value)
    case "move", "copy":
      let from = reader.pointer("from")
      self = name == "move" ? .move(from: from, to: path) : .copy(from: from, to: path)
      if name == "move", reader.problems.isEmpty, path.tokens.count > from.tokens.count,
        path.tokens.starts(with: from.tokens)
      {
        reader.problems.append(
          Diagnostic(
            .invalidPatch, "'\(from)' cannot be moved into itself, to '\(path)'", at: JSONPointer(["path"])))
      }
    default:
      self = .remove(path)
      if map["op"]?.text != nil {
        reader.problems.append(
          Diagnostic(
            .invalidPatch, "there is no operation '\(name)'; expected one of \(Self.names.joined(separator: ", "))",
            at: JSONPointer(["op"]), help: nearestName(to: name, among: Self.names).map { "did you mean '\($0)'?" }))
      }
    }
    try reader.problems.throwErrors()
  }
}

/// Reads the members of an operation and collects the errors in them.
private struct PatchReader {
  let map: ValueMap
  var problems = Diagnostics()

  init(_ map: ValueMap) { self.map = map }

  mutating func value(_ key: String) -> Value {
    if let value = map[key] { return value }
    problems.append(Diagnostic(.invalidPatch, "the operation needs '\(key)'", help: "add \"\(key)\""))
    return .null
  }

  mutating func text(_ key: String, _ expectation: String) -> String {
    guard map[key] != nil else {
      problems.append(Diagnostic(.invalidPatch, "the operation needs '\(key)', \(expectation)", help: "add \"\(key)\""))
      return ""
    }
    guard let text = map[key]?.text else {
      problems.append(
        Diagnostic(
          .invalidPatch, "'\(key)' is \(value(key).describedType); expected \(expectation)", at: JSONPointer([key])))
      return ""
    }
    return text
  }

  mutating func pointer(_ key: String) -> JSONPointer {
    let before = problems.all.count
    let text = text(key, "a JSON pointer")
    guard problems.all.count == before else { return JSONPointer() }
    do throws(Diagnostic) {
      return try JSONPointer(parsing: text)
    } catch {
      problems.append(error.prefixed(by: JSONPointer([key])))
      return JSONPointer()
    }
  }
}
