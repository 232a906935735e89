extension Diagnostic: CustomStringConvertible {
  /// One line such as `error S104 at /operators/0/delay/seconds: …`, and one more line for each note and for the help.
  ///
  /// `DiagnosticPrinter` prints diagnostics with the source line they refer to.
  public var description: String {
    var place = pointer.tokens.isEmpty ? "" : " at \(pointer)"
    if let location { place += " (\(location.file):\(location.line):\(location.column))" }
    let details = notes.map { "\n  note: \($0)" } + (help.map { ["\n  help: \($0)"] } ?? [])
    return "\(severity) \(code.rawValue)\(place): \(message)" + details.joined()
  }
}

extension Diagnostics: CustomStringConvertible {
  /// The descriptions of all diagnostics, separated by line breaks.
  public var description: String { all.map(\.description).joined(separator: "\n") }
}
