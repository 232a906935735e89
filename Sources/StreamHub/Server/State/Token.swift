internal import StreamCore

/// A token as the hub stores it: without its secret.
struct Token: Hashable, Sendable {
  /// 8 hexadecimal digits, which are part of the token too.
  let id: String
  /// The SHA-256 of the whole token.
  let hash: String
  let scopes: [TokenScope]
  let note: String?
  /// In seconds since 1970.
  let created: Int64
  /// In seconds since 1970; nil if it does not expire.
  let expires: Int64?

  private static let prefix = "shub_"

  /// Makes a token with a random secret of 256 bits.
  ///
  /// - Returns: The stored form, and the text that is shown once.
  static func make(scopes: [TokenScope], note: String?, expires: Int64?, now: Int64) -> (token: Token, text: String) {
    let id = random(bytes: 4)
    let text = prefix + id + random(bytes: 32)
    return (Token(id: id, hash: hash(of: text), scopes: scopes, note: note, created: now, expires: expires), text)
  }

  private static func random(bytes: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: (0..<2 * bytes).map { _ in digits[Int(generator.next() & 15)] }, as: UTF8.self)
  }

  private static func hash(of text: String) -> String {
    var digest = ContentDigest()
    digest.update(text)
    return digest.text
  }

  /// The ID in the text of a token; nil if the text is not a token.
  static func id(in text: String) -> String? {
    guard text.hasPrefix(prefix), text.utf8.count == prefix.utf8.count + 8 + 64 else { return nil }
    return String(text.dropFirst(prefix.count).prefix(8))
  }

  /// Whether the text is this token. Takes the same time wherever they differ.
  func matches(_ text: String) -> Bool {
    let found = Self.hash(of: text)
    guard found.utf8.count == hash.utf8.count else { return false }
    return zip(found.utf8, hash.utf8).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }

  func permits(_ scope: TokenScope) -> Bool { scopes.contains { $0.permits(scope) } }

  func isExpired(at now: Int64) -> Bool { expires.map { $0 <= now } ?? false }
}

extension Token {
  init?(_ json: Value) {
    guard let id = json.member("id")?.text, let hash = json.member("sha256")?.text,
      case .list(let scopes)? = json.member("scopes"), case .int(let created)? = json.member("created")
    else { return nil }
    self.id = id
    self.hash = hash
    self.scopes = scopes.compactMap { $0.text.flatMap(TokenScope.init) }
    note = json.member("note")?.text
    self.created = created
    if case .int(let time)? = json.member("expires") { expires = time } else { expires = nil }
  }

  var json: Value {
    var map = ValueMap([
      ("id", .string(id)), ("sha256", .string(hash)), ("scopes", .list(scopes.map { .string($0.text) })),
      ("created", .int(created)),
    ])
    if let note { map = map.setting("note", .string(note)) }
    if let expires { map = map.setting("expires", .int(expires)) }
    return .map(map)
  }
}
