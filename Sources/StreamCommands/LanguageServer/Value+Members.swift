internal import StreamCore

extension Value {
  /// A member of an object, if it is one and has it.
  func member(_ name: String) -> Value? { if case .map(let map) = self { map[name] } else { nil } }

  /// The text, if it is one.
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
