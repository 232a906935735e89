internal import StreamCore
internal import StreamEditing
internal import StreamFiles
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

/// The versions of files that git keeps.
struct GitHistory {
  private let folder: StudioFolder

  /// Maximum number of commits.
  private static let limit = 100

  init(_ folder: StudioFolder) { self.folder = folder }

  func versions(of path: String) async throws(StudioProblem) -> Value {
    let place = try folder.place(of: path)
    let format = "--format=%H%x09%aI%x09%an%x09%s"
    let output = try await run(["log", "-n", String(Self.limit), "--no-color", format, "--", place])
    let lines = output.split(separator: "\n")
    return [
      "versions": .list(
        lines.compactMap { line in
          let parts = line.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
          guard parts.count == 4 else { return nil }
          return [
            "rev": .string(parts[0]), "date": .string(parts[1]), "author": .string(parts[2]),
            "title": .string(parts[3]),
          ]
        })
    ]
  }

  func text(of path: String, in revision: String) async throws(StudioProblem) -> Value {
    let place = try folder.place(of: path)
    // A revision is not an option.
    guard !revision.hasPrefix("-"), !revision.isEmpty, !revision.contains(":") else {
      throw .invalid("'\(revision)' is not a commit")
    }
    let output = try await run(["show", "\(revision):./\(folder.path(of: place))"])
    return ["text": .string(output)]
  }

  private func run(_ arguments: [String]) async throws(StudioProblem) -> String {
    let result: Result<String, StudioProblem> = await Task.detached { [folder] in
      do throws(SystemError) {
        // Git's own words are for a terminal.
        let process = try PipedProcess(
          "/bin/sh", ["-c", "exec git \"$@\" 2>/dev/null", "git", "-C", folder.root, "--no-pager"] + arguments,
          readsOutput: true)
        process.closeInput()
        var bytes: [UInt8] = []
        while let output = process.output, !process.hasClosedOutput, bytes.count < StudioFolder.longestText {
          _ = Waiting.readable([output], nanoseconds: 1_000_000_000)
          if let more = process.read() { bytes += more }
        }
        PipedProcess.wait(for: [process], 2_000)
        guard case .exit(0)? = process.end else {
          return .failure(StudioProblem(.notFound, "git has no such file or commit"))
        }
        return .success(String(decoding: bytes, as: UTF8.self))
      } catch {
        return .failure(StudioProblem(.notFound, "git cannot be started"))
      }
    }.value
    return try result.get()
  }
}
