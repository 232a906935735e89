/// The generations of the playground's files, oldest first. The playground never wrote its generation into a file.
enum PlaygroundGeneration: String, CaseIterable, Comparable {
  /// Before the first release: operators are objects with a `type`.
  case typed = "G0"
  /// 2019-11-07: operators are a linked list; models refer to streams by id.
  case linked = "G1"
  /// Also 2019-11-07: operations on several streams are one model, with the operator as a key.
  case linkedUnions = "G1b"
  /// 2019-11-22: models no longer have stream ids.
  case withoutReferences = "G2"
  /// 2019-12-26: operators are arrays.
  case arrays = "G3"
  /// Also 2019-12-26: operations on several streams are strings.
  case plainUnions = "G4"
  /// 2020-02 and later: scan has its initial value.
  case initialValues = "G5"

  static let allLinked: Set<PlaygroundGeneration> = [.linked, .linkedUnions, .withoutReferences]
  static let allArrays: Set<PlaygroundGeneration> = [.arrays, .plainUnions, .initialValues]

  static func < (lhs: PlaygroundGeneration, rhs: PlaygroundGeneration) -> Bool {
    guard let left = allCases.firstIndex(of: lhs), let right = allCases.firstIndex(of: rhs) else { return false }
    return left < right
  }

  /// Returns the generations that could have written all of these models, or all generations if none could.
  static func shared(by sets: [Set<PlaygroundGeneration>]) -> Set<PlaygroundGeneration> {
    let shared = sets.reduce(Set(allCases)) { $0.intersection($1) }
    return shared.isEmpty ? Set(allCases) : shared
  }

  /// Returns the likeliest of the generations that could have written a model.
  ///
  /// Prefers the oldest generation with linked lists, otherwise the newest with arrays: the first and the last release
  /// were used for months, the releases between them for days.
  static func guess(
    _ possible: Set<PlaygroundGeneration>, context: Set<PlaygroundGeneration>
  ) -> PlaygroundGeneration {
    let narrowed = possible.intersection(context)
    let all = narrowed.isEmpty ? possible : narrowed
    // Files from before the first release are identified by their operators' `type`.
    let released = all.subtracting([.typed])
    let candidates = released.isEmpty ? all : released
    if let oldest = candidates.min(), oldest <= .withoutReferences { return oldest }
    return candidates.max() ?? .initialValues
  }
}
