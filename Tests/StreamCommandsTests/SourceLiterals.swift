/// The string literals of a Swift source file, without those in comments.
struct SourceLiterals {
  /// A literal with its interpolations replaced by `…`.
  struct Literal {
    let line: Int
    let text: String
  }

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var line = 1
  private(set) var literals: [Literal] = []

  init(_ source: String) {
    scalars = Array(source.unicodeScalars)
    readCode(untilParenthesis: false)
  }

  private func starts(with text: String) -> Bool {
    let wanted = Array(text.unicodeScalars)
    return scalars.dropFirst(position).prefix(wanted.count).elementsEqual(wanted)
  }

  private mutating func skip(_ count: Int) {
    for scalar in scalars.dropFirst(position).prefix(count) where scalar == "\n" { line += 1 }
    position = min(position + count, scalars.count)
  }

  /// Reads code to the end of the file, or to the parenthesis that closes an interpolation.
  private mutating func readCode(untilParenthesis: Bool) {
    var depth = 0
    while position < scalars.count {
      if starts(with: "//") {
        while position < scalars.count, scalars[position] != "\n" { skip(1) }
      } else if starts(with: "/*") {
        while position < scalars.count, !starts(with: "*/") { skip(1) }
        skip(2)
      } else if let opening {
        readLiteral(hashes: opening.hashes, quotes: opening.quotes)
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

  /// The hash signs and quotation marks of a literal that begins here.
  private var opening: (hashes: String, quotes: String)? {
    let hashes = scalars.dropFirst(position).prefix { $0 == "#" }.count
    let quotes = scalars.dropFirst(position + hashes).prefix(3).prefix { $0 == "\"" }.count
    guard quotes > 0 else { return nil }
    return (String(repeating: "#", count: hashes), quotes == 3 ? "\"\"\"" : "\"")
  }

  private mutating func readLiteral(hashes: String, quotes: String) {
    let start = line
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
    literals.append(Literal(line: start, text: text))
  }
}
