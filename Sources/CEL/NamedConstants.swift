package import StreamCore

/// Values that expressions use by name, such as those of parameters.
package protocol NamedConstants: Sendable {
  /// Returns the value of a name, and the type that an expression takes it for; nil if there is none.
  func constant(named name: String) -> (value: Value, type: CELType)?
  /// The names, for suggestions.
  var constantNames: [String] { get }
}

extension CELType {
  /// Returns the type that an expression takes a constant for.
  ///
  /// Null is one value of several types: an expression that tests it may use it as the others.
  package static func ofConstant(_ value: Value) -> CELType { value == .null ? .dyn : CELType.of(value) }
}

extension Dictionary: NamedConstants where Key == String, Value == StreamCore.Value {
  package func constant(named name: String) -> (value: Value, type: CELType)? {
    self[name].map { ($0, .ofConstant($0)) }
  }

  package var constantNames: [String] { keys.sorted() }
}
