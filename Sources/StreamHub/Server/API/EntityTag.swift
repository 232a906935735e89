internal import StreamCore

/// Strong entity tags, and the conditions on them (RFC 9110, section 13).
enum EntityTag {
  /// The tag of a representation, from its content.
  static func of(_ text: String) -> String {
    var digest = ContentDigest()
    digest.update(text)
    return tag(digest.text)
  }

  static func of(_ bytes: [UInt8]) -> String {
    var digest = ContentDigest()
    digest.update(bytes)
    return tag(digest.text)
  }

  /// The tag of a SHA-256 in hexadecimal digits: half of them are enough to distinguish contents.
  static func tag(_ digest: String) -> String { "\"\(digest.prefix(32))\"" }

  /// Whether a list of tags, or `*`, has a tag. `If-None-Match` compares weakly, `If-Match` strongly.
  ///
  /// - Parameter tag: The tag of the current representation; nil if there is none.
  static func matches(_ list: String, _ tag: String?, isWeak: Bool) -> Bool {
    guard let tag else { return false }
    return list.split(separator: ",").contains { element in
      var text = element.trimmingSpaces
      if text == "*" { return true }
      if isWeak, text.hasPrefix("W/") { text = text.dropFirst(2) }
      return text == tag
    }
  }
}

extension StringProtocol {
  /// The text without spaces and tabs around it.
  var trimmingSpaces: SubSequence {
    let isText: (Character) -> Bool = { $0 != " " && $0 != "\t" }
    guard let first = firstIndex(where: isText), let last = lastIndex(where: isText) else { return prefix(0) }
    return self[first...last]
  }
}
