internal import HTTPTypes
internal import Hummingbird
internal import StreamCore

/// Lets only browsers in that have opened the link, and only pages of this server.
///
/// The `Host` has to be this machine, so that a name that another server gives to 127.0.0.1 (DNS rebinding) opens
/// nothing; the `Origin` has to be the page.
struct AccessGuard: RouterMiddleware {
  typealias Context = BasicRequestContext

  /// The secret of the link and of the cookie.
  let token: String
  let port: PortBox

  private static let cookie = "streamstudio"

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
      guard isToken(String(given)) else { return refusal }
      var headers = PageFiles.headers
      headers[.setCookie] = "\(Self.cookie)-\(port.number)=\(token); HttpOnly; SameSite=Strict; Path=/"
      headers[.location] = "/"
      return Response(status: .seeOther, headers: headers)
    }
    let cookies = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
    let isKnown = cookies.contains { pair in
      let parts = pair.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && parts[0].drop { $0 == " " } == "\(Self.cookie)-\(port.number)"
        && isToken(String(parts[1]))
    }
    let bearer = request.headers[.authorization].map { $0.hasPrefix("Bearer ") && isToken(String($0.dropFirst(7))) }
    guard isKnown || bearer == true else { return refusal }
    return try await next(request, context)
  }

  /// Compares in a time that does not depend on where the texts differ.
  private func isToken(_ text: String) -> Bool {
    let (given, wanted) = (Array(text.utf8), Array(token.utf8))
    guard given.count == wanted.count else { return false }
    return zip(given, wanted).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private var refusal: Response {
    StudioServer.answer(
      StudioProblem(
        .unauthorized, "open the link that the studio has printed",
        detail: "the terminal in which 'streamstudio' runs shows a link with a token"))
  }
}
