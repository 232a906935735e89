/// A value of a document with its location in the text, for formatters and editors.
package struct JSONPlace: Sendable {
  package let document: JSONDocument
  package let value: Value
  /// The member's name, unescaped; nil in a list and at the root.
  package let name: String?
  /// The positions of the document, kept to avoid repeated lookups.
  private let positions: JSONPositions
  private let node: Int

  fileprivate init(_ document: JSONDocument, _ positions: JSONPositions, _ node: Int, _ value: Value, name: String?) {
    self.document = document
    self.positions = positions
    self.node = node
    self.value = value
    self.name = name
  }

  /// The bytes of the value, with its quotation marks or brackets.
  package var bytes: Range<Int> { positions.nodes[node].value }

  /// The bytes of the key, with its quotation marks; nil if there is no key.
  package var key: Range<Int>? { positions.nodes[node].key }

  /// Range from the key, or from the value if there is no key, to the end of the value.
  package var whole: Range<Int> { (key?.lowerBound ?? bytes.lowerBound)..<bytes.upperBound }

  /// The elements of a list or the members of an object, in the order of the text.
  package var children: [JSONPlace] {
    let values: [Value]
    let names: [Value]?
    switch value {
    case .list(let items): (values, names) = (items.elements, nil)
    case .map(let map): (values, names) = (Array(map.slots), map.keys)
    default: return []
    }
    return values.indices.compactMap { place in
      guard let child = positions.child(of: node, at: place) else { return nil }
      return JSONPlace(document, positions, child, values[place], name: names.map { JSONWriter.text(ofKey: $0[place]) })
    }
  }

  /// Returns the child that a JSON pointer token names, and its index; nil if there is none.
  package func child(_ token: String) -> (number: Int, place: JSONPlace)? {
    guard let (number, value) = value.element(token), let child = positions.child(of: node, at: number) else {
      return nil
    }
    if case .list = self.value { return (number, JSONPlace(document, positions, child, value, name: nil)) }
    return (number, JSONPlace(document, positions, child, value, name: token))
  }
}

extension JSONDocument {
  /// The outermost value.
  package var root: JSONPlace { JSONPlace(self, positions, 0, value, name: nil) }

  /// Returns the place at a pointer, or nil if there is none.
  package func place(at pointer: JSONPointer) -> JSONPlace? {
    var place = root
    for token in pointer.tokens {
      guard let (_, next) = place.child(token) else { return nil }
      place = next
    }
    return place
  }
}
