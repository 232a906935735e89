public import StreamCore

/// The parameter types and the result type of one overload of a function.
public struct Signature: Hashable, Sendable, CustomStringConvertible {
  public let function: String
  /// The types of the arguments; a method's target comes first.
  public let parameters: [CELType]
  public let result: CELType
  /// Whether the function is called as `target.function(…)`.
  public let isMember: Bool
  /// The kinds that the first two parameters accept: they reject most mismatches without a comparison of types.
  private let first: TypeKinds
  private let second: TypeKinds

  public init(_ function: String, _ parameters: [CELType], _ result: CELType, isMember: Bool = false) {
    self.function = function
    self.parameters = parameters
    self.result = result
    self.isMember = isMember
    first = parameters.isEmpty ? .all : TypeKinds(takenBy: parameters[0])
    second = parameters.count < 2 ? .all : TypeKinds(takenBy: parameters[1])
  }

  /// Whether arguments of these types may match, judged by the kinds of the first two.
  func mayTake(_ given: [CELType], widening: Bool) -> Bool {
    guard given.count == parameters.count else { return false }
    if given.isEmpty { return true }
    guard (widening ? first.widened : first).contains(TypeKinds(of: given[0])) else { return false }
    return given.count == 1 || (widening ? second.widened : second).contains(TypeKinds(of: given[1]))
  }

  /// The signature in readable form: `string.size() -> int`, `int + int -> int`.
  public var description: String {
    let name = Operators.displayName(function)
    let types = parameters.map(\.description)
    let form: String
    if function == Operators.conditional {
      form = "\(types[0]) ? \(types[1]) : \(types[2])"
    } else if function == Operators.index {
      form = "\(types[0])[\(types[1])]"
    } else if Operators.isOperator(function) {
      form = types.count == 2 ? "\(types[0]) \(name) \(types[1])" : "\(name)\(types[0])"
    } else if isMember {
      form = "\(types[0]).\(name)(\(types.dropFirst().joined(separator: ", ")))"
    } else {
      form = "\(name)(\(types.joined(separator: ", ")))"
    }
    return "\(form) -> \(result)"
  }
}

/// A function that the host adds to an environment.
public struct FunctionDeclaration: Sendable {
  /// Computes the result from the arguments; a method's target comes first.
  public typealias Body = @Sendable ([Value]) throws(EvaluationError) -> Value

  public let name: String
  public let overloads: [Signature]
  /// Nil for a function that can be checked but fails when it is called.
  public let body: Body?

  public init(name: String, overloads: [Signature], body: Body? = nil) {
    self.name = name
    self.overloads = overloads
    self.body = body
  }
}

extension Signature {
  /// Returns the result type for these arguments; nil if they certainly do not match. With `widening` any number
  /// matches a double parameter.
  func result(for arguments: [CELType], isMember: Bool, widening: Bool = false) -> CELType? {
    guard arguments.count == parameters.count, isMember == self.isMember else { return nil }
    var bindings: [String: CELType] = [:]
    for (parameter, argument) in zip(parameters, arguments) {
      if widening && parameter == .double && argument.isNumber { continue }
      guard parameter.matches(argument, &bindings) else { return nil }
    }
    return result.substituting(bindings)
  }
}

extension CELType {
  /// Returns whether an argument matches this parameter, and records the bindings of type parameters.
  fileprivate func matches(_ argument: CELType, _ bindings: inout [String: CELType]) -> Bool {
    switch (self, argument) {
    case (.parameter(let name), _):
      guard let bound = bindings[name] else {
        bindings[name] = argument
        return true
      }
      guard bound.mayBe(argument, numbers: .strict) || argument.mayBe(bound, numbers: .strict) else { return false }
      bindings[name] = bound.joined(with: argument)
      return true
    case (.dyn, _), (_, .undetermined): return true
    case (_, .dyn):
      // The argument may be of any type, and so may nested type parameters.
      openParameters(&bindings)
      return true
    case (.list(let a), .list(let b)), (.optional(let a), .optional(let b)): return a.matches(b, &bindings)
    case (.map(let a, let b), .map(let c, let d)): return a.matches(c, &bindings) && b.matches(d, &bindings)
    case (.map, .record): return matches(argument.asMap, &bindings)
    case (.type, .type): return true
    case (.opaque(let a, let first), .opaque(let b, let second)) where a == b && first.count == second.count:
      for (x, y) in zip(first, second) where !x.matches(y, &bindings) { return false }
      return true
    case (.optional, .null), (.timestamp, .null), (.duration, .null): return true
    default: return self == argument
    }
  }

  private func openParameters(_ bindings: inout [String: CELType]) {
    switch self {
    case .parameter(let name): bindings[name] = .dyn
    case .list(let type), .optional(let type): type.openParameters(&bindings)
    case .map(let key, let value):
      key.openParameters(&bindings)
      value.openParameters(&bindings)
    default: break
    }
  }

  fileprivate func substituting(_ bindings: [String: CELType]) -> CELType {
    switch self {
    case .parameter(let name): bindings[name] ?? .undetermined
    case .list(let type): .list(type.substituting(bindings))
    case .optional(let type): .optional(type.substituting(bindings))
    case .nullable(let type): type.substituting(bindings).orNull
    case .type(let type): .type(type.substituting(bindings))
    case .map(let key, let value): .map(key.substituting(bindings), value.substituting(bindings))
    case .opaque(let name, let types): .opaque(name, types.map { $0.substituting(bindings) })
    default: self
    }
  }
}
