internal import CLibrary
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import StreamCore
internal import StreamFiles
internal import Synchronization

/// The port at which a server listens: known when it listens.
final class PortBox: Sendable {
  private let value = Atomic<Int>(0)

  var number: Int {
    get { value.load(ordering: .relaxed) }
    set { value.store(newValue, ordering: .relaxed) }
  }
}

/// Serves the page and the answers over HTTP, on this machine only.
struct StudioServer {
  let studio: Studio
  /// The secret of the link.
  private let token: String
  private let port = PortBox()

  /// The port if none is chosen.
  static let usualPort = 8480
  /// Maximum length of a request, in bytes.
  private static let longestBody = 32 * 1024 * 1024

  init(_ studio: Studio, _ token: String) { (self.studio, self.token) = (studio, token) }

  /// Serves until the program is asked to stop.
  ///
  /// - Parameters:
  ///   - number: The port; 0 for a free one; nil for the usual one, or a free one if it is taken.
  ///   - tell: Called with the link to the page.
  func run(port number: UInt16?, tell: @escaping @Sendable (String) -> Void) async throws {
    do {
      try await serve(number.map(Int.init) ?? Self.usualPort, tell: tell)
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      guard number == nil else {
        throw Diagnostics(
          .cannotWrite, "another program listens at the port \(number ?? 0)", help: "'--port 0' takes a free one")
      }
      try await serve(0, tell: tell)
    }
  }

  private func serve(_ wanted: Int, tell: @escaping @Sendable (String) -> Void) async throws {
    var logger = Logger(label: "streamstudio")
    logger.logLevel = .critical
    let application = Application(
      router: router(),
      configuration: ApplicationConfiguration(
        address: .hostname("127.0.0.1", port: wanted), serverName: "streamstudio"),
      onServerRunning: { [port, token] channel in
        port.number = channel.localAddress?.port ?? wanted
        tell("http://127.0.0.1:\(port.number)/?token=\(token)")
      }, logger: logger)
    // A signal ends the process: everything that lasts is on the disk.
    try await application.runService(gracefulShutdownSignals: [])
  }

  // MARK: Requests

  private func router() -> Router<BasicRequestContext> {
    let router = Router()
    let key = AccessToken.key(for: studio.folder.root, token)
    router.add(middleware: AccessGuard(token: token, key: key, port: port))
    let answers = router.group("/api").add(middleware: KeyGuard(token: token, key: key))
    let page = PageFiles()
    for route in StudioRoute.all {
      answers.on(RouterPath(route.path), method: HTTPRequest.Method(route.method)) {
        [studio] request, context in
        do {
          var query: [String: String] = [:]
          for (name, value) in request.uri.queryParameters { query[String(name)] = String(value) }
          for (name, value) in context.parameters { query[String(name)] = String(value) }
          let body = route.method == .get ? Value.map(ValueMap([])) : try await Self.body(of: request)
          return try await Self.answer(route.answer(studio, StudioRequest(body: body, query: query)))
        } catch let problem as StudioProblem {
          return Self.answer(problem)
        }
      }
    }
    answers.get("/events") { [studio] _, _ in EventAnswer.response(studio.changes.events()) }
    answers.get("/live/{id}/events") { [studio] _, context in
      do {
        return EventAnswer.response(try await studio.live.run(context.parameters.get("id") ?? "").events())
      } catch let problem as StudioProblem {
        return Self.answer(problem)
      }
    }
    router.get("/") { _, _ in page.file("/") ?? Self.answer(.missing("the page is missing")) }
    router.get("/favicon.ico") { _, _ in page.file("/icon.svg") ?? Response(status: .noContent) }
    router.get("/**") { request, _ in
      page.file(request.uri.path) ?? Self.answer(.missing("there is no '\(request.uri.path)'"))
    }
    return router
  }

  private static func body(of request: Request) async throws -> Value {
    let buffer: ByteBuffer
    do {
      buffer = try await request.body.collect(upTo: longestBody)
    } catch {
      throw StudioProblem(.contentTooLarge, "the request is longer than \(longestBody) bytes")
    }
    if buffer.readableBytes == 0 { return .map(ValueMap([])) }
    do throws(Diagnostics) {
      return try JSONDocument(reading: Array(buffer.readableBytesView), file: "request").value
    } catch {
      throw StudioProblem(error)
    }
  }

  static func answer(_ value: Value) -> Response { answer(value, .ok, "application/json") }

  static func answer(_ problem: StudioProblem) -> Response {
    answer(problem.value, HTTPResponse.Status(code: problem.status.rawValue), "application/problem+json")
  }

  private static func answer(_ value: Value, _ status: HTTPResponse.Status, _ type: String) -> Response {
    var headers = PageFiles.headers
    headers[.contentType] = type
    headers[.cacheControl] = "no-store"
    let body = ByteBuffer(string: JSONWriter.compact(value))
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
  }
}

extension HTTPRequest.Method {
  fileprivate init(_ method: StudioRoute.Method) {
    self =
      switch method {
      case .get: .get
      case .post: .post
      case .put: .put
      case .delete: .delete
      }
  }
}
