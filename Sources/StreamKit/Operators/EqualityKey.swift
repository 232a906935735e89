internal import StreamCore

extension Value {
  /// A representative of all values that are equal in CEL: equal numbers become one number, in lists and maps too. Keys
  /// are hashed, and compared by `==`.
  ///
  /// NB: all NaNs share one key although NaN equals nothing: they would fill a set without limit.
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
