internal import StreamCore

/// The places of a model's members in its short form.
struct ShortFormPlaces: Sendable {
  private enum Content {
    /// A part with members of its own, or a word.
    case part
    /// A string without quotation marks, such as an expression.
    case bare
    /// A JSON text.
    case json(JSONDocument)
  }

  private struct Place {
    var key: Range<Int>?
    var value: Range<Int>
    var content = Content.part
  }

  private var table: [JSONPointer: Place] = [:]

  mutating func add(_ pointer: JSONPointer, _ value: Range<Int>, key: Range<Int>? = nil) {
    table[pointer] = Place(key: key, value: value)
  }

  mutating func add(bare pointer: JSONPointer, _ value: Range<Int>, key: Range<Int>? = nil) {
    table[pointer] = Place(key: key, value: value, content: .bare)
  }

  mutating func add(
    json document: JSONDocument, _ pointer: JSONPointer, _ value: Range<Int>, key: Range<Int>? = nil
  ) {
    table[pointer] = Place(key: key, value: value, content: .json(document))
  }

  /// Returns the byte range of a member or of a part of it; that of the nearest existing ancestor for a missing one.
  func range(of pointer: JSONPointer, _ part: Diagnostic.Part) -> Range<Int> {
    var tokens = pointer.tokens
    var rest: [String] = []
    while true {
      if let place = table[JSONPointer(tokens)] {
        return Self.range(in: place, of: JSONPointer(Array(rest.reversed())), part)
      }
      guard let last = tokens.popLast() else { return 0..<0 }
      rest.append(last)
    }
  }

  private static func range(in place: Place, of rest: JSONPointer, _ part: Diagnostic.Part) -> Range<Int> {
    let start = place.value.lowerBound
    switch (place.content, part) {
    case (_, .key) where rest.tokens.isEmpty: return place.key ?? place.value
    case (.json(let document), _):
      let range = document.range(of: rest, part)
      return start + range.lowerBound..<start + range.upperBound
    case (.bare, .text(let range)) where rest.tokens.isEmpty:
      let lower = min(start + range.lowerBound, place.value.upperBound)
      return lower..<max(lower, min(start + range.upperBound, place.value.upperBound))
    default: return rest.tokens.isEmpty ? place.value : place.key ?? place.value
    }
  }
}
