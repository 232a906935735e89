internal import StreamCore

/// Why a request is not answered, as `application/problem+json` (RFC 9457).
struct StudioProblem: Error {
  let status: Status
  let title: String
  var detail: String?
  /// Further members of the answer.
  var members: [(Value, Value)] = []

  /// A status of HTTP (RFC 9110).
  enum Status: Int {
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case conflict = 409
    case contentTooLarge = 413
    case misdirectedRequest = 421
    case unprocessableContent = 422
  }

  init(_ status: Status, _ title: String, detail: String? = nil, members: [(Value, Value)] = []) {
    self.status = status
    self.title = title
    self.detail = detail
    self.members = members
  }

  /// A problem with the errors of a file.
  init(_ diagnostics: Diagnostics) {
    let first = diagnostics.all.first { $0.severity == .error } ?? diagnostics.all.first
    self.init(
      .unprocessableContent, first?.message ?? "the file is invalid", detail: first?.help,
      members: [
        (
          "diagnostics",
          .list(
            diagnostics.all.map {
              ["code": .string($0.code.rawValue), "message": .string($0.message), "pointer": .string("\($0.pointer)")]
            })
        )
      ])
  }

  static func missing(_ title: String) -> StudioProblem { StudioProblem(.notFound, title) }
  static func invalid(_ title: String) -> StudioProblem { StudioProblem(.badRequest, title) }

  var value: Value {
    var all: [(Value, Value)] = [("title", .string(title)), ("status", .count(status.rawValue))]
    if let detail { all.append(("detail", .string(detail))) }
    return .map(ValueMap(all + members))
  }
}
