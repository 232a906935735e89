internal import Foundation

/// One HTTP request, whose response is received piece by piece.
///
/// On Linux, libcurl carries it: see `LinuxTransfer`. Elsewhere, `URLSession` does. FoundationNetworking, which is
/// URLSession on Linux, takes most of a core while a response with events is silent, does not bound the duration of a
/// request, and expands compressed bodies without a bound.
struct HTTPExchange: Sendable {
  /// A request.
  struct Request: Sendable {
    let url: URL
    var method = "GET"
    var headers: [String: String] = [:]
    var body: [UInt8]?
    /// Maximum time without any byte, in seconds.
    var pause: Double = 60
    /// Maximum duration, in seconds; nil for a response that does not end.
    var duration: Double?
    /// Whether redirects are followed. Headers with a token would go along.
    var followsRedirects = false
  }

  /// The beginning of a response.
  struct Head: Sendable {
    let status: Int
    /// The media type; empty if it is not stated.
    let type: String
    /// The length in bytes, or a negative number if it is not stated.
    let length: Int64
    /// The entity tag; nil if there is none.
    let tag: String?
  }

  /// The end of an exchange.
  struct Outcome: Sendable {
    let status: Int
    /// Whether the response has arrived to its end.
    let isWhole: Bool
  }

  /// The reasons why there is no response.
  enum Absence: String, Sendable {
    case late = "the server did not reply in time"
    case untrusted = "the server's certificate is not trusted"
    case unknownHost = "there is no server of this name"
    case unsupported = "requests need a program that is built with --enable-all-traits"
    case unreachable = "the server cannot be reached, or it closed the connection"
  }

  let request: Request
  /// Receives the beginning of the response; returns whether the body is wanted.
  let accept: @Sendable (Head) -> Bool
  /// Receives each piece of the body; returns whether more is wanted.
  let receive: @Sendable ([UInt8]) -> Bool

  /// - Parameters:
  ///   - request: The request.
  ///   - accept: Receives the beginning of the response; returns whether the body is wanted.
  ///   - receive: Receives each piece of the body; returns whether more is wanted. The closures are called one at a time.
  init(
    _ request: Request, accept: @escaping @Sendable (Head) -> Bool,
    receive: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }
  ) {
    self.request = request
    self.accept = accept
    self.receive = receive
  }

  /// Sends the request, and returns at the end of the response.
  ///
  /// - Throws: `unreachable` if there is no response.
  func run() async throws(TrustError) -> Outcome {
    #if os(Linux)
    let result = await LinuxTransfer(self).run()
    #else
    let result = await SessionTransfer(self).run()
    #endif
    switch result {
    case .success(let outcome): return outcome
    case .failure(let absence): throw TrustError(.unreachable, request.url.absoluteString, absence.rawValue)
    }
  }
}

extension HTTPExchange.Absence: Error {}

extension HTTPExchange {
  /// The address of a part of a hub's interface.
  static func url(_ hub: String, _ path: String) throws(TrustError) -> URL {
    guard let url = URL(string: hub + (hub.hasSuffix("/") ? "" : "/") + path),
      ["http", "https"].contains(url.scheme?.lowercased()), url.host != nil
    else { throw TrustError(.unreachable, hub, "expected an address that begins with http:// or https://") }
    return url
  }
}
