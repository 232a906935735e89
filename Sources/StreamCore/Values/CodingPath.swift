/// A step of a coding path: a key or an index.
struct PathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}

extension JSONPointer {
  /// Creates the pointer of a coding path.
  init(_ path: some Sequence<any CodingKey>) {
    self.init(path.map { $0.intValue.map(String.init) ?? $0.stringValue })
  }
}
