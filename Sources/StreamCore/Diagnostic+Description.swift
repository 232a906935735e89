extension Diagnostic: CustomStringConvertible {
  /// One line, and one more for each note and for what helps: `error S104 at /operators/0/delay/seconds: …`.
  ///
  /// The command prints diagnostics with their lines of the file: see `DiagnosticPrinter`.
  public var description: String {
    var place = pointer.tokens.isEmpty ? "" : " at \(pointer)"
    if let location { place += " (\(location.file):\(location.line):\(location.column))" }
    let details = notes.map { "\n  note: \($0)" } + (help.map { ["\n  help: \($0)"] } ?? [])
    return "\(severity) \(code.rawValue)\(place): \(message)" + details.joined()
  }
}

extension Diagnostics: CustomStringConvertible {
  /// The diagnostics, one below the other.
  public var description: String { all.map(\.description).joined(separator: "\n") }
}
