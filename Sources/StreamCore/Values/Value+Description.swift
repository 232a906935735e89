extension Value: CustomStringConvertible {
  /// The value as JSON without white space, limited to 10,000 bytes and an ellipsis.
  ///
  /// NB: The default description would reflect on the value recursively, and a deep one would overflow a small stack.
  public var description: String { JSONWriter.beginning(of: self, bytes: 10_000) }
}
