/// Whether a text is well-formed as far as our pictures go: every element is closed, every text escaped.
enum SVGCheck {
  /// The fault, if any.
  static func problem(in svg: String) -> String? {
    var open: [Substring] = []
    var rest = Substring(svg)
    while let start = rest.firstIndex(of: "<") {
      if rest[..<start].contains(">") { return "a '>' that is not escaped" }
      if hasBareAmpersand(rest[..<start]) { return "a '&' that is not escaped in: \(rest[..<start])" }
      guard let end = rest[start...].firstIndex(of: ">") else { return "a tag without an end" }
      let tag = rest[rest.index(after: start)..<end]
      let name = tag.drop { $0 == "/" }.prefix { $0 != " " && $0 != "/" }
      if tag.hasPrefix("/") {
        guard open.popLast() == name else { return "</\(name)> closes nothing" }
      } else if !tag.hasSuffix("/") {
        open.append(name)
      }
      if tag.contains("<") || hasBareAmpersand(tag) { return "a tag that holds '<' or '&': \(tag)" }
      if tag.contains("-"), name == "rect", tag.contains("width=\"-") { return "a negative width: \(tag)" }
      rest = rest[rest.index(after: end)...]
    }
    return open.isEmpty ? nil : "not closed: \(open)"
  }

  private static func hasBareAmpersand(_ text: Substring) -> Bool {
    text.split(separator: "&", omittingEmptySubsequences: false).dropFirst().contains { part in
      !["amp;", "lt;", "gt;", "quot;"].contains { part.hasPrefix($0) }
    }
  }
}
