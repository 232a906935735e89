internal import StreamCore

/// Maps locations in a new file to locations in an old one.
///
/// A location without an entry has kept its name or index within its parent.
struct PlaceMatching {
  private var oldPlaces = Places()
  private var newPlaces = Places()

  /// A mapping of the locations of one file to those of another.
  private struct Places {
    var partners: [JSONPointer: JSONPointer] = [:]
    var gone: Set<JSONPointer> = []

    func partner(of pointer: JSONPointer) -> JSONPointer? {
      var place = JSONPointer()
      var found = JSONPointer()
      for token in pointer.tokens {
        place.tokens.append(token)
        if gone.contains(place) { return nil }
        if let partner = partners[place] { found = partner } else { found.tokens.append(token) }
      }
      return found
    }
  }

  mutating func match(_ old: JSONPointer, _ new: JSONPointer) {
    oldPlaces.partners[new] = old
    newPlaces.partners[old] = new
  }

  mutating func add(_ new: JSONPointer) { oldPlaces.gone.insert(new) }

  mutating func remove(_ old: JSONPointer) { newPlaces.gone.insert(old) }

  /// Returns the old location of a new one; nil for an added value.
  func oldPlace(of new: JSONPointer) -> JSONPointer? { oldPlaces.partner(of: new) }

  /// Returns the new location of an old one; nil for a removed value.
  func newPlace(of old: JSONPointer) -> JSONPointer? { newPlaces.partner(of: old) }
}
