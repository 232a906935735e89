internal import StreamCore

extension Value {
  /// One value for all values that CEL's equality takes for the same: numbers that are equal become one number, in
  /// lists and maps too. Keys can be hashed and compared by `==`.
  ///
  /// NB: NaN, which equals nothing, is one value here: it would fill a set without end.
  var equalityKey: Value {
    mapLeaves(includesKeys: true) { leaf in
      switch leaf {
      case .uint(let number): Int64(exactly: number).map(Value.int) ?? leaf
      case .double(let number): Int64(exactly: number).map(Value.int) ?? UInt64(exactly: number).map(Value.uint) ?? leaf
      default: leaf
      }
    }
  }
}
