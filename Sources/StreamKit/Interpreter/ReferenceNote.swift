package import StreamCore

/// The notes of an error in a definition, or in another file, about the places that refer to it.
package enum ReferenceNote {
  /// The most notes of an error.
  private static let shownCount = 8

  package static func definition(_ name: String) -> String { "the definition '\(name)'" }

  package static func file(_ path: String) -> String { "the file \"\(path)\"" }

  /// Returns the note about operators that are applied.
  ///
  /// - Parameters:
  ///   - name: "the definition 'smooth'".
  ///   - places: The places of `apply`, as `place(of:in:)` returns them.
  package static func applied(_ name: String, at places: [String]) -> String {
    "in \(name), which is applied at \(places.joined(separator: " and "))"
  }

  /// Returns the note about a file whose stream is a source of another one.
  package static func used(_ name: String, at places: [String]) -> String {
    "in \(name), which is used at \(places.joined(separator: " and "))"
  }

  /// Returns an error without the notes about references to its file: the same error has others through another file.
  package static func withoutFiles(_ problem: Diagnostic) -> Diagnostic {
    var plain = problem
    if problem.location != nil { plain.pointer = JSONPointer() }
    plain.notes.removeAll { $0.hasPrefix("in the file \"") }
    return plain
  }

  /// Returns the notes that an error has, of all those that lead to its place.
  static func shown(of notes: [() -> String]) -> [String] {
    // Only the number of the omitted notes counts.
    shown(notes.prefix(shownCount).map { $0() } + notes.dropFirst(shownCount).map { _ in "" })
  }

  /// Returns the notes that an error has, of all those that lead to its place.
  package static func shown(_ notes: [String]) -> [String] {
    guard notes.count > shownCount else { return notes }
    return notes.prefix(shownCount - 1) + ["and \(notes.count - shownCount + 1) more references lead there"]
  }

  /// Returns a place of a file, such as `stream.json:3:5`.
  package static func place(of pointer: JSONPointer, in document: JSONDocument) -> String {
    let location = document.locate(Diagnostic(.assumption, "", at: pointer)).location
    return location.map { "\($0.file):\($0.line):\($0.column)" } ?? pointer.description
  }

  /// Returns the errors of a file that could not be loaded: those of the reference to it at `field`, and those in its
  /// text with a note.
  static func adding(_ note: String, to problems: Diagnostics, at field: JSONPointer) -> Diagnostics {
    Diagnostics(
      problems.all.map { problem in
        guard problem.location != nil else { return problem.prefixed(by: field) }
        var noted = problem
        noted.notes.append(note)
        return noted
      })
  }
}
