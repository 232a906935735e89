extension Diagnostic {
  /// The suggested replacement for the text at the diagnostic's location, taken from a help such as `did you mean
  /// 'seconds'?`.
  public var replacement: String? {
    let opening = "did you mean "
    guard let help, help.hasPrefix(opening), help.hasSuffix("?") else { return nil }
    let quoted = help.dropFirst(opening.count).dropLast()
    guard let quote = quoted.first, quote == "'" || quote == "\"", quoted.count > 2, quoted.last == quote else {
      return nil
    }
    return String(quoted.dropFirst().dropLast())
  }
}
