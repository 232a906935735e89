internal import CEL
@_spi(Engine) internal import StreamCore
internal import StreamFiles

/// A file that holds one saved state: a line that describes the content, and the content.
///
/// The line is `streamrun-state 1 DIGEST LENGTH`: the version of the format, the SHA-256 digest of the content in 64
/// hexadecimal digits, and its length in bytes. The content is one JSON object; a line break ends it. The page "Saved
/// states" describes its members.
enum StateFile {
  static let name = "streamrun-state"
  static let version = "1"

  /// Returns the bytes of a file with this content.
  static func bytes(of content: [UInt8]) -> [UInt8] {
    var digest = ContentDigest()
    digest.update(content)
    return Array("\(name) \(version) \(digest.text) \(content.count)\n".utf8) + content + [UInt8(ascii: "\n")]
  }

  /// Why a file holds no state.
  enum Damage: Error, Equatable {
    case notAState
    case otherVersion(String)
    case cut(expected: Int, found: Int)
    case changed

    /// Whether a newer program has saved it.
    var isNewer: Bool { if case .otherVersion = self { true } else { false } }

    var text: String {
      switch self {
      case .notAState: "it does not begin as a saved state does"
      case .otherVersion(let version):
        "was saved by a newer program: it has version \(version) of the format, and this program reads version 1"
      case .cut(let expected, let found): "it should have \(expected.counted("byte")) of content, and has \(found)"
      case .changed: "its content does not match its digest"
      }
    }
  }

  /// Returns the content of a file.
  static func content(of bytes: [UInt8]) throws(Damage) -> [UInt8] {
    guard let end = bytes.prefix(256).firstIndex(of: UInt8(ascii: "\n")) else { throw .notAState }
    let line = bytes[..<end].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard line.first == name, line.count >= 2 else { throw .notAState }
    guard line[1] == version else {
      throw line[1].utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        ? .otherVersion(line[1]) : .notAState
    }
    guard line.count == 4, let count = Int(line[3]), count >= 0 else { throw .notAState }
    let rest = bytes[(end + 1)...]
    guard rest.count == count + 1 else { throw .cut(expected: count, found: max(0, rest.count - 1)) }
    let content = Array(rest.dropLast())
    var digest = ContentDigest()
    digest.update(content)
    guard digest.text == line[2], rest.last == UInt8(ascii: "\n") else { throw .changed }
    return content
  }
}
