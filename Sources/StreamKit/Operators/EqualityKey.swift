internal import StreamCore

extension Value {
  /// The value in one form for all that equal it: numbers that are equal are the same number, whatever their type, in
  /// lists and maps too. What can be hashed, and compared by `==`, in place of asking for equality.
  ///
  /// NB: NaN, which equals nothing, is one value here: it would fill a set without end.
  var equalityKey: Value {
    switch self {
    case .uint(let number):
      Int64(exactly: number).map(Value.int) ?? self
    case .double(let number):
      Int64(exactly: number).map(Value.int) ?? UInt64(exactly: number).map(Value.uint) ?? self
    case .list(let elements):
      DeepStack.run(needing: DeepStack.partBytes) { .list(elements.map(\.equalityKey)) }
    case .map(let map) where map.keys.allSatisfy(\.isText):
      DeepStack.run(needing: DeepStack.partBytes) {
        .map(ValueMap(shape: map.shape, slots: map.slots.map(\.equalityKey)))
      }
    case .map(let map):
      DeepStack.run(needing: DeepStack.partBytes) {
        .map(ValueMap(map.pairs.map { ($0.equalityKey, $1.equalityKey) }))
      }
    default: self
    }
  }

  private var isText: Bool {
    if case .string = self { true } else { false }
  }
}
