extension KeyedDecodingContainer {
  /// Decodes the value of a key if the key is present; `null` is a value here, not a missing one.
  ///
  /// NB: Synthesized code for a `Value?` property calls this method instead of the standard library's, which would lose
  /// every null in a field or a state.
  public func decodeIfPresent(_ type: Value.Type, forKey key: Key) throws -> Value? {
    contains(key) ? try decode(Value.self, forKey: key) : nil
  }
}
