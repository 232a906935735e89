internal import StreamCore

extension Value {
  /// An object with its members in this order.
  static func object(_ members: (String, Value)...) -> Value {
    .map(ValueMap(members.map { (Value.string($0.0), $0.1) }))
  }
}

extension ValueMap {
  /// An object with its members in this order.
  init(members: (String, Value)...) {
    self.init(members.map { (Value.string($0.0), $0.1) })
  }
}
