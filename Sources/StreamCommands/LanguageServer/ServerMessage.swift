@_spi(Engine) internal import StreamCore
internal import StreamKit

/// A message of JSON-RPC 2.0, as the server receives it.
enum ServerMessage {
  case request(id: Value, method: String, parameters: Value)
  case notification(method: String, parameters: Value)
  /// A response to a request of the server, which sends none.
  case response
  /// A malformed message; `id` is null if it is unknown.
  case invalid(id: Value, ServerError)

  /// The id of a request.
  var id: Value? { if case .request(let id, _, _) = self { id } else { nil } }

  init(_ bytes: [UInt8]) {
    var reader = JSONReader(limits: JSONLimits(depth: 512, bytes: MessageFrames.longest))
    do throws(JSONError) {
      self = Self.message(try reader.read(bytes))
    } catch {
      self = .invalid(id: .null, ServerError(.parseError, "the message is not JSON: \(error.message)"))
    }
  }

  private static func message(_ value: Value) -> ServerMessage {
    guard case .map = value else {
      return .invalid(id: .null, ServerError(.invalidRequest, "a message is an object; found \(value.describedType)"))
    }
    let parameters = value.member("params") ?? .null
    let id = value.member("id")
    guard let method = value.member("method") else {
      if value.member("result") != nil || value.member("error") != nil { return .response }
      return .invalid(id: .null, ServerError(.invalidRequest, "the message has no method"))
    }
    guard case .string(let name) = method else {
      return .invalid(id: .null, ServerError(.invalidRequest, "'method' is \(method.describedType); expected a string"))
    }
    switch id {
    case nil: return .notification(method: name, parameters: parameters)
    case .int?, .string?: return .request(id: id ?? .null, method: name, parameters: parameters)
    case let other?:
      return .invalid(
        id: .null,
        ServerError(.invalidRequest, "'id' is \(other.describedType); expected a string or an integer"))
    }
  }
}

/// The error returned for a request that fails.
struct ServerError: Error, Equatable {
  /// JSON-RPC's codes and those of the language server protocol.
  enum Code: Int64 {
    case parseError = -32_700
    case invalidRequest = -32_600
    case methodNotFound = -32_601
    case invalidParameters = -32_602
    case notInitialized = -32_002
    case canceled = -32_800
    case failed = -32_803
  }

  let code: Code
  let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  var value: Value { ["code": .int(code.rawValue), "message": .string(message)] }
}
