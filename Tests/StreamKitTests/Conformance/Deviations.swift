/// The vectors that are not as RxJS has them, or that a stream file cannot say, and why.
enum Deviations {
  struct Deviation {
    let reason: String
    /// The vectors' ids.
    let vectors: [String]
  }

  /// A decision in SEMANTICS.md: Combine differs from RxJS, and no option gives RxJS's behavior.
  static let decided: [Deviation] = [
    Deviation(
      reason:
        "'min' calls its comparison with the newer value first, as Combine does: this one fails for the other order",
      vectors: ["rxjs/min/should handle a predicate that throws, on observable with many values"])
  ]

  /// A feature without a counterpart in a stream file.
  static let outOfProfile: [Deviation] = [
    Deviation(
      reason: "a group ends with the whole: it is no stream of its own that somebody goes on listening to",
      vectors: [
        "rxjs/groupBy/should allow the outer to be unsubscribed early but inners continue",
        "rxjs/groupBy/should allow using a durationSelector, and outer unsubscribed early",
      ]),
    Deviation(
      reason: "a failure within a group is one of the whole: nobody else could handle it",
      vectors: [
        "rxjs/groupBy/should allow using a keySelector, elementSelector, and durationSelector that throws"
      ]),
    Deviation(
      reason: "a shared stream that no place mentions is not subscribed to; RxJS connects it and takes it away at once",
      vectors: [
        "rxjs/publishReplay/should terminate immediately when the selector returns an empty Observable",
        "rxjs/publishReplay/should emit error when the selector returns Observable.throw",
      ]),
    Deviation(
      reason: "what 'repeatWhen' feeds to its operators cannot be subscribed to in a second place",
      vectors: [
        "rxjs/repeatWhen/should handle a source with eventual error using a dynamic notifier selector which eventually completes"
      ]),
    Deviation(
      reason:
        "a closing stream that fails at once fails when its window is open; a function that fails before has no counterpart",
      vectors: ["rxjs/windowToggle/should propagate error thrown from closingSelector"]),
  ]

  static let all = decided + outOfProfile
}
