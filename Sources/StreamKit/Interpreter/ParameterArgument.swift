internal import CEL
package import StreamCore
internal import Synchronization

/// A value that the host gives to a parameter, and its origin for messages.
package struct ParameterArgument: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    case value(Value)
    /// A text, which is read by the type of the parameter.
    case text(String)
  }

  package let content: Content
  /// The argument as it was written, such as `--set quiet=10`.
  package let origin: String
  /// Its location in the file; nil for an argument from outside.
  package let pointer: JSONPointer?
  /// The origin of the parameter whose value it is; nil for a value of its own.
  let givenBy: String?
  /// Whether the value is only assumed, since the file is inspected without one.
  let isAssumed: Bool

  package init(_ content: Content, origin: String, at pointer: JSONPointer? = nil) {
    self.init(content, origin: origin, at: pointer, givenBy: nil, isAssumed: false)
  }

  init(
    _ content: Content, origin: String, at pointer: JSONPointer? = nil, givenBy: String? = nil, isAssumed: Bool
  ) {
    self.content = content
    self.origin = origin
    self.pointer = pointer
    self.givenBy = givenBy
    self.isAssumed = isAssumed
  }

  /// Returns the value as JSON.
  ///
  /// - Throws: The problem with a text that has another type.
  func json(for type: CELType) throws(Diagnostic) -> Value {
    switch content {
    case .value(let value): return value
    case .text(let text):
      // The text "null" is written '"null"'.
      if text == "null", type.allowsNull { return .null }
      let document = try? JSONDocument(reading: text, file: origin)
      switch type.withoutNull.base {
      case .string, .timestamp, .duration:
        if case .string(let inner)? = document?.value { return .string(inner) }
        return .string(text)
      default:
        if let document { return document.value }
        if type == .dyn { return .string(text) }
        throw Diagnostic(.invalidArgument, "\(origin): \"\(text)\" is not of the type \(type)")
      }
    }
  }
}

extension StreamModel {
  /// Returns the values of declared parameters that differ from the defaults, as JSON.
  package func values(differingIn arguments: [String: ParameterArgument]) -> [String: Value] {
    var values: [String: Value] = [:]
    for (name, parameter) in parameters {
      let conversion = InputConversion(parameter.declaredType)
      // Values of another type have been refused when the file was compiled.
      guard let json = try? arguments[name]?.json(for: parameter.declaredType) else { continue }
      let standard = parameter.defaultValue.map { (try? conversion.convert($0)) ?? $0 }
      if (try? conversion.convert(json)) ?? json != standard { values[name] = json }
    }
    return values
  }
}

/// A parameter with its value.
struct BoundParameter: Sendable {
  /// The value as JSON, for a field.
  let json: Value
  /// The value of the declared type, for expressions.
  let value: Value
  /// The origin of the value, for messages.
  let origin: String
  /// The declared type, or `dyn`.
  let type: CELType
  /// The type of the value, or the declared one if the value does not show it, as a record without an optional field.
  let typeInExpressions: CELType
  /// Whether the value is only assumed, since the file is inspected without one.
  let isAssumed: Bool
  /// Whether the main file declares the parameter.
  var isOfFile = false

  init(json: Value, value: Value, origin: String, type: CELType, isAssumed: Bool = false) {
    (self.json, self.value, self.origin) = (json, value, origin)
    (self.type, self.isAssumed) = (type, isAssumed)
    typeInExpressions = type.hasOptionalFields ? type : .ofConstant(value)
  }

  /// The value as JSON for a field of a kind: a number of seconds for a duration.
  func json(for kind: FieldSpec.Kind?) -> Value {
    guard case .seconds? = kind, case .duration(let duration) = value else { return json }
    return .seconds(duration.inSeconds)
  }
}

/// The parameters that a file has used, for warnings about the others.
final class UsedParameters: Sendable {
  private let names = Mutex<Set<String>>([])

  func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }

  func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
}

extension Operator.Custom {
  /// The member that names a parameter.
  static let referenceKey = "parameter"
  /// The operator that applies a definition.
  package static let applyName = "apply"

  /// The parameter that a field names instead of a value; nil for another value.
  package static func parameter(in value: Value) -> String? {
    guard case .map(let map) = value, map.count == 1 else { return nil }
    return map[referenceKey]?.text
  }

  /// Whether a field names a parameter.
  static func hasReference(_ fields: Value) -> Bool {
    guard case .map(let map) = fields else { return false }
    return map.slots.contains { parameter(in: $0) != nil }
  }

  /// Whether the operator stands for others until its parameters are known.
  var isUnresolved: Bool { name == Self.applyName || Self.hasReference(fields) }
}
