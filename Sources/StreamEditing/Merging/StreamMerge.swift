public import StreamCore
public import StreamKit

/// A semantic three-way merge of stream files.
///
/// ```swift
/// let merge = try StreamMerge(base: base, ours: ours, theirs: theirs)
/// let file = merge.conflicts.isEmpty ? merge.value : merge.markedValue
/// ```
///
/// A change made on one side only is taken from that side; independent changes of both sides are combined. Elements of
/// arrays are matched as in `StreamDiff`.
public struct StreamMerge: Hashable, Sendable {
  /// The merged file, with the favored side's version of each conflict.
  public let value: Value
  /// The merged file with our version of each conflict.
  private let oursValue: Value
  /// Parts that both sides have changed differently.
  public let conflicts: [Conflict]

  /// The side favored in conflicts.
  public enum Side: String, Hashable, Sendable, Codable, CaseIterable {
    case ours, theirs
  }

  /// A part that both sides have changed differently.
  public struct Conflict: Hashable, Sendable {
    /// A description of both changes.
    public let message: String
    public let base: Version?
    public let ours: Version?
    public let theirs: Version?
    /// The mark of the conflict in `markedValue`.
    public internal(set) var mark: StreamModel.ConflictMark

    /// The part in one of the three files.
    public struct Version: Hashable, Sendable {
      public let pointer: JSONPointer
      public let value: Value
    }
  }

  /// Merges two versions with a common base.
  ///
  /// - Parameters:
  ///   - base: The common ancestor's JSON.
  ///   - ours: One version's JSON.
  ///   - theirs: The other version's JSON.
  ///   - side: The side whose version `value` contains for a conflict. Default `ours`.
  /// - Throws: `unresolvedConflict` for each mark of an earlier merge in `ours` or `theirs`. Marks hold versions that
  ///   exist nowhere else, and their locations do not survive another merge: resolve them first.
  /// - Complexity: Linear in the number of elements of an array.
  public init(base: Value, ours: Value, theirs: Value, favoring side: Side = .ours) throws(Diagnostics) {
    try Diagnostics(StreamModel.ConflictMark.problems(in: ours) + StreamModel.ConflictMark.problems(in: theirs))
      .throwErrors()
    var merger = Merger(base, ours, theirs)
    let merged = merger.merge()
    oursValue = merged.ours ?? ours
    value = side == .ours ? oursValue : merged.theirs ?? theirs
    conflicts = merger.conflicts
  }

  /// The merged file with a mark for each conflict, which keeps it invalid until all are resolved; see `StreamModel.ConflictMark`
  /// and `ConflictResolution`. It contains our version at each mark, whichever side `value` favors.
  ///
  /// Resolving all marks for one side gives the `value` of the same merge in favor of that side.
  public var markedValue: Value {
    guard !conflicts.isEmpty, case .map(let map) = oursValue else { return oursValue }
    return .map(map.setting(StreamModel.ConflictMark.key, .list(conflicts.map(\.mark.json))))
  }

  /// Merges two versions of a model.
  ///
  /// - Throws: `mergeConflict` for each conflict, at its location in `ours`; or the reason why the result is not a
  ///   stream.
  public static func merge(
    base: StreamModel, ours: StreamModel, theirs: StreamModel
  ) throws(Diagnostics) -> StreamModel {
    let merge = try StreamMerge(base: base.json, ours: ours.json, theirs: theirs.json)
    try Diagnostics(merge.conflicts.map(\.diagnostic)).throwErrors()
    return try StreamModel(json: merge.value)
  }
}

extension StreamMerge.Conflict {
  /// The conflict with its three values, at its location in `ours`, or else in the base or `theirs`.
  public var diagnostic: Diagnostic { diagnostic(at: ours ?? base ?? theirs) }

  /// Returns the conflict with its three values, at the location of a version.
  public func diagnostic(at place: Version?) -> Diagnostic {
    let versions = [("base", base), ("ours", ours), ("theirs", theirs)]
    return Diagnostic(
      .mergeConflict, message, at: place?.pointer ?? JSONPointer(),
      notes: versions.map { name, version in
        guard let version else { return "\(name): absent" }
        return "\(name): \(version.pointer): \(StreamModel.ConflictMark.short(version.value))"
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
