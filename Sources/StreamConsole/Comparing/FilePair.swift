/// Two versions of a file; nil for a missing one.
package struct FilePair {
  /// The name of the file in the output.
  package let name: String
  package let old: String?
  package let new: String?

  package init(name: String, old: String?, new: String?) {
    self.name = name
    self.old = old
    self.new = new
  }
}
