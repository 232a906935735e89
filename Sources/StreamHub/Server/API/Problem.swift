internal import StreamCore

/// An error in a response, as `application/problem+json` (RFC 9457).
struct Problem: Error, Sendable {
  /// The kinds of problems. The names are stable, and are the ends of the types.
  enum Kind: String, CaseIterable, Sendable {
    case badRequest = "bad-request"
    case invalidName = "invalid-name"
    case unauthorized
    case forbidden
    case noKey = "no-key"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case requestTimeout = "request-timeout"
    case preconditionFailed = "precondition-failed"
    case tooLarge = "too-large"
    case targetTooLong = "target-too-long"
    case unsupportedMediaType = "unsupported-media-type"
    case expectationFailed = "expectation-failed"
    case invalidStream = "invalid-stream"
    case invalidMetadata = "invalid-metadata"
    case preconditionRequired = "precondition-required"
    case tooManyRequests = "too-many-requests"
    case headerTooLarge = "header-too-large"
    case internalError = "internal-error"
    case notImplemented = "not-implemented"
    case unavailable
    case notReady = "not-ready"
    case versionNotSupported = "version-not-supported"
  }

  let kind: Kind
  let detail: String
  /// Further members of the object.
  var members: [(name: String, value: Value)] = []
  /// Further fields of the header.
  var fields: [(name: String, value: String)] = []

  init(_ kind: Kind, _ detail: String) {
    self.kind = kind
    self.detail = detail
  }

  /// The kind that the HTTP server reports with a status.
  init(_ failure: HTTPFailure) {
    let kind = Kind.allCases.first { $0.status == failure.status } ?? .badRequest
    self.init(kind, failure.detail)
  }

  var json: Value {
    let known: [(Value, Value)] = [
      ("type", .string(kind.type)), ("title", .string(kind.title)), ("status", .int(Int64(kind.status))),
      ("detail", .string(detail)),
    ]
    return .map(ValueMap(known + members.map { (.string($0.name), $0.value) }))
  }

  var response: HTTPResponse {
    HTTPResponse(
      kind.status,
      [("content-type", "application/problem+json"), ("cache-control", "no-store")] + fields,
      body: Array(JSONWriter.compact(json).utf8))
  }
}

extension Problem.Kind {
  /// The address of the description of this kind.
  var type: String { "/openapi.json#/components/responses/\(rawValue)" }

  var status: Int { description.status }

  var title: String { description.title }

  private var description: (status: Int, title: String) {
    switch self {
    case .badRequest: (400, "The request is malformed")
    case .invalidName: (400, "The name of the stream is not valid")
    case .unauthorized: (401, "A valid token is required")
    case .forbidden: (403, "The token does not permit this")
    case .noKey: (403, "The hub does not have the key that signs this stream")
    case .notFound: (404, "The resource does not exist")
    case .methodNotAllowed: (405, "The resource does not support this method")
    case .notAcceptable: (406, "The resource has another media type")
    case .requestTimeout: (408, "The request did not arrive in time")
    case .preconditionFailed: (412, "The stream has changed")
    case .tooLarge: (413, "The body is too long")
    case .targetTooLong: (414, "The target is too long")
    case .unsupportedMediaType: (415, "The body has another media type")
    case .expectationFailed: (417, "The expectation is not supported")
    case .invalidStream: (422, "The stream file has errors, or its tests fail")
    case .invalidMetadata: (422, "The signed metadata are refused")
    case .preconditionRequired: (428, "The request needs 'If-Match' or 'If-None-Match'")
    case .tooManyRequests: (429, "Too many requests")
    case .headerTooLarge: (431, "The header is too long")
    case .internalError: (500, "The hub has failed")
    case .notImplemented: (501, "The hub does not support this")
    case .unavailable: (503, "The hub is too busy")
    case .notReady: (503, "The hub is not ready")
    case .versionNotSupported: (505, "The version of HTTP is not supported")
    }
  }
}
