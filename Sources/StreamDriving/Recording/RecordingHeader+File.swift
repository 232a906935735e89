internal import StreamFiles

extension RecordingHeader {
  /// The bytes with which each header begins.
  private static let start = Array("{\"recording\":".utf8)
  /// The end of a recording whose run could not save its first state: no event precedes that.
  private static let emptyEnd = Array("{\"end\":0,\"events\":0,\"values\":0,\"because\":\"refused\"}\n".utf8)
  /// Maximum length of a header that is recognized, in bytes.
  private static let maximumLength = 64 << 20

  /// Whether a file is a header without events, or the part of one that a power cut has left. The end of a run that could
  /// not save its first state may follow.
  ///
  /// A cut may also keep the length of a file and lose its bytes, which are zeros then.
  static func isAll(of file: FileDescriptor, length: Int) -> Bool {
    guard length <= maximumLength, let bytes = try? file.read(exactly: length, at: 0) else { return false }
    let text = bytes.prefix { $0 != 0 }
    guard bytes[text.count...].allSatisfy({ $0 == 0 }) else { return false }
    if let end = text.firstIndex(of: UInt8(ascii: "\n")) {
      let rest = bytes[(end + 1)...]
      guard rest.elementsEqual(emptyEnd.prefix(rest.count)) else { return false }
    }
    return text.prefix(start.count).elementsEqual(start.prefix(text.count))
  }
}
