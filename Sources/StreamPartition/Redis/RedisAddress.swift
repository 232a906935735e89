/// The address of a Redis server, and what it needs to be used.
package struct RedisAddress: Hashable, Sendable {
  package enum Endpoint: Hashable, Sendable {
    case host(String, port: UInt16)
    /// The path of a Unix socket.
    case path(String)
  }

  package var endpoint: Endpoint
  /// The user's name; nil for the default user.
  package var user: String?
  package var password: String?
  /// The number of the database. 0 to 2,147,483,647; clusters have only 0.
  package var database: Int32

  package init(_ endpoint: Endpoint, user: String? = nil, password: String? = nil, database: Int32 = 0) {
    (self.endpoint, self.user, self.password, self.database) = (endpoint, user, password, database)
  }

  /// Reads `redis://[[user]:password@]host[:port][/database]` or `unix://[[user]:password@]/path[?db=database]`.
  ///
  /// The port is 6379 unless it is given. The host is a name, an IPv4 address, or an IPv6 address in brackets. User,
  /// password and path may contain percent-encoded bytes.
  ///
  /// - Throws: `RedisError.invalid`.
  package init(_ url: String) throws(RedisError) {
    if let rest = url.suffix(after: "redis://") {
      try self.init(redis: rest)
    } else if let rest = url.suffix(after: "unix://") {
      try self.init(unix: rest)
    } else if url.suffix(after: "rediss://") != nil {
      throw .invalid(
        "rediss:// is not supported; let a proxy such as stunnel speak TLS, and connect to it with redis://")
    } else {
      throw .invalid("a Redis address begins with redis:// or unix://")
    }
  }

  private init(redis rest: Substring) throws(RedisError) {
    let authority = rest.prefix { $0 != "/" }
    let (user, password, place) = try Self.credentials(authority)
    let host: Substring
    let port: Substring
    if place.first == "[" {
      guard let end = place.firstIndex(of: "]") else { throw .invalid("an IPv6 address ends with ']'") }
      host = place[place.index(after: place.startIndex)..<end]
      port = place[place.index(after: end)...]
    } else {
      host = place.prefix { $0 != ":" }
      port = place.dropFirst(host.count)
    }
    guard !host.isEmpty else { throw .invalid("the Redis address has no host") }
    var number: UInt16 = 6379
    if !port.isEmpty {
      guard port.first == ":", let given = UInt16(port.dropFirst()), given > 0 else {
        throw .invalid("the port of the Redis address is not in 1...65535")
      }
      number = given
    }
    let path = rest.dropFirst(authority.count).dropFirst()
    self.init(
      .host(try Self.decoded(host), port: number), user: user, password: password,
      database: path.isEmpty ? 0 : try Self.database(path))
  }

  private init(unix rest: Substring) throws(RedisError) {
    let (user, password, place) = try Self.credentials(rest)
    let path = place.prefix { $0 != "?" }
    let query = place.dropFirst(path.count)
    guard path.first == "/" else { throw .invalid("unix:// needs an absolute path: unix:///path") }
    var database: Int32 = 0
    if !query.isEmpty {
      guard let number = query.suffix(after: "?db=") else { throw .invalid("expected ?db= behind the path") }
      database = try Self.database(number)
    }
    self.init(.path(try Self.decoded(path)), user: user, password: password, database: database)
  }

  /// Separates `user:password@` from the rest.
  private static func credentials(
    _ text: Substring
  ) throws(RedisError) -> (user: String?, password: String?, rest: Substring) {
    guard let end = text.lastIndex(of: "@") else { return (nil, nil, text) }
    let user = text[..<end].prefix { $0 != ":" }
    guard user.endIndex < end else { throw .invalid("the Redis address has a user without a password") }
    let password = text[text.index(after: user.endIndex)..<end]
    return (
      user.isEmpty ? nil : try decoded(user), try decoded(password), text[text.index(after: end)...]
    )
  }

  private static func database(_ digits: Substring) throws(RedisError) -> Int32 {
    guard digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int32(digits) else {
      throw .invalid("the database of the Redis address is not a number")
    }
    return number
  }

  /// Replaces percent-encoded bytes.
  private static func decoded(_ text: Substring) throws(RedisError) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = Substring(rest.prefix(2))
      guard digits.utf8.count == 2, digits.first != "+", let value = UInt8(digits, radix: 16) else {
        throw .invalid("a '%' in the Redis address is not followed by two hexadecimal digits")
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard !bytes.contains(0), let decoded = String(validating: bytes, as: UTF8.self) else {
      throw .invalid("the Redis address contains bytes that are not text")
    }
    return decoded
  }
}

extension RedisAddress: CustomStringConvertible {
  /// The address without user and password.
  package var description: String {
    switch endpoint {
    case .host(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .path(let path): path
    }
  }
}

extension StringProtocol {
  /// The rest of the text behind a prefix; nil if it begins otherwise.
  fileprivate func suffix(after prefix: String) -> SubSequence? {
    hasPrefix(prefix) ? dropFirst(prefix.count) : nil
  }
}
