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
    // Most places differ in the first scalar.
    guard position < scalars.count, scalars[position] == text.unicodeScalars.first else { return false }
    return scalars[position...].starts(with: text.unicodeScalars)
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
    guard scalars[position] == "#" || scalars[position] == "\"" else { return nil }
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
