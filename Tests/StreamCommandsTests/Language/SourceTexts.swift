/// The texts of a Swift source file that people read.
struct SourceTexts {
  struct Text {
    /// The number of its first line.
    let line: Int
    let text: String
  }

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var line = 1
  /// The string literals outside comments, with their interpolations replaced by `…`.
  private(set) var literals: [Text] = []
  /// The blocks of `//` and `///` comments, without their markers. Each paragraph is one line.
  private(set) var comments: [Text] = []
  /// The strings that name tests and suites.
  private(set) var testNames: [Text] = []
  /// The names of functions in backticks.
  private(set) var quotedFunctions: [Text] = []

  init(_ source: String) {
    scalars = Array(source.unicodeScalars)
    readCode(untilParenthesis: false)
  }

  /// Whether the text begins at the position.
  private func starts(with text: String) -> Bool {
    // Most places differ in the first scalar.
    guard position < scalars.count, scalars[position] == text.unicodeScalars.first else { return false }
    return scalars[position...].starts(with: text.unicodeScalars)
  }

  /// Whether the position follows a piece of code, apart from white space.
  private func follows(_ code: String) -> Bool {
    var end = position
    while end > 0, scalars[end - 1] == " " || scalars[end - 1] == "\n" { end -= 1 }
    return scalars[..<end].suffix(code.unicodeScalars.count).elementsEqual(code.unicodeScalars)
  }

  private mutating func skip(_ count: Int) {
    let end = min(position + count, scalars.count)
    while position < end {
      if scalars[position] == "\n" { line += 1 }
      position += 1
    }
  }

  /// Reads code to the end of the file, or to the parenthesis that closes an interpolation.
  private mutating func readCode(untilParenthesis: Bool) {
    var depth = 0
    while position < scalars.count {
      if starts(with: "//") {
        readComment()
      } else if starts(with: "/*") {
        while position < scalars.count, !starts(with: "*/") { skip(1) }
        skip(2)
      } else if starts(with: "#/") {
        while position < scalars.count, !starts(with: "/#") { skip(1) }
        skip(2)
      } else if let opening {
        readLiteral(hashes: opening.hashes, quotes: opening.quotes)
      } else if scalars[position] == "`", follows("func") {
        readFunctionName()
      } else {
        let scalar = scalars[position]
        skip(1)
        if scalar == "(" { depth += 1 }
        if scalar == ")" {
          if depth == 0, untilParenthesis { return }
          depth -= 1
        }
      }
    }
  }

  /// Reads the comment that begins here, and those of the same kind on the lines below unless it is behind code.
  private mutating func readComment() {
    let start = line
    let marker = starts(with: "///") ? "///" : "//"
    let isAlone = scalars[..<position].last { $0 == "\n" || !$0.properties.isWhitespace }.map { $0 == "\n" } ?? true
    var text = ""
    while true {
      let end = scalars[position...].firstIndex(of: "\n") ?? scalars.endIndex
      var content = String.UnicodeScalarView(scalars[position..<end].dropFirst(marker.count))
      content = String.UnicodeScalarView(content.drop { $0 == " " })
      let startsParagraph = content.isEmpty || text.hasSuffix("\n") || content.starts(with: "- ".unicodeScalars)
      if !text.isEmpty { text += startsParagraph ? "\n" : " " }
      text += String(content)
      position = end
      // The next line continues the comment if nothing else is before its marker.
      let next = scalars[end...].firstIndex { !$0.properties.isWhitespace } ?? scalars.endIndex
      let isNextLine = scalars[end..<next].count { $0 == "\n" } == 1
      guard isAlone, isNextLine, scalars[next...].starts(with: marker.unicodeScalars) else { break }
      guard marker == "///" || !scalars[next...].starts(with: "///".unicodeScalars) else { break }
      skip(next - position)
    }
    comments.append(Text(line: start, text: text))
  }

  private mutating func readFunctionName() {
    let start = line
    skip(1)
    let end = scalars[position...].firstIndex(of: "`") ?? scalars.endIndex
    let name = String(String.UnicodeScalarView(scalars[position..<end]))
    quotedFunctions.append(Text(line: start, text: name))
    skip(end + 1 - position)
  }

  /// The hash signs and quotation marks of a literal that begins here.
  private var opening: (hashes: String, quotes: String)? {
    guard scalars[position] == "#" || scalars[position] == "\"" else { return nil }
    let hashes = scalars.dropFirst(position).prefix { $0 == "#" }.count
    let quotes = scalars.dropFirst(position + hashes).prefix(3).prefix { $0 == "\"" }.count
    guard quotes > 0 else { return nil }
    return (String(repeating: "#", count: hashes), quotes == 3 ? "\"\"\"" : "\"")
  }

  private mutating func readLiteral(hashes: String, quotes: String) {
    let start = line
    let isTestName = follows("@Test(") || follows("@Suite(")
    skip(hashes.count + quotes.count)
    var text = ""
    while position < scalars.count, !starts(with: quotes + hashes) {
      if starts(with: "\\" + hashes + "(") {
        skip(2 + hashes.count)
        readCode(untilParenthesis: true)
        text += "…"
      } else if starts(with: "\\" + hashes) {
        // An escape. A line that ends with a backslash continues on the next one.
        let escaped = scalars.dropFirst(position + 1 + hashes.count).first
        skip(2 + hashes.count)
        if escaped == "\"" { text += "\"" } else if escaped != "\n" { text += " " }
      } else {
        text.unicodeScalars.append(scalars[position])
        skip(1)
      }
    }
    skip(quotes.count + hashes.count)
    literals.append(Text(line: start, text: text))
    if isTestName { testNames.append(Text(line: start, text: text)) }
  }
}
