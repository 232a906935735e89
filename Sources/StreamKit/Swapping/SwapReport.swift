public import StreamCore
internal import StreamEngine

/// The outcome of a swap for the parts of a running stream.
///
/// ```swift
/// let report = try await stream.swap(to: newModel)
/// for part in report?.parts ?? [] where part.outcome == .kept { lines.append("kept \(part.name)") }
/// ```
///
/// It lists the active sources, and the active operators with state.
public struct SwapReport: Hashable, Sendable {
  public let parts: [Part]
  /// Number of new operators.
  public let addedCount: Int

  /// A source, or an operator with state.
  public struct Part: Hashable, Sendable {
    /// Its `id`, if it has one.
    public let id: String?
    /// The operator's or source's name.
    public let name: String
    /// The file that contains the part; nil for the main file.
    public let file: String?
    public let oldPointer: JSONPointer
    /// Location in the new version; nil if the part was removed.
    public let newPointer: JSONPointer?
    public let outcome: Outcome
    /// The part in words, without its file: `operator 2 (debounce)`.
    let words: String

    /// Whether the other part is in a field of this one.
    fileprivate func contains(_ other: Part) -> Bool {
      file == other.file && oldPointer.tokens.count < other.oldPointer.tokens.count
        && other.oldPointer.tokens.starts(with: oldPointer.tokens)
    }
  }

  /// The outcome for a part.
  public enum Outcome: Hashable, Sendable {
    /// The part keeps its state.
    case kept
    /// The part starts without state, for this reason.
    case begunAnew(String)
    /// The part was removed with its state, for this reason.
    case lost(String)
  }

  init(_ fates: [SwapResult.Fate], _ matching: VersionMatching) {
    var parts: [Part] = []
    var places: [VersionMatching.Place: Int] = [:]
    for fate in fates {
      guard let (place, part) = Self.part(fate, matching) else { continue }
      if let known = places[place] {
        // For a source with several parts, a part that is reset is the most informative.
        if case .kept = parts[known].outcome { parts[known] = part }
      } else {
        places[place] = parts.count
        parts.append(part)
      }
    }
    // A part inside another part that is not kept is not kept either; only the outer part is reported.
    let gone = parts.filter { $0.outcome != .kept }
    self.parts = parts.filter { part in !gone.contains { $0.contains(part) } }
    addedCount = matching.addedOperators.count
  }

  private static func part(
    _ fate: SwapResult.Fate, _ matching: VersionMatching
  ) -> (VersionMatching.Place, Part)? {
    let place = matching.place(ofOld: fate.old)
    guard !place.joinsOutputs, let value = matching.value(of: place) else { return nil }
    let keepsSomething =
      place.isOperator ? ChangeRules.Stored(value).keepsState : fate.hadState && fate.old.inputNumber == nil
    guard keepsSomething else { return nil }
    let pointer = matching.newPointer(of: place)
    let outcome: Outcome =
      if fate.new != nil {
        .kept
      } else if pointer == nil {
        .lost("it was removed")
      } else {
        .begunAnew(reason(matching.change(of: place), fate.reason))
      }
    return (
      place,
      Part(
        id: place.isOperator ? value.member("id")?.text : nil, name: fate.old.name, file: matching.fileName(of: place),
        oldPointer: place.pointer, newPointer: pointer, outcome: outcome,
        words: matching.words(for: place, named: fate.old.name))
    )
  }

  private static func reason(_ change: StreamChange?, _ obstacle: SwapObstacle?) -> String {
    if let change { return change.reasonToBeginAnew }
    switch obstacle {
    case .behind(let name, let pointer): return "it is upstream of '\(name)' at \(pointer), which is reset"
    case .askedForMore: return "more values were requested from it than are needed now"
    case nil: return "it is no longer at the same position in the stream"
    }
  }
}

extension StreamChange {
  /// The reason why a part with this change is reset.
  fileprivate var reasonToBeginAnew: String {
    switch (subject, kind) {
    case (.streamReference, _): return "its streams changed"
    case (.item, _): return "its items changed"
    case (_, .moved): return "it was moved and has no id"
    default: break
    }
    let grave = fields.filter { $0.effect == effect }.map(\.name)
    if grave.contains("operator") { return "another operator is at its position" }
    if grave.contains("source") { return "another source is at its position" }
    return grave.isEmpty ? "it changed" : "its \(grave.map { "'\($0)'" }.joined(separator: " and ")) changed"
  }
}
