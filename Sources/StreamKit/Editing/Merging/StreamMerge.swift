public import StreamCore

/// Two versions of a stream file that came out of one, brought together by meaning.
///
/// What only one side has changed is taken from it; both sides' changes stand beside each other where they have nothing
/// to do with each other. Elements of lists are found again as `StreamDiff` finds them.
public struct StreamMerge: Hashable, Sendable {
  /// The merged file; where sides are in conflict, as `favoured` has it.
  public let value: Value
  /// Where both sides have changed the same thing in different ways.
  public let conflicts: [Conflict]

  /// Whose change counts where both have changed the same thing.
  public enum Side: String, Hashable, Sendable, Codable, CaseIterable {
    case ours, theirs
  }

  /// A thing that both sides have changed.
  public struct Conflict: Hashable, Sendable {
    /// What both have done, in words.
    public let message: String
    public let base: Version?
    public let ours: Version?
    public let theirs: Version?
    /// What `markedValue` holds of it.
    public internal(set) var mark: ConflictMark

    /// The thing in one of the three files.
    public struct Version: Hashable, Sendable {
      public let pointer: JSONPointer
      public let value: Value
    }
  }

  /// Brings two versions together.
  ///
  /// - Parameter favoured: whose change stands in `value` where there is a conflict. Default `ours`.
  public init(base: Value, ours: Value, theirs: Value, favouring favoured: Side = .ours) {
    var merger = Merger(base, ours, theirs, favoured: favoured)
    value = merger.merge()
    conflicts = merger.conflicts
  }

  /// The merged file with a mark for each conflict, which keeps it invalid until all are resolved: see `ConflictMark`
  /// and `ConflictResolution`.
  public var markedValue: Value {
    guard !conflicts.isEmpty, case .map(let map) = value else { return value }
    return .map(map.setting(ConflictMark.key, .list(conflicts.map(\.mark.json))))
  }

  /// Brings two versions of a model together.
  ///
  /// - Throws: `mergeConflict` for each conflict, at its place in `ours`; or why what came out is no stream.
  public static func merge(
    base: StreamModel, ours: StreamModel, theirs: StreamModel
  ) throws(Diagnostics) -> StreamModel {
    let merge = StreamMerge(base: base.value, ours: ours.value, theirs: theirs.value)
    try Diagnostics(merge.conflicts.map(\.diagnostic)).throwErrors()
    return try StreamModel(merge.value)
  }
}

extension StreamMerge.Conflict {
  /// The conflict with the three values, at its place in `ours`, else where it was.
  public var diagnostic: Diagnostic { diagnostic(at: ours ?? base ?? theirs) }

  /// The conflict with the three values, at the place of one of them.
  public func diagnostic(at place: Version?) -> Diagnostic {
    let versions = [("base", base), ("ours", ours), ("theirs", theirs)]
    return Diagnostic(
      .mergeConflict, message, at: place?.pointer ?? JSONPointer(),
      notes: versions.map { name, version in
        guard let version else { return "\(name): not there" }
        return "\(name): \(version.pointer): \(Self.short(version.value))"
      },
      help: "merge with --favor ours or --favor theirs, or resolve the conflict in the merged file")
  }

  /// The conflict as JSON.
  public var json: Value {
    var writer = MemberWriter()
    writer.add("message", message)
    for (name, version) in [("base", base), ("ours", ours), ("theirs", theirs)] {
      writer.add(name, version.map { ["pointer": .string($0.pointer.description), "value": $0.value] })
    }
    return writer.value
  }

  static func short(_ value: Value) -> String {
    let text = JSONWriter.compact(value)
    return text.count > 200 ? text.prefix(200) + "…" : text
  }
}
