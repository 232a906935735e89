internal import StreamDriving
internal import StreamFiles

/// Reads the commands of a stepped replay from single keys of a terminal.
///
/// A key is the command of the same letter; arrow keys and Return step. Digits before a key are its number. The commands
/// `o` and `g` ask for their argument on a line, which Escape cancels.
struct StepKeys {
  private let keys: TerminalKeys
  private let output: OutputBuffer
  /// The bytes that have been read and not been used.
  private var pending: [UInt8] = []

  private enum Key: Equatable {
    case byte(UInt8), left, right, escape, other

    static func character(_ character: Unicode.Scalar) -> Key { .byte(UInt8(ascii: character)) }
  }

  static let help = """
    n, →, Return   the next event (10n: ten events)
    b, ←           back to before the event (10b: ten events)
    o              to the next output of an operator: asks for its id, or its place such as /operators/2
    g              to an event: asks for its number
    e              to the end
    q              quit
    """

  /// Nanoseconds in which the rest of a key's bytes arrives.
  private static let patience: Int64 = 50_000_000
  private static let longestLine = 1024

  /// Nil if standard input is not a terminal.
  init?(_ output: OutputBuffer) {
    guard let keys = TerminalKeys() else { return nil }
    (self.keys, self.output) = (keys, output)
  }

  func restore() { keys.restore() }

  /// Waits for a command. Returns nil if there are no more.
  mutating func command() throws(RunStop) -> String? {
    var number = ""
    while let key = try next() {
      switch key {
      case .byte(UInt8(ascii: "0")...UInt8(ascii: "9")):
        if case .byte(let digit) = key, number.count < 9 { number.append(Character(Unicode.Scalar(digit))) }
      case .right, .character("\n"), .character("\r"), .character("n"), .character(" "): return "n \(number)"
      case .left, .character("b"): return "b \(number)"
      case .character("g"):
        if !number.isEmpty { return "g \(number)" }
        if let argument = try line("event number: ") { return "g \(argument)" }
      case .character("o"):
        if let argument = try line("operator: ") { return "o \(argument)" }
      case .character("e"): return "e"
      case .character("q"), .character("\u{4}"): return "q"
      case .escape: number = ""
      default: return "h"
      }
    }
    return nil
  }

  // MARK: Lines

  /// Asks for a line. Returns nil if it is empty or canceled.
  private mutating func line(_ question: String) throws(RunStop) -> String? {
    var bytes: [UInt8] = []
    try show(question, bytes)
    while let key = try next() {
      switch key {
      case .character("\n"), .character("\r"):
        output.append(raw: "\n")
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
      case .escape, .character("\u{4}"):
        output.append(raw: "\r\u{1B}[K")
        return nil
      case .character("\u{7F}"), .character("\u{8}"):
        bytes = Array(String(decoding: bytes, as: UTF8.self).dropLast().utf8)
      case .character("\u{15}"): bytes = []
      case .byte(let byte) where byte >= 0x20 && bytes.count < Self.longestLine: bytes.append(byte)
      default: continue
      }
      try show(question, bytes)
    }
    return nil
  }

  /// Writes the line over the one before it.
  private func show(_ question: String, _ bytes: [UInt8]) throws(RunStop) {
    output.append(raw: "\r\u{1B}[K\(question)\(String(decoding: bytes, as: UTF8.self))")
  }

  // MARK: Keys

  /// Waits for a key. Returns nil if there are no more.
  private mutating func next() throws(RunStop) -> Key? {
    if pending.isEmpty {
      try output.flush()
      guard let read = keys.keys() else { return nil }
      pending = read
    }
    let byte = pending.removeFirst()
    guard byte == 0x1B else { return .byte(byte) }
    // An arrow key sends ESC [ C or ESC O C, whose bytes may arrive one by one.
    guard let second = rest() else { return .escape }
    guard second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else {
      pending.insert(second, at: 0)
      return .escape
    }
    var last = rest()
    while let parameter = last, (0x20...0x3F).contains(parameter) { last = rest() }
    switch last {
    case UInt8(ascii: "C"): return .right
    case UInt8(ascii: "D"): return .left
    default: return .other
    }
  }

  /// The next byte of the same key; nil if there is none.
  private mutating func rest() -> UInt8? {
    if pending.isEmpty { pending = keys.keys(within: Self.patience) }
    return pending.isEmpty ? nil : pending.removeFirst()
  }
}
