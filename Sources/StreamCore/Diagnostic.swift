/// Something wrong with a file, an expression, the data or the arguments, and what to do about it.
public struct Diagnostic: Error, Hashable, Sendable, Codable {
  /// How bad it is.
  public enum Severity: String, Hashable, Sendable, Codable, CaseIterable {
    case error, warning, note
  }

  public var severity: Severity
  public var code: DiagnosticCode
  /// What was found and what was expected, in one sentence without a full stop.
  public var message: String
  /// Where in the JSON document; empty for the whole of it.
  public var pointer: JSONPointer
  /// Which part of the member that `pointer` names is meant.
  public var part: Part
  /// Where in the file, once the file's text is at hand.
  public var location: SourceLocation?
  /// What else helps to understand.
  public var notes: [String]
  /// What to do, where that can be said.
  public var help: String?

  /// The part of a JSON member that a diagnostic points at.
  public enum Part: Hashable, Sendable, Codable {
    /// The key: an unknown name.
    case key
    /// The value.
    case value
    /// A part of a text value, in UTF-8 bytes of the **decoded** string: an expression's error.
    case text(Range<Int>)
  }

  public init(
    _ code: DiagnosticCode, _ message: String, at pointer: JSONPointer = JSONPointer(), part: Part = .value,
    severity: Severity = .error, notes: [String] = [], help: String? = nil, location: SourceLocation? = nil
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.pointer = pointer
    self.part = part
    self.location = location
    self.notes = notes
    self.help = help
  }

  /// The same, seen from further up: `prefix` is put before the pointer.
  public func prefixed(by prefix: JSONPointer) -> Diagnostic {
    var copy = self
    copy.pointer = prefix + pointer
    return copy
  }
}

/// All that is wrong at once; never empty when thrown.
public struct Diagnostics: Error, Hashable, Sendable, Codable {
  public var all: [Diagnostic]

  public init(_ all: [Diagnostic] = []) { self.all = all }

  /// Throws the error of `body` as a list.
  package static func listing<Result>(
    _ body: () throws(Diagnostic) -> Result
  ) throws(Diagnostics) -> Result {
    do throws(Diagnostic) {
      return try body()
    } catch {
      throw Diagnostics([error])
    }
  }

  public var isEmpty: Bool { all.isEmpty }
  /// Whether anything in it is an error rather than a warning or a note.
  public var hasErrors: Bool { all.contains { $0.severity == .error } }

  public mutating func append(_ diagnostic: Diagnostic) { all.append(diagnostic) }
  public mutating func append(contentsOf other: Diagnostics) { all += other.all }

  /// The same, each pointer with `prefix` before it.
  public func prefixed(by prefix: JSONPointer) -> Diagnostics {
    Diagnostics(all.map { $0.prefixed(by: prefix) })
  }

  /// The most diagnostics that are shown of one file.
  public static let shownLimit = 1_000

  /// At most `limit` of them, errors before warnings and notes, in their order; and, if there are more, a note
  /// (`furtherErrors`) with the number of the others.
  public func limited(to limit: Int = shownLimit) -> Diagnostics {
    guard all.count > limit + 1 else { return self }
    var errors = min(limit, all.count { $0.severity == .error })
    var others = limit - errors
    let shown = all.filter { diagnostic in
      if diagnostic.severity == .error {
        errors -= 1
        return errors >= 0
      }
      others -= 1
      return others >= 0
    }
    // A list that was limited before ends in such a note, which still counts.
    let note = Diagnostic(
      .furtherErrors, "\(all.count - limit) further errors are not shown", severity: .note,
      help: "fix the first ones first")
    return Diagnostics(shown + [note])
  }

  /// Throws if anything in it is an error.
  public func throwErrors() throws(Diagnostics) {
    if hasErrors { throw self }
  }
}

/// A place in a text, for people and for editors.
public struct SourceLocation: Hashable, Sendable, Codable {
  /// The file's name as the user gave it; `-` is standard input.
  public var file: String
  /// Bytes of the text, from its beginning.
  public var bytes: Range<Int>
  /// Line of the first byte, from 1.
  public var line: Int
  /// Column of the first byte in Unicode scalars, from 1.
  public var column: Int

  public init(file: String, bytes: Range<Int>, line: Int, column: Int) {
    self.file = file
    self.bytes = bytes
    self.line = line
    self.column = column
  }
}
