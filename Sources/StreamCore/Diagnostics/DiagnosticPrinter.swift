/// Prints diagnostics for people, with the source line and carets, and as JSON for tools.
///
/// ```swift
/// do {
///   _ = try StreamModel(checking: text, file: source.file)
/// } catch {
///   let printer = DiagnosticPrinter()
///   for diagnostic in error.all { problems.append(printer.text(diagnostic, source: source)) }
/// }
/// ```
public struct DiagnosticPrinter: Sendable {
  /// Whether the output contains escape sequences for terminal colors.
  public var usesColors: Bool
  /// Maximum width of a source line, in columns. A longer line is shortened around the diagnostic's location.
  public var width = 100

  public init(usesColors: Bool = false) { self.usesColors = usesColors }

  /// Returns the diagnostic as lines of text, without a trailing line break.
  ///
  /// The source line is omitted if `source` is nil or the diagnostic has no location.
  public func text(_ diagnostic: Diagnostic, source: SourceText? = nil) -> String {
    var lines: [String] = []
    var header = ""
    if let location = diagnostic.location {
      header = paint("\(location.file):\(location.line):\(location.column): ", .bold)
    }
    header += paint("\(diagnostic.severity.rawValue) \(diagnostic.code.rawValue): ", color(of: diagnostic.severity))
    lines.append(header + paint(diagnostic.message, .bold))
    var margin = 4
    if let location = diagnostic.location, let source, source.file == location.file {
      let excerpt = SourceExcerpt(source, location, width: width)
      let number = String(location.line)
      margin = number.count + 2
      let indent = String(repeating: " ", count: margin)
      lines.append(paint(" \(number) | ", .frame) + excerpt.line)
      lines.append(
        paint("\(indent)| ", .frame) + excerpt.indent
          + paint(String(repeating: "^", count: excerpt.caretCount), color(of: diagnostic.severity)))
    }
    let indent = String(repeating: " ", count: margin)
    func add(_ text: String) { lines.append(paint("\(indent)= ", .frame) + VisibleText.line(text)) }
    if !diagnostic.pointer.tokens.isEmpty { add("at " + Self.shortened("\(diagnostic.pointer)")) }
    for note in diagnostic.notes { add("note: \(note)") }
    if let help = diagnostic.help { add("help: \(help)") }
    return lines.joined(separator: "\n")
  }

  /// Shortens a pointer to a few lines, keeping its beginning and end.
  private static func shortened(_ pointer: String) -> String {
    pointer.count <= 200 ? pointer : "\(pointer.prefix(120)) … \(pointer.suffix(40))"
  }

  /// Returns the diagnostic as an object. Every key is present; an unknown value is null.
  public func json(_ diagnostic: Diagnostic) -> Value {
    let location = diagnostic.location
    return [
      "severity": .string(diagnostic.severity.rawValue),
      "code": .string(diagnostic.code.rawValue),
      "message": .string(diagnostic.message),
      "pointer": .string(diagnostic.pointer.description),
      "file": location.map { .string($0.file) } ?? .null,
      "line": location.map { .int(Int64($0.line)) } ?? .null,
      "column": location.map { .int(Int64($0.column)) } ?? .null,
      "offset": location.map { .int(Int64($0.bytes.lowerBound)) } ?? .null,
      "length": location.map { .int(Int64($0.bytes.count)) } ?? .null,
      "notes": .list(diagnostic.notes.map(Value.string)),
      "help": diagnostic.help.map(Value.string) ?? .null,
    ]
  }

  // MARK: Colors

  private enum Style: String {
    case bold = "1"
    case red = "1;31"
    case yellow = "1;33"
    case cyan = "1;36"
    case frame = "34"
  }

  private func color(of severity: Diagnostic.Severity) -> Style {
    switch severity {
    case .error: .red
    case .warning: .yellow
    case .note: .cyan
    }
  }

  /// A text that is shown, in a color.
  private func paint(_ text: String, _ style: Style) -> String {
    let text = VisibleText.line(text)
    return usesColors ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
