/// The request line and the header of a request.
struct HTTPRequestHead: Sendable {
  struct Field: Hashable, Sendable {
    /// In lower case.
    let name: String
    let value: String
  }

  /// The framing of the body.
  enum Body: Hashable, Sendable {
    case none
    case length(Int)
    case chunked
  }

  let method: String
  /// The path and the query, as they were sent.
  let target: String
  /// Whether the version is 1.1, not 1.0.
  let isVersion11: Bool
  let fields: [Field]
  let body: Body

  /// The value of a header field; nil if it is absent. Fields of the same name are joined by commas.
  subscript(name: String) -> String? {
    var joined: String?
    for field in fields where field.name == name { joined = joined.map { "\($0), \(field.value)" } ?? field.value }
    return joined
  }

  /// The target before its question mark, percent-encoded.
  var path: Substring { target.prefix { $0 != "?" } }

  /// The target after its question mark, percent-encoded; empty if it has none.
  var query: Substring { target.drop { $0 != "?" }.dropFirst() }

  /// Whether the connection stays open after the response; never with HTTP/1.0.
  var keepsConnection: Bool {
    guard isVersion11, let value = self["connection"]?.lowercased() else { return isVersion11 }
    return !value.split(separator: ",").contains { $0.filter { $0 != " " } == "close" }
  }
}

/// A request with its whole body.
struct HTTPRequest: Sendable {
  let head: HTTPRequestHead
  let body: [UInt8]
}

/// A request that cannot be read, as the status of its response.
struct HTTPFailure: Error, Hashable, Sendable {
  let status: Int
  let detail: String

  init(_ status: Int, _ detail: String) {
    self.status = status
    self.detail = detail
  }
}
