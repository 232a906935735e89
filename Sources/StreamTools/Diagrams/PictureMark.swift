internal import StreamCore
internal import StreamEngine

/// A mark on a line of the diagram.
struct PictureMark: Hashable {
  enum Kind: Hashable {
    case number, text, truth, list, object, other
    case finished, failure
    /// The number of values that do not fit.
    case more
  }

  let kind: Kind
  let label: String
}

/// Gives values short labels: a long one gets a letter and a line of the legend.
struct PictureLabels {
  /// The values of the letters in order of appearance.
  private(set) var legend: [(letter: String, kind: PictureMark.Kind, text: String)] = []
  private var letters: [String: String] = [:]
  /// The most characters of a label.
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func mark(of event: ExecutionEvent) -> PictureMark? {
    switch event {
    case .value(let value): PictureMark(kind: Self.kind(of: value), label: label(of: value))
    case .finished: PictureMark(kind: .finished, label: "|")
    case .failure: PictureMark(kind: .failure, label: "#")
    case .skipped, .call, .noted: nil
    }
  }

  private mutating func label(of value: Value) -> String {
    if case .string(let text) = value, Self.isPlain(text), text.count <= limit { return text }
    // Values that begin with the same 100 kB have the same letter.
    let text = JSONWriter.beginning(of: value, bytes: 100_000)
    if text.count <= limit { return text }
    if case .double(let number) = value, abs(number) < 1e6, abs(number) >= 0.01 {
      return "~" + JSONWriter.compact(.double((number * 1_000).rounded() / 1_000))
    }
    if let letter = letters[text] { return letter }
    let letter = Self.letter(letters.count)
    letters[text] = letter
    legend.append((letter, Self.kind(of: value), text))
    return letter
  }

  /// A, B … Z, AA, AB …
  private static func letter(_ number: Int) -> String {
    var rest = number
    var text = ""
    repeat {
      text = String(UnicodeScalar(UInt8(65 + rest % 26))) + text
      rest = rest / 26 - 1
    } while rest >= 0
    return text
  }

  /// Whether a string can be drawn without quotes, since it is not a number, a literal or a letter of the legend.
  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.first, first.isLetter, !["true", "false", "null"].contains(text) else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
      && !text.allSatisfy { $0.isASCII && $0.isUppercase }
  }

  private static func kind(of value: Value) -> PictureMark.Kind {
    switch value {
    case .int, .uint, .double: .number
    case .string: .text
    case .bool: .truth
    case .list: .list
    case .map: .object
    default: .other
    }
  }
}
