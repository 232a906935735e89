/// A step of a coding path: a key or an index.
enum PathKey: CodingKey {
  case name(String)
  case index(Int)

  init(stringValue: String) { self = .name(stringValue) }
  init(intValue: Int) { self = .index(intValue) }

  var stringValue: String {
    switch self {
    case .name(let name): name
    case .index(let index): String(index)
    }
  }

  var intValue: Int? { if case .index(let index) = self { index } else { nil } }
}

extension JSONPointer {
  /// Creates the pointer of a coding path.
  init(_ path: some Sequence<any CodingKey>) {
    self.init(path.map { $0.intValue.map(String.init) ?? $0.stringValue })
  }
}
