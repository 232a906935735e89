extension Value: CustomStringConvertible {
  /// The value as JSON without white space, or its first 10,000 bytes and an ellipsis.
  ///
  /// NB: without it, printing a value would reflect on it recursively, and a deep one would overflow a small stack.
  public var description: String { JSONWriter.beginning(of: self, bytes: 10_000) }
}
