import Foundation
import Hummingbird
import StreamKit
import Synchronization

extension OrderDesk.Line: ResponseEncodable {}

/// A failed order and refused rules are unprocessable content, which the response explains.
extension StreamFailure: @retroactive HTTPResponseError {
  public var status: HTTPResponse.Status { .unprocessableContent }

  public func response(from request: Request, context: some RequestContext) throws -> Response {
    try Problems(errors: [Problem(code: code, message: message, place: "\(pointer)", help: help)])
      .response(status, from: request, context: context)
  }
}

extension Diagnostics: @retroactive HTTPResponseError {
  public var status: HTTPResponse.Status { .unprocessableContent }

  public func response(from request: Request, context: some RequestContext) throws -> Response {
    let errors = limited(to: 20).all.map { error in
      Problem(
        code: error.code.rawValue, message: error.message, place: "\(error.pointer)", line: error.location?.line,
        column: error.location?.column, help: error.help)
    }
    return try Problems(errors: errors).response(status, from: request, context: context)
  }
}

/// The body of a response with errors.
private struct Problems: ResponseEncodable {
  var errors: [Problem]

  func response(
    _ status: HTTPResponse.Status, from request: Request, context: some RequestContext
  ) throws -> Response {
    var response = try response(from: request, context: context)
    response.status = status
    return response
  }
}

private struct Problem: Encodable {
  var code: String
  var message: String
  /// The JSON Pointer of the member of the stream file.
  var place: String
  var line: Int?
  var column: Int?
  var help: String?
}

/// A number that many tasks change.
final class Gauge: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .relaxed) }

  func add(_ difference: Int) { number.add(difference, ordering: .relaxed) }
}
