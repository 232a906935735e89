internal import StreamFiles

/// A response.
struct HTTPResponse: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// The next bytes of an open file, which is closed after them.
    case file(FileDescriptor, count: Int)
    /// Events, until the client or the server closes the connection: first these bytes, then the events with higher IDs.
    case events(first: [UInt8], after: Int)
  }

  var status: Int
  /// Names in lower case, without those of the framing.
  var fields: [(name: String, value: String)]
  var body: Body
  /// Whether the connection is closed after the response.
  var closes = false

  init(_ status: Int, _ fields: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.init(status, fields, .bytes(body))
  }

  init(_ status: Int, _ fields: [(name: String, value: String)], _ body: Body) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// The number of bytes of the body; nil for events.
  var length: Int? {
    switch body {
    case .bytes(let bytes): bytes.count
    case .file(_, let count): count
    case .events: nil
    }
  }

  /// The status line and the header.
  ///
  /// - Parameter date: The field `date`.
  func head(date: String, closes: Bool) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(Self.reason(status))\r\ndate: \(date)\r\n"
    for field in fields { text += "\(field.name): \(field.value)\r\n" }
    // A response with one of these statuses has no body, and states no length.
    if let length, status != 204, status != 304 { text += "content-length: \(length)\r\n" }
    text += closes ? "connection: close\r\n\r\n" : "\r\n"
    return Array(text.utf8)
  }

  /// The reason phrase of a status.
  static func reason(_ status: Int) -> String { reasons[status] ?? "Status" }

  private static let reasons = [
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 304: "Not Modified", 400: "Bad Request",
    401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
    408: "Request Timeout", 409: "Conflict", 412: "Precondition Failed", 413: "Content Too Large",
    414: "URI Too Long", 415: "Unsupported Media Type", 417: "Expectation Failed", 422: "Unprocessable Content",
    428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
    505: "HTTP Version Not Supported", 507: "Insufficient Storage",
  ]
}
