import Foundation
import StreamCore

@testable import CEL

/// One conformance test, as the vectors' README describes them.
struct Vector {
  let id: String
  let expression: String
  let needsMessages: Bool
  private let fields: [String: Any]

  init?(line: String) throws {
    guard let fields = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
      let id = fields["id"] as? String, let expression = fields["expr"] as? String
    else { return nil }
    self.id = id
    self.expression = expression
    self.fields = fields
    needsMessages = fields["needsProto"] as? Bool ?? false
  }

  /// The error, or nil.
  func run(_ numbers: Numbers = .strict) -> String? {
    let bindings = fields["bindings"] as? [String: Any] ?? [:]
    var variables: [Variable] = []
    var functions: [FunctionDeclaration] = []
    for declaration in fields["typeEnv"] as? [[String: Any]] ?? [] {
      guard let name = declaration["name"] as? String else { continue }
      if let type = declaration["type"] as? String {
        guard let type = Self.type(type) else { return "the type \(type) is unknown to the tests" }
        variables.append(Variable(name, type))
      } else if let overloads = declaration["overloads"] as? [[String: Any]] {
        functions.append(FunctionDeclaration(name: name, overloads: overloads.compactMap { Self.overload(name, $0) }))
      }
    }
    for name in bindings.keys.sorted() where !variables.contains(where: { $0.name == name }) {
      variables.append(Variable(name))
    }
    var environment = ExpressionEnvironment(
      variables: variables, numbers: numbers, container: fields["container"] as? String ?? "")
    environment.macrosEnabled = !(fields["disableMacros"] as? Bool ?? false)
    environment.checksEnabled = !(fields["disableCheck"] as? Bool ?? false)
    environment.declaredFunctions = functions
    environment.blocksEnabled = true

    let plan: Plan
    do {
      plan = try CELExpression(expression).plan(in: environment)
    } catch {
      if fields["error"] != nil { return nil }
      return "does not plan: " + error.all.map { "\($0.code.rawValue) \($0.message)" }.joined(separator: "; ")
    }
    if let typed = fields["typedResult"] as? [String: Any], let wanted = typed["deducedType"] as? String,
      Self.type(wanted) != plan.resultType.withMaps
    {
      return "has type \(plan.resultType), not \(wanted)"
    }
    if fields["checkOnly"] as? Bool == true { return nil }
    return evaluate(plan, variables, bindings)
  }

  private func evaluate(_ plan: Plan, _ variables: [Variable], _ bindings: [String: Any]) -> String? {
    let activation = Activation(slotCount: variables.count)
    for (slot, variable) in variables.enumerated() {
      guard let binding = bindings[variable.name] else { continue }
      guard let value = Self.value(binding) else { return "the tests cannot read the binding of \(variable.name)" }
      activation.set(value, at: slot)
    }
    do {
      let result = try plan.evaluate(activation)
      if fields["error"] != nil { return "gives \(result), not an error" }
      guard let wanted = fields["value"].flatMap(Self.value) else { return "the tests cannot read the value" }
      return result == wanted ? nil : "gives \(result), not \(wanted)"
    } catch {
      return fields["error"] != nil ? nil : "fails: \(error.code.rawValue) \(error.message)"
    }
  }

  private static func overload(_ name: String, _ fields: [String: Any]) -> Signature? {
    guard let parameters = fields["params"] as? [String], let result = fields["result"] as? String,
      let resultType = type(result)
    else { return nil }
    return Signature(name, parameters.compactMap(type), resultType, isMember: fields["instance"] as? Bool ?? false)
  }

  /// Types of the vectors: ours, type parameters (one capital letter), and types that only functions know.
  private static func type(_ text: String) -> CELType? {
    if let known = CELType(parsing: text) { return known }
    if text.count == 1, text.first?.isUppercase == true { return .parameter(text) }
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return .opaque(text) }
    let arguments = text[text.index(after: open)...].dropLast().split(separator: ",")
    return .opaque(
      String(text[..<open]), arguments.compactMap { type($0.trimmingCharacters(in: .whitespaces)) })
  }

  private static func value(_ json: Any) -> Value? {
    guard let object = json as? [String: Any], let (kind, content) = object.first, object.count == 1 else { return nil }
    switch kind {
    case "null": return .null
    case "bool": return (content as? Bool).map(Value.bool)
    case "int": return (content as? String).flatMap(Int64.init).map(Value.int)
    case "uint": return (content as? String).flatMap(UInt64.init).map(Value.uint)
    case "double": return ((content as? Double) ?? (content as? String).flatMap(Double.init)).map(Value.double)
    case "string": return (content as? String).map(Value.string)
    case "bytes": return (content as? String).flatMap { Data(base64Encoded: $0) }.map { .bytes(Array($0)) }
    case "type": return (content as? String).map { .opaque(TypeValue($0)) }
    case "timestamp": return (content as? String).flatMap { Timestamp(rfc3339: $0) }.map(Value.timestamp)
    case "duration": return (content as? String).flatMap { try? Duration(goText: $0) }.map(Value.duration)
    case "list":
      guard let elements = content as? [Any] else { return nil }
      let values = elements.compactMap(value)
      return values.count == elements.count ? .list(values) : nil
    case "map":
      guard let entries = content as? [[Any]] else { return nil }
      let pairs = entries.compactMap { entry -> (Value, Value)? in
        guard entry.count == 2, let key = value(entry[0]), let element = value(entry[1]) else { return nil }
        return (key, element)
      }
      return pairs.count == entries.count ? .map(ValueMap(pairs)) : nil
    default: return nil
    }
  }
}

extension CELType {
  /// The same type as cel-spec sees it: it has no records, only maps.
  var withMaps: CELType {
    switch self {
    case .record(let fields):
      CELType.record(fields.map { RecordField($0.name, $0.type.withMaps) }).asMap
    case .list(let element): .list(element.withMaps)
    case .map(let key, let value): .map(key, value.withMaps)
    case .optional(let type): .optional(type.withMaps)
    case .type(let type): .type(type.withMaps)
    case .opaque(let name, let parameters): .opaque(name, parameters.map(\.withMaps))
    default: self
    }
  }
}
