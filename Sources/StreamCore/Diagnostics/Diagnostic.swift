/// A problem in a file, an expression, the data or the arguments, and its fix.
///
/// ```swift
/// do {
///   _ = try StreamModel(checking: text, file: "rules.json")
/// } catch {
///   for diagnostic in error.all { problems.append("\(diagnostic.pointer): \(diagnostic.message)") }
/// }
/// ```
public struct Diagnostic: Error, Hashable, Sendable, Codable {
  /// The seriousness of a diagnostic.
  public enum Severity: String, Hashable, Sendable, Codable, CaseIterable {
    case error, warning, note
  }

  public var severity: Severity
  public var code: DiagnosticCode
  /// The finding and the expectation, in one sentence without a period.
  public var message: String
  /// Location in the JSON document; empty for the whole document.
  public var pointer: JSONPointer
  /// The part of the member at `pointer` that the diagnostic refers to.
  public var part: Part
  /// Location in the file; nil until the file's text is known.
  public var location: Location?
  /// Further facts that help to understand the message.
  public var notes: [String]
  /// The fix for the problem; nil if none is known.
  public var help: String?

  /// The part of a JSON member that a diagnostic refers to.
  public enum Part: Hashable, Sendable, Codable {
    /// The key, as for an unknown name.
    case key
    /// The value.
    case value
    /// A range in a string value, in UTF-8 bytes of the **decoded** string, as for an error in an expression.
    case text(Range<Int>)
  }

  public init(
    _ code: DiagnosticCode, _ message: String, at pointer: JSONPointer = JSONPointer(), part: Part = .value,
    severity: Severity = .error, notes: [String] = [], help: String? = nil, location: Location? = nil
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

  /// Returns the diagnostic with `prefix` prepended to its pointer.
  public func prefixed(by prefix: JSONPointer) -> Diagnostic {
    var copy = self
    copy.pointer = prefix + pointer
    return copy
  }
}

/// A collection of diagnostics. Never empty when thrown.
///
/// ```swift
/// do {
///   _ = try StreamModel(checking: text, file: "rules.json")
/// } catch {
///   problems.append(error.description)
/// }
/// ```
public struct Diagnostics: Error, Hashable, Sendable, Codable {
  public var all: [Diagnostic]

  public init(_ all: [Diagnostic] = []) { self.all = all }

  /// Creates a collection of a single error.
  package init(
    _ code: DiagnosticCode, _ message: String, at pointer: JSONPointer = JSONPointer(), part: Diagnostic.Part = .value,
    notes: [String] = [], help: String? = nil
  ) {
    all = [Diagnostic(code, message, at: pointer, part: part, notes: notes, help: help)]
  }

  /// Returns the result of `body`; throws its error as a collection.
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
  /// Whether at least one diagnostic is an error.
  public var hasErrors: Bool { all.contains { $0.severity == .error } }

  public mutating func append(_ diagnostic: Diagnostic) { all.append(diagnostic) }
  public mutating func append(contentsOf other: Diagnostics) { all += other.all }

  /// Returns the diagnostics with `prefix` prepended to each pointer.
  public func prefixed(by prefix: JSONPointer) -> Diagnostics {
    Diagnostics(all.map { $0.prefixed(by: prefix) })
  }

  /// Maximum number of diagnostics shown for one file.
  public static let shownLimit = 1_000

  /// Returns at most `limit` diagnostics, errors first, otherwise in their order.
  ///
  /// If some are left out, a note (`furtherErrors`) at the end gives their number.
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
      help: "fix these errors first")
    return Diagnostics(shown + [note])
  }

  /// Throws the diagnostics if at least one is an error.
  public func throwErrors() throws(Diagnostics) {
    if hasErrors { throw self }
  }
}

extension Diagnostic {
  /// A location in a text, for people and for editors.
  public struct Location: Hashable, Sendable, Codable {
    /// The file's name as the user gave it; `-` is standard input.
    public var file: String
    /// Byte range in the text.
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
}
