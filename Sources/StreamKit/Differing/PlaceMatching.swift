internal import StreamCore

/// Which places of a new file are which of an old one.
///
/// What is not told of has kept its name and its number within what it stands in.
struct PlaceMatching {
  private var oldPlaces = Places()
  private var newPlaces = Places()

  /// Where places of one file are in another one.
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

  /// Where in the old file a place of the new one was; nil for what is new.
  func oldPlace(of new: JSONPointer) -> JSONPointer? { oldPlaces.partner(of: new) }

  /// Where in the new file a place of the old one is; nil for what was removed.
  func newPlace(of old: JSONPointer) -> JSONPointer? { newPlaces.partner(of: old) }
}
