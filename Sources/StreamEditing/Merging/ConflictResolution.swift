public import StreamCore
public import StreamKit

/// Resolves the conflicts that a merge has marked in a file.
///
/// ```swift
/// let resolved = try ConflictResolution(of: merge.markedValue, favoring: .theirs)
/// ```
public struct ConflictResolution: Sendable {
  /// The file with the selected versions, without the marks of the resolved conflicts.
  public let value: Value
  /// The marks of the remaining conflicts, with their locations in `value`.
  public let left: [StreamModel.ConflictMark]
  /// Number of resolved conflicts.
  public let count: Int

  /// Resolves conflicts of a file.
  ///
  /// - Parameters:
  ///   - file: The file's JSON, with the marks of a merge.
  ///   - side: The side whose version is selected; nil keeps the current contents of the file.
  ///   - place: Restricts the resolution to conflicts at or within this location; nil resolves all.
  /// - Throws: `invalidPointer` if there is no such conflict; `patchFailed` if the file has changed since the merge so
  ///   that a version no longer applies.
  public init(
    of file: Value, favoring side: StreamMerge.Side?, at place: JSONPointer? = nil
  ) throws(Diagnostics) {
    let marks = try StreamModel.ConflictMark.all(in: file)
    let entries = marks.enumerated().map { number, mark in
      ConflictResolver.Entry(
        number: number, mark: mark, isChosen: place.map { mark.place.tokens.starts(with: $0.tokens) } ?? true)
    }
    count = entries.count { $0.isChosen }
    guard count > 0 else { throw Diagnostics([Self.noConflict(at: place, among: marks)]) }
    var value = file
    var left = entries.filter { !$0.isChosen }
    if let side {
      do throws(ConflictResolver.StaleMark) {
        left = try ConflictResolver(side: side).resolve(&value, entries, depth: 0)
      } catch {
        throw Diagnostics(
          .patchFailed, "the conflict at '\(error.place)' cannot be resolved: the file has changed since the merge",
          at: JSONPointer([StreamModel.ConflictMark.key]),
          help: "edit the file by hand, then resolve the conflict without --favor")
      }
    }
    left.sort { $0.number < $1.number }
    self.left = left.map(\.mark)
    guard case .map(let map) = value else {
      self.value = value
      return
    }
    self.value = .map(
      left.isEmpty
        ? map.removing(StreamModel.ConflictMark.key)
        : map.setting(StreamModel.ConflictMark.key, .list(self.left.map(\.json))))
  }

  private static func noConflict(at place: JSONPointer?, among marks: [StreamModel.ConflictMark]) -> Diagnostic {
    let known = marks.map(\.place.description)
    guard let place, !marks.isEmpty else {
      return Diagnostic(.invalidPointer, "the file has no conflict to resolve")
    }
    return Diagnostic(
      .invalidPointer, "there is no conflict at '\(place)'", at: JSONPointer([StreamModel.ConflictMark.key]),
      notes: ["there are conflicts at: \(known.listed)"],
      help: nearestName(to: place.description, among: known).map { "did you mean '\($0)'?" })
  }
}
