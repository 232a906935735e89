/// An argument of a command.
package enum RESPArgument: ExpressibleByStringLiteral, Sendable {
  case text(String)
  case bytes([UInt8])
  case integer(Int64)

  package init(stringLiteral text: String) { self = .text(text) }
}

/// Writes commands, which are arrays of strings, into one buffer.
package struct RESPWriter {
  /// The commands since the last `removeAll`.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Writes a command.
  package mutating func command(_ arguments: [RESPArgument]) {
    begin(arguments.count)
    for argument in arguments {
      switch argument {
      case .text(let text): append(text)
      case .bytes(let bytes): append(bytes)
      case .integer(let value): append(value)
      }
    }
  }

  /// Begins a command. Exactly `count` arguments, the name among them, are appended then.
  package mutating func begin(_ count: Int) { header(UInt8(ascii: "*"), count) }

  package mutating func append(_ text: String) {
    header(UInt8(ascii: "$"), text.utf8.count)
    bytes.append(contentsOf: text.utf8)
    endLine()
  }

  package mutating func append(_ argument: [UInt8]) {
    header(UInt8(ascii: "$"), argument.count)
    bytes.append(contentsOf: argument)
    endLine()
  }

  /// Appends an integer as decimal digits.
  package mutating func append(_ value: Int64) {
    var count = value < 0 ? 2 : 1
    var rest = value.magnitude / 10
    while rest > 0 {
      count += 1
      rest /= 10
    }
    header(UInt8(ascii: "$"), count)
    Decimal.append(value, to: &bytes)
    endLine()
  }

  /// Appends commands that another writer has written.
  package mutating func append(_ other: RESPWriter) { bytes.append(contentsOf: other.bytes) }

  /// Empties the buffer and keeps its memory, unless that exceeds 16 MB.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: bytes.capacity <= 16 << 20) }

  private mutating func header(_ kind: UInt8, _ count: Int) {
    bytes.append(kind)
    Decimal.append(Int64(count), to: &bytes)
    endLine()
  }

  private mutating func endLine() {
    bytes.append(UInt8(ascii: "\r"))
    bytes.append(UInt8(ascii: "\n"))
  }
}
