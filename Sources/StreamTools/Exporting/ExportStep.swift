internal import CEL
internal import StreamCore
internal import StreamKit

/// An operator or a source in an export: the context of its rule.
struct ExportStep {
  let walk: ExportWalk
  let scope: ExportScope
  /// Location of the fields.
  let pointer: JSONPointer
  /// A name for structs created here.
  let hint: String

  var swiftOutput: SwiftOutput { walk.swift }
  var script: JavaScriptOutput { walk.script }

  // MARK: Expressions

  /// Translates an expression to Swift.
  ///
  /// - Parameter type: The required type of the result; nil for any type.
  func swift(
    _ expression: CELExpression, _ variables: [ExportVariable], as type: SwiftType? = nil
  ) throws(ExportRefusal) -> SwiftExpression {
    let tree = try tree(of: expression)
    let translator = SwiftTranslator(variables: scope.captured + variables, hint: hint, output: walk.swift)
    do throws(ExportRefusal) {
      var found = try translator.translate(tree, as: type)
      if found.type == .list(.never) { found = try translator.translate(tree, as: .json) }
      return found
    } catch {
      throw ExportRefusal("\(error.reason) in the expression \(expression.text)")
    }
  }

  /// An expression over `value` in Swift, as a closure: `value in value * 2`.
  func closure(
    _ expression: CELExpression, over type: SwiftType, as result: SwiftType? = nil
  ) throws(ExportRefusal) -> (expression: SwiftExpression, text: String) {
    let found = try swift(expression, [ExportVariable(name: "value", code: "value", type: type)], as: result)
    let parameter = expression.mentions("value") ? "value" : "_"
    return (found, Self.closure([parameter], found))
  }

  /// Returns a closure with an expression as its body, on several lines if it is long.
  static func closure(_ parameters: [String], _ body: SwiftExpression) -> String {
    let names = parameters.joined(separator: ", ")
    if body.isThrowing, body.code.count > 40 {
      // NB: a statement of its own, with its type: as part of the chain the compiler needs too long for it.
      let type = body.type.text
      return "{ \(names) -> \(type) in\n  let result: \(type) = \(body.whole)\n  return result\n}"
    }
    let head = "\(names)\(body.type == .json ? " -> JSON" : "") in"
    let isShort = head.count + body.whole.count < 88
    return isShort ? "{ \(head) \(body.whole) }" : "{ \(head)\n  \(body.whole)\n}"
  }

  /// An expression in JavaScript.
  func javaScript(
    _ expression: CELExpression, _ variables: [String]
  ) throws(ExportRefusal) -> JavaScriptExpression {
    let tree = try tree(of: expression)
    let seen = scope.captured + variables.map { ExportVariable(name: $0, code: $0, type: .json) }
    do throws(ExportRefusal) {
      return try JavaScriptTranslator(variables: seen, output: walk.script).translate(tree)
    } catch {
      throw ExportRefusal("\(error.reason) in the expression \(expression.text)")
    }
  }

  /// An arrow function of an expression over `value` and `index`.
  func arrow(_ expression: CELExpression) throws(ExportRefusal) -> String {
    let body = try javaScript(expression, ["value", "index"]).body
    if expression.mentions("index") { return "(value, index) => \(body)" }
    return expression.mentions("value") ? "value => \(body)" : "() => \(body)"
  }

  private func tree(of expression: CELExpression) throws(ExportRefusal) -> ExpressionTree {
    do throws(Diagnostics) {
      return try expression.tree()
    } catch {
      throw ExportRefusal("the invalid expression \(expression.text)")
    }
  }

  // MARK: Values

  /// Translates a literal value in the file, typed if it is a scalar.
  func swiftLiteral(_ value: Value, as wanted: SwiftType? = nil) throws(ExportRefusal) -> SwiftExpression {
    if wanted == .json {
      walk.swift.needs(.json)
      return SwiftExpression(code: try SwiftLiteral.json(value), type: .json)
    }
    let translator = SwiftTranslator(variables: [], hint: hint, output: walk.swift)
    if wanted == .double, case .int(let number) = value { return try translator.literal(.double(Double(number))) }
    switch value {
    case .bool, .int, .double, .string:
      return try translator.converted(try translator.literal(value), to: wanted ?? SwiftType(of: value))
    default:
      if case .list(let elements) = value, case .list(let type)? = wanted, type != .json {
        let parts = try elements.translated { element throws(ExportRefusal) in try swiftLiteral(element, as: type).code
        }
        return SwiftExpression(code: "[\(parts.joined(separator: ", "))]", type: .list(type))
      }
      if case .map(let map) = value, case .record(let record)? = wanted {
        var parts: [String] = []
        for field in record.fields {
          guard let member = map[field.name] else { throw ExportRefusal("a value without '\(field.name)'") }
          parts.append("\(field.name): \(try swiftLiteral(member, as: field.type).code)")
        }
        return SwiftExpression(code: "\(record.name)(\(parts.joined(separator: ", ")))", type: .record(record))
      }
      guard wanted == nil else { throw ExportRefusal("a value that is not a \(wanted?.text ?? "value")") }
      return try swiftLiteral(value, as: .json)
    }
  }

  /// Returns the Swift form of a failure in the file.
  func swiftError(_ payload: Value) throws(ExportRefusal) -> String {
    walk.swift.needs(.failure)
    return "StreamError(payload: \(try SwiftLiteral.json(payload)))"
  }

  // MARK: Streams

  /// A stream that the operator takes.
  func stream(
    _ reference: StreamReference, field: JSONPointer, capturing: [ExportVariable] = []
  ) throws(ExportRefusal) -> Fragment {
    try walk.stream(reference, in: scope, at: pointer + field, capturing: capturing, hint: hint)
  }

  func streams(_ references: StreamReferences) throws(ExportRefusal) -> [Fragment] {
    var streams: [Fragment] = []
    for (index, reference) in references.all.enumerated() {
      streams.append(try stream(reference, field: JSONPointer(["with", String(index)])))
    }
    return streams
  }

  /// In Swift, the streams with values of one type.
  func unified(_ fragments: [Fragment]) throws(ExportRefusal) -> [Fragment] {
    guard let first = fragments.first else { return [] }
    let common = fragments.dropFirst().reduce(first.type) { walk.swift.common($0, $1.type) }
    let type = common == .never ? .json : common
    if type == .json { walk.swift.needs(.json) }
    return try fragments.translated { fragment throws(ExportRefusal) in
      var fragment = fragment
      guard fragment.type != type else { return fragment }
      if fragment.type == .never {
        fragment.settle(as: type)
        return fragment
      }
      let converted = try SwiftTranslator(variables: [], hint: hint, output: walk.swift)
        .converted(SwiftExpression(code: "$0", type: fragment.type), to: type)
      fragment.add(".\(converted.isThrowing ? "tryMap" : "map") { \(converted.whole) }", type)
      return fragment
    }
  }
}

extension SwiftType {
  /// The type of a scalar in the file; `JSON` for other values.
  init(of value: Value) {
    switch value {
    case .bool: self = .bool
    case .int: self = .int
    case .double: self = .double
    case .string: self = .string
    default: self = .json
    }
  }
}

extension Fragment {
  /// The placeholder for the type of the values of a stream that publishes nothing.
  static let openType = "\u{1}"

  /// Sets the type of the values of a stream that publishes nothing.
  mutating func settle(as type: SwiftType) {
    head = head.split(separator: Character(Self.openType), omittingEmptySubsequences: false).joined(
      separator: type.text)
    self.type = type
  }
}
