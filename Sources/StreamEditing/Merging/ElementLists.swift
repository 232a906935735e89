internal import StreamCore
internal import StreamKit

/// The identity of an element in three arrays: its index in the base, or the side that added it and its index there.
enum ElementKey: Hashable {
  case base(Int)
  case ours(Int)
  case theirs(Int)

  var isAdded: Bool { if case .base = self { false } else { true } }
}

/// Which elements of three versions of a list are the same.
struct ElementLists {
  private let base: [StreamPart]
  private let ours: [StreamPart]
  private let theirs: [StreamPart]
  /// The elements of each side, in its order.
  let oursKeys: [ElementKey]
  let theirsKeys: [ElementKey]
  /// The elements that our side has moved.
  let oursMoved: Set<ElementKey>
  let theirsMoved: Set<ElementKey>
  private let oursPlaces: [ElementKey: Int]
  private let theirsPlaces: [ElementKey: Int]

  init(_ base: [StreamPart], _ ours: [StreamPart], _ theirs: [StreamPart], role: StreamRole) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
    let first = ListAlignment(base.map(\.value), ours.map(\.value), role: role)
    let second = ListAlignment(base.map(\.value), theirs.map(\.value), role: role)
    // Additions of both sides are one element if they have the same identifier, or are equal.
    var free = Additions()
    for place in first.added { free.append(place, ours[place].value, role.element) }
    var shared: [Int: Int] = [:]
    for place in second.added { shared[place] = free.take(theirs[place].value, role.element) }
    let (oldPlaces, theirOldPlaces) = (first.oldPlaces, second.oldPlaces)
    let oursKeys: [ElementKey] = ours.indices.map { place in oldPlaces[place].map { .base($0) } ?? .ours(place) }
    let theirsKeys: [ElementKey] = theirs.indices.map { place in
      theirOldPlaces[place].map { .base($0) } ?? shared[place].map { .ours($0) } ?? .theirs(place)
    }
    self.oursKeys = oursKeys
    self.theirsKeys = theirsKeys
    oursMoved = Set(first.moved.map { oursKeys[$0] })
    theirsMoved = Set(second.moved.map { theirsKeys[$0] })
    oursPlaces = Dictionary(uniqueKeysWithValues: zip(oursKeys, ours.indices))
    theirsPlaces = Dictionary(uniqueKeysWithValues: zip(theirsKeys, theirs.indices))
  }

  /// Every element once.
  var keys: [ElementKey] {
    oursKeys + theirsKeys.filter { oursPlaces[$0] == nil }
      + base.indices.map { .base($0) }.filter { oursPlaces[$0] == nil && theirsPlaces[$0] == nil }
  }

  /// An element in the three versions.
  func parts(of key: ElementKey) -> (base: StreamPart?, ours: StreamPart?, theirs: StreamPart?) {
    let old: StreamPart? = if case .base(let place) = key { base[place] } else { nil }
    return (old, oursPlaces[key].map { ours[$0] }, theirsPlaces[key].map { theirs[$0] })
  }
}

/// Elements that one side has added, to be found by identifier or by value.
private struct Additions {
  private var named: [String: ArraySlice<Int>] = [:]
  private var equal: [Value: ArraySlice<Int>] = [:]
  private var taken: Set<Int> = []

  mutating func append(_ place: Int, _ value: Value, _ role: StreamRole) {
    if let name = role.identifier(of: value) { named[name, default: []].append(place) }
    equal[value, default: []].append(place)
  }

  /// Takes the first element with the identifier of a value or equal to it.
  mutating func take(_ value: Value, _ role: StreamRole) -> Int? {
    equal[value] = equal[value]?.drop(while: taken.contains)
    var found = equal[value]?.first
    if let name = role.identifier(of: value) {
      named[name] = named[name]?.drop(while: taken.contains)
      if let other = named[name]?.first { found = min(found ?? other, other) }
    }
    if let found { taken.insert(found) }
    return found
  }
}
