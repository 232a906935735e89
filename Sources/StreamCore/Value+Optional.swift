extension KeyedDecodingContainer {
  /// The value of a key, if it is there: `null` is a value here, and not the lack of one.
  ///
  /// NB: what the compiler writes for a field of type `Value?` finds this in place of the standard library's, which
  /// would lose every null that a field or a state holds.
  public func decodeIfPresent(_ type: Value.Type, forKey key: Key) throws -> Value? {
    contains(key) ? try decode(Value.self, forKey: key) : nil
  }
}
