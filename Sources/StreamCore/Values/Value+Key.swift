extension Value {
  /// The value as a map key: equal numbers are the same key, whatever their type.
  public var asKey: Value {
    switch self {
    case .uint(let number): Int64(exactly: number).map(Value.int) ?? self
    case .double(let number): Int64(exactly: number).map(Value.int) ?? self
    default: self
    }
  }
}
