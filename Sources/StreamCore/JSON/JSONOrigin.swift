/// A text in another notation that a JSON text was made from, and the places of the JSON values in it.
package struct JSONOrigin: Sendable {
  package let source: SourceText
  /// Returns the byte range of a member or of a part of it; that of the nearest existing ancestor for a missing one.
  let range: @Sendable (JSONPointer, Diagnostic.Part) -> Range<Int>

  package init(
    source: SourceText, range: @escaping @Sendable (JSONPointer, Diagnostic.Part) -> Range<Int>
  ) {
    self.source = source
    self.range = range
  }
}
