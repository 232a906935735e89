internal import HTTPTypes
internal import Hummingbird
internal import StreamCore

/// Answers only pages of this server, and hands those that open the link the key of the folder.
///
/// The `Host` has to be this machine, so that a name that another server gives to 127.0.0.1 (DNS rebinding) opens
/// nothing; the `Origin` has to be the page. The files of the page hold no secret.
struct AccessGuard: RouterMiddleware {
  typealias Context = BasicRequestContext

  /// The secret of the link.
  let token: String
  /// The secret of the pages of the folder.
  let key: String
  let port: PortBox

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let hosts = ["127.0.0.1", "localhost", "[::1]"].map { "\($0):\(port.number)" }
    guard let authority = request.head.authority, hosts.contains(authority.lowercased()) else {
      return StudioServer.answer(StudioProblem(.misdirectedRequest, "the studio is at \(hosts[0]) only"))
    }
    if let origin = request.headers[.origin], !hosts.map({ "http://\($0)" }).contains(origin.lowercased()) {
      return StudioServer.answer(StudioProblem(.forbidden, "a page of another server may not use the studio"))
    }
    if let given = request.uri.queryParameters["token"], request.uri.path == "/" {
      guard given.isSame(as: token) else { return StudioServer.answer(StudioProblem.locked) }
      var headers = PageFiles.headers
      headers[.location] = "/#key=\(key)"
      return Response(status: .seeOther, headers: headers)
    }
    return try await next(request, context)
  }
}

/// Answers only requests with the key of the folder, or with the token.
///
/// The page keeps the key in the storage of its origin, and sends it with each request. A cookie would not do: browsers
/// send it to the servers of all ports of this machine (RFC 6265, 8.5), and any of them could use it here.
struct KeyGuard: RouterMiddleware {
  typealias Context = BasicRequestContext

  let token: String
  let key: String

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let bearer = request.headers[.authorization].flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
    // A browser's client of event streams sends no headers.
    let inQuery = request.uri.path.hasSuffix("/events") ? request.uri.queryParameters["key"].map(String.init) : nil
    let given = [bearer, inQuery].compactMap(\.self)
    guard given.contains(where: { $0.isSame(as: token) || $0.isSame(as: key) }) else {
      return StudioServer.answer(StudioProblem.locked)
    }
    return try await next(request, context)
  }
}

extension StudioProblem {
  fileprivate static var locked: StudioProblem {
    StudioProblem(
      .unauthorized, "open the link that the studio has printed",
      detail: "the terminal in which 'streamstudio' runs shows a link with a token")
  }
}

extension StringProtocol {
  /// Compares in a time that does not depend on where the texts differ.
  fileprivate func isSame(as secret: String) -> Bool {
    let (given, wanted) = (Array(utf8), Array(secret.utf8))
    guard given.count == wanted.count else { return false }
    return zip(given, wanted).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
