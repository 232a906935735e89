internal import StreamCore
internal import StreamEditing
internal import StreamKit

/// Two changes of a text, merged by meaning. Every byte of our version that the merge does not change stays.
struct MergedText {
  private let text: String
  private let conflicts: [StreamMerge.Conflict]
  private let base: Value

  /// - Parameter picks: The version to take at conflicts, by the place of the conflict: `base`, `ours` or `theirs`.
  init(
    base: String, ours: String, theirs: String, picks: [String: String] = [:], file: String = "ours"
  ) throws(Diagnostics) {
    let old = try JSONDocument(reading: base, file: "base")
    let mine = try JSONDocument(reading: ours, file: file)
    let other = try JSONDocument(reading: theirs, file: "theirs")
    let merge = try StreamMerge(base: old.value, ours: mine.value, theirs: other.value)
    var value = merge.value
    if picks.values.contains("theirs"), !merge.conflicts.isEmpty {
      value = merge.markedValue
      for (place, side) in picks.sorted(by: { $0.key < $1.key }) {
        let pointer: JSONPointer
        do throws(Diagnostic) { pointer = try JSONPointer(parsing: place) } catch { throw Diagnostics([error]) }
        value = try ConflictResolution(of: value, favoring: side == "theirs" ? .theirs : .ours, at: pointer).value
      }
      if value.member(StreamModel.ConflictMark.key) != nil {
        value = try ConflictResolution(of: value, favoring: .ours).value
      }
    }
    var merged = try StreamEditor.document(mine, changedInto: value)
    for conflict in merge.conflicts where picks["\(conflict.mark.place)"] == "base" {
      let edit: StreamEdit =
        conflict.base.map { .set(conflict.mark.place, JSONFragment($0.value)) } ?? .remove(conflict.mark.place)
      merged = try StreamEditor.document(merged, after: [edit])
    }
    text = String(decoding: merged.source.bytes, as: UTF8.self)
    conflicts = merge.conflicts
    self.base = old.value
  }

  var value: Value {
    [
      "text": .string(text),
      "conflicts": .list(
        conflicts.map { conflict in
          [
            "pointer": .string("\(conflict.mark.place)"), "title": .string(conflict.message),
            "base": Self.text(conflict.base), "ours": Self.text(conflict.ours), "theirs": Self.text(conflict.theirs),
          ]
        }),
    ]
  }

  private static func text(_ version: StreamMerge.Conflict.Version?) -> Value {
    version.map { .string(JSONWriter.pretty($0.value)) } ?? .null
  }
}
