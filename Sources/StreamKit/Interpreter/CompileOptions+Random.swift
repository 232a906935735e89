internal import CEL
internal import StreamCore

extension CompileOptions {
  /// Returns the origin of random numbers in an expression.
  ///
  /// The numbers differ by the keys and the numbers of the streams around the operator, and by the index of the value.
  ///
  /// - Parameters:
  ///   - place: The location of the expression.
  ///   - variables: The operator's own variables.
  ///   - captured: The variables of the streams around it, which precede them.
  func random(
    at place: JSONPointer, over variables: [Variable], capturing captured: [Variable]
  ) -> RandomSource {
    // A file that is only inspected may get its seed when it is run.
    guard let seed = seed ?? (host.isInspecting ? 0 : nil) else { return .noSeed }
    guard let index = variables.firstIndex(where: { $0.name == "index" }) else { return .noIndex }
    let slots = captured.indices.filter { captured[$0].isDistinct }
    return .place(
      key: { RandomSource.key(seed: Int64(seed), place: "\(place)") }, slots: slots + [captured.count + index])
  }
}
