public import StreamCore
public import StreamKit

/// Two versions of a stream file that came out of one, brought together by meaning.
///
/// What only one side has changed is taken from it; both sides' changes stand beside each other where they have nothing
/// to do with each other. Elements of lists are found again as `StreamDiff` finds them.
public struct StreamMerge: Hashable, Sendable {
  /// The merged file, with the version of the favored side where there is a conflict.
  public let value: Value
  /// The merged file with ours where there is a conflict.
  private let oursValue: Value
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
  /// - Parameter base: the common version.
  /// - Parameter ours: our version.
  /// - Parameter theirs: the other version.
  /// - Parameter side: whose change stands in `value` where there is a conflict. Default `ours`.
  /// - Throws: `unresolvedConflict` for each mark of an earlier merge in `ours` or `theirs`. Marks hold versions that
  ///   exist nowhere else, and their places do not survive another merge: resolve them first.
  /// - Complexity: linear in the number of elements of a list.
  public init(base: Value, ours: Value, theirs: Value, favoring side: Side = .ours) throws(Diagnostics) {
    try Diagnostics(ConflictMark.problems(in: ours) + ConflictMark.problems(in: theirs)).throwErrors()
    var merger = Merger(base, ours, theirs)
    let merged = merger.merge()
    oursValue = merged.ours ?? ours
    value = side == .ours ? oursValue : merged.theirs ?? theirs
    conflicts = merger.conflicts
  }

  /// The merged file with a mark for each conflict, which keeps it invalid until all are resolved: see `ConflictMark`
  /// and `ConflictResolution`. Ours stands at each mark, whichever side `value` favors.
  ///
  /// Resolving all marks for one side gives the `value` of the same merge in favor of that side.
  public var markedValue: Value {
    guard !conflicts.isEmpty, case .map(let map) = oursValue else { return oursValue }
    return .map(map.setting(ConflictMark.key, .list(conflicts.map(\.mark.json))))
  }

  /// Brings two versions of a model together.
  ///
  /// - Throws: `mergeConflict` for each conflict, at its place in `ours`; or why what came out is no stream.
  public static func merge(
    base: StreamModel, ours: StreamModel, theirs: StreamModel
  ) throws(Diagnostics) -> StreamModel {
    let merge = try StreamMerge(base: base.json, ours: ours.json, theirs: theirs.json)
    try Diagnostics(merge.conflicts.map(\.diagnostic)).throwErrors()
    return try StreamModel(json: merge.value)
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
        return "\(name): \(version.pointer): \(ConflictMark.short(version.value))"
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
}
