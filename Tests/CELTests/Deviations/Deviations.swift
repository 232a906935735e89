/// A difference between cel-spec's tests and the default of streams (mixed numbers), with its reason.
struct Deviation {
  /// The actual behavior, and the reason for it.
  let reason: String
  /// The vectors' ids.
  let vectors: [String]
}

enum Deviations {
  static let ofMixedNumbers: [Deviation] = [
    Deviation(
      reason: "a function of a double takes an int: JSON says 1 where it means 1.0",
      vectors: ["math_ext/ceil/dyn_error", "math_ext/round/dyn_error"])
  ]
}
