/// Reads a body with the transfer encoding `chunked` (RFC 9112, section 7.1).
///
/// Extensions of chunks and the fields after the last chunk are skipped; each line has at most 256 bytes.
struct ChunkedBody {
  private enum Place {
    case size
    case data(Int)
    case dataEnd
    case trailer
  }

  private(set) var bytes: [UInt8] = []
  private var place = Place.size
  private var trailerCount = 0
  /// Maximum number of bytes of the body.
  private let limit: Int
  private static let lineBytes = 256

  init(limit: Int) { self.limit = limit }

  /// Reads encoded bytes, and removes them from the input.
  ///
  /// - Returns: Whether the body is complete.
  mutating func read(_ input: inout [UInt8]) throws(HTTPFailure) -> Bool {
    var rest = input[...]
    defer { input = Array(rest) }
    while true {
      switch place {
      case .size:
        guard let line = try Self.line(&rest) else { return false }
        let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09 }
        guard (1...8).contains(digits.count), let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
          size >= 0, digits.first != UInt8(ascii: "+")
        else { throw HTTPFailure(400, "a chunk has no size") }
        guard bytes.count + size <= limit else { throw HTTPFailure(413, "the body has more than \(limit) bytes") }
        place = size == 0 ? .trailer : .data(size)
      case .data(let size):
        let part = rest.prefix(size)
        guard !part.isEmpty else { return false }
        bytes += part
        rest = rest.dropFirst(part.count)
        place = part.count == size ? .dataEnd : .data(size - part.count)
      case .dataEnd:
        guard rest.count >= 2 else { return false }
        guard rest.starts(with: [carriageReturn, lineFeed]) else {
          throw HTTPFailure(400, "a chunk is longer than its size")
        }
        rest = rest.dropFirst(2)
        place = .size
      case .trailer:
        guard let line = try Self.line(&rest) else { return false }
        if line.isEmpty { return true }
        trailerCount += 1
        guard trailerCount <= 16 else { throw HTTPFailure(431, "more than 16 fields follow the body") }
      }
    }
  }

  /// Removes a line, and returns it without its end; nil if it is incomplete.
  private static func line(_ rest: inout ArraySlice<UInt8>) throws(HTTPFailure) -> ArraySlice<UInt8>? {
    guard let end = rest.prefix(lineBytes + 2).firstIndex(of: lineFeed) else {
      guard rest.count <= lineBytes else { throw HTTPFailure(400, "a line of the body has more than 256 bytes") }
      return nil
    }
    guard end > rest.startIndex, rest[end - 1] == carriageReturn else {
      throw HTTPFailure(400, "a line ends without a carriage return")
    }
    defer { rest = rest[(end + 1)...] }
    return rest[..<(end - 1)]
  }
}
