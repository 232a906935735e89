/// How large a key, its state and a record may be: all of one key's fits into a frame of the worker's protocol.
enum KeyLimits {
  /// Maximum number of bytes of the text of a key.
  static let key = 1_048_576
  /// Maximum number of bytes of the state of a key, with the records that it holds.
  static let state = 48 * 1_048_576
  /// Maximum number of bytes of a record.
  static let record = 32 * 1_048_576

  /// Returns the message about something of a key that is too large.
  static func exceeded(_ count: Int, what: String, of key: String, limit: Int) -> String {
    "the \(what) of the key \(key) has \(count) bytes; the limit is \(limit / 1_048_576) MiB on more than one machine. "
      + "Keep less for a key: limit its lists, or divide by a key with fewer values"
  }

  /// Returns the beginning of the text of a key.
  static func excerpt(_ key: some Collection<UInt8>) -> String {
    let beginning = String(decoding: key.prefix(excerptCount), as: UTF8.self)
    return key.count > excerptCount ? beginning + "…" : beginning
  }

  private static let excerptCount = 200
}
