internal import StreamCore
internal import StreamEditing
internal import StreamKit

extension StudioRoute {
  /// Versions of a file, compared and merged.
  static let comparisons: [StudioRoute] = [
    StudioRoute(
      .post, "/diff", "The differences between two drafts by meaning", [.body("old", "object"), .body("new", "object")]
    ) { studio, request in
      let old = try request.draft("old").opened(in: studio.folder).stream()
      let new = try request.draft("new").opened(in: studio.folder).stream()
      return ["changes": .list(StreamDiff(from: old, to: new).changes.map { value(of: $0, old, new) })]
    },
    StudioRoute(
      .post, "/merge", "Two changes of a text, merged by meaning",
      [.body("base"), .body("ours"), .body("theirs"), .optional("picks", "object")]
    ) { _, request in
      var picks: [String: String] = [:]
      if case .map(let map)? = request["picks"] {
        for (key, value) in map.pairs { if let place = key.text, let side = value.text { picks[place] = side } }
      }
      do throws(Diagnostics) {
        return try MergedText(
          base: try Self.text("base", request), ours: try Self.text("ours", request),
          theirs: try Self.text("theirs", request), picks: picks
        ).value
      } catch {
        throw StudioProblem(error)
      }
    },
    StudioRoute(.get, "/versions", "The commits that have changed a file", [.query("path")]) { studio, request in
      try await GitHistory(studio.folder).versions(of: try request.text("path"))
    },
    StudioRoute(.get, "/version", "The text of a file in a commit", [.query("path"), .query("rev")]) {
      studio, request in
      try await GitHistory(studio.folder).text(of: try request.text("path"), in: try request.text("rev"))
    },
  ]

  private static func text(_ name: String, _ request: StudioRequest) throws(Diagnostics) -> String {
    do throws(StudioProblem) { return try request.text(name) } catch {
      throw Diagnostics(.invalidArgument, error.title)
    }
  }

  private static func value(of change: StreamChange, _ old: StreamFile, _ new: StreamFile) -> Value {
    let before = change.oldPointer.map { StreamPlace.words($0, in: old.document.value) }
    let after = change.newPointer.map { StreamPlace.words($0, in: new.document.value) }
    return [
      "kind": .string(change.kind.rawValue), "title": .text(after ?? before), "oldTitle": .text(before),
      "effect": .string("\(change.effect)"),
      "pointer": .text((change.newPointer ?? change.oldPointer)?.description),
      "oldPointer": .text(change.oldPointer?.description),
      "old": .text(change.oldValue.map(JSONWriter.pretty)), "new": .text(change.newValue.map(JSONWriter.pretty)),
      "fields": .list(
        change.fields.map { field in
          [
            "name": .string(field.name), "old": .text(field.old.map(JSONWriter.compact)),
            "new": .text(field.new.map(JSONWriter.compact)),
          ]
        }),
    ]
  }
}
