extension Value {
  /// The value as a map key: a number of any type that equals an int becomes that int.
  public var asKey: Value {
    switch self {
    case .uint(let number): Int64(exactly: number).map(Value.int) ?? self
    case .double(let number): Int64(exactly: number).map(Value.int) ?? self
    default: self
    }
  }
}
