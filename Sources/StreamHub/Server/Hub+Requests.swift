internal import Dispatch
internal import StreamCore
internal import StreamFiles
internal import StreamSharing
internal import Synchronization

/// Requests and their resources.
extension Hub {
  func response(to failure: HTTPFailure) -> HTTPResponse {
    metrics.noteRequest("none", failure.status)
    return Problem(failure).response
  }

  func screen(_ head: HTTPRequestHead, peer: String) -> Screening {
    let start = HTTPLoop.now
    guard let match = Route.match(head.path) else {
      let problem = Problem(.notFound, "there is nothing at this path; /openapi.json describes what there is")
      return .refused(finish(problem.response, "none", head, nil, start))
    }
    let route = match.route
    do throws(Problem) {
      guard route.methods.contains(head.method) else {
        var problem = Problem(
          .methodNotAllowed, "the methods of this resource: \(route.methods.joined(separator: ", "))")
        problem.fields = [("allow", route.methods.joined(separator: ", "))]
        throw problem
      }
      let name = try name(in: match)
      let caller = try authorize(head, peer: peer, scope(of: route, head.method, name))
      try checkMediaTypes(route, head)
      return .accepted(bodyLimit: route.bodyLimit) { [self] request in
        let answer = answer(request, match, name, caller)
        switch answer {
        case .now(let response): return .now(finish(response, route.rawValue, head, caller, start))
        case .later(let queue, let work):
          return .later(queue) { [self] in finish(work(), route.rawValue, head, caller, start) }
        }
      }
    } catch {
      return .refused(finish(error.response, route.rawValue, head, nil, start))
    }
  }

  /// The name of the stream in a path; nil for resources without one.
  private func name(in match: Route.Match) throws(Problem) -> StreamName? {
    switch match.route {
    case .stream, .versions, .version, .difference, .promote, .halt, .rollback, .metadata, .rollout:
      guard let text = PercentEncoding.decode(match.name) else {
        throw Problem(.invalidName, "the name is not percent-encoded UTF-8")
      }
      do throws(TrustError) {
        return try StreamName(text)
      } catch {
        throw Problem(.invalidName, error.reason)
      }
    default: return nil
    }
  }

  /// The permission that a request needs; nil if everybody may.
  private func scope(of route: Route, _ method: String, _ name: StreamName?) -> TokenScope? {
    switch route {
    case .description, .liveness, .health, .readiness: nil
    case .file: options.isRepositoryPublic ? nil : .read
    case .reports: .report
    case .promote, .halt, .rollback, .metadata: .publish(prefix: name?.description ?? "")
    case .stream where method == "PUT": .publish(prefix: name?.description ?? "")
    default: .read
    }
  }

  /// The media type of the resource.
  private func mediaType(_ route: Route) -> String? {
    switch route {
    case .file: nil
    case .events: "text/event-stream"
    case .metrics, .liveness: "text/plain"
    default: "application/json"
    }
  }

  private func checkMediaTypes(_ route: Route, _ head: HTTPRequestHead) throws(Problem) {
    if let type = mediaType(route), let accepted = head["accept"], !Self.accepts(accepted, type) {
      throw Problem(.notAcceptable, "this resource is \(type)")
    }
    guard head.body != .none, let type = head["content-type"] else { return }
    let essence = type.prefix { $0 != ";" }.trimmingSpaces.lowercased()
    guard essence == "application/json" || essence.hasSuffix("+json") else {
      throw Problem(.unsupportedMediaType, "the body is '\(essence.prefix(60))'; expected application/json")
    }
  }

  /// Whether a field `accept` includes a type. Its weights only count if they are 0.
  static func accepts(_ field: String, _ type: String) -> Bool {
    let group = type.prefix { $0 != "/" } + "/*"
    return field.split(separator: ",").contains { element in
      let parts = element.split(separator: ";").map { $0.trimmingSpaces.lowercased() }
      guard let range = parts.first, range == type || range == group || range == "*/*" else { return false }
      return !parts.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
    }
  }

  /// Counts and logs a response.
  private func finish(
    _ response: HTTPResponse, _ route: String, _ head: HTTPRequestHead, _ caller: Caller?, _ start: Int64
  ) -> HTTPResponse {
    metrics.noteRequest(route, response.status)
    // Probes ask every few seconds; the log has the reasons already.
    let isFailure =
      response.status >= 500 && route != Route.readiness.rawValue && route != Route.health.rawValue
    guard options.logsRequests || isFailure else { return response }
    log.note(
      response.status >= 500 ? .error : .info, "request",
      [
        ("method", .string(head.method)), ("route", .string(route)), ("path", .string(String(head.path))),
        ("status", .int(Int64(response.status))), ("milliseconds", .int(HTTPLoop.now - start)),
        ("caller", .string(caller?.name ?? "anonymous")),
      ])
    return response
  }

  private func answer(
    _ request: HTTPRequest, _ match: Route.Match, _ name: StreamName?, _ caller: Caller
  ) -> Answer {
    let head = request.head
    do throws(Problem) {
      switch match.route {
      case .file: return try file(match.name, head)
      case .events: return .now(try eventStream(head))
      case .streams, .stream, .versions, .version, .difference, .promote, .halt, .rollback, .metadata:
        return try streamAnswer(request, match, name, caller)
      case .reports: return .later(counting) { [self] in respond { () throws(Problem) in try count(request) } }
      case .rollout:
        guard let name else { throw Problem(.invalidName, "there is no name") }
        return .later(counting) { [self] in respond { () throws(Problem) in try rollout(name, head) } }
      case .description: return .now(Self.json(OpenAPI.text, head, tag: OpenAPI.tag))
      case .liveness: return .now(HTTPResponse(200, Self.plain, body: Array("ok\n".utf8)))
      case .health: return .now(condition(head))
      case .readiness: return .now(try readiness(head))
      case .metrics:
        return .later(counting) { [self] in
          HTTPResponse(
            200, [("content-type", "text/plain; version=0.0.4; charset=utf-8"), ("cache-control", "no-store")],
            body: Array(metricsText.utf8))
        }
      }
    } catch {
      return .now(error.response)
    }
  }

  private static let plain = [("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store")]

  /// The response of work that may fail.
  func respond(_ work: () throws(Problem) -> HTTPResponse) -> HTTPResponse {
    do throws(Problem) {
      return try work()
    } catch {
      return error.response
    }
  }

  /// A response with JSON, or 304 if the client has it.
  ///
  /// - Parameter tag: The entity tag; nil for one of the content.
  static func json(
    _ value: Value, _ head: HTTPRequestHead? = nil, tag: String? = nil, status: Int = 200
  ) -> HTTPResponse {
    let text = JSONWriter.compact(value)
    return json(text, head, tag: tag ?? EntityTag.of(text), status: status)
  }

  private static func json(
    _ text: String, _ head: HTTPRequestHead?, tag: String, status: Int = 200
  ) -> HTTPResponse {
    if let head, let condition = head["if-none-match"], EntityTag.matches(condition, tag, isWeak: true) {
      return HTTPResponse(304, [("etag", tag), ("cache-control", "no-cache")])
    }
    return HTTPResponse(
      status, [("content-type", "application/json"), ("etag", tag), ("cache-control", "no-cache")],
      body: Array(text.utf8))
  }

  /// The problem that an error of the repository is.
  func problem(_ error: TrustError) -> Problem {
    switch error.kind {
    case .notFound: return Problem(.notFound, error.reason)
    case .unsafeName: return Problem(.invalidName, error.reason)
    case .wrongVersion: return Problem(.preconditionFailed, error.description)
    case .expired: return Problem(.notReady, error.reason)
    case .unsigned: return Problem(.noKey, "the hub does not have the keys that sign this stream: \(error.reason)")
    default:
      log.note(.error, "repository", [("detail", .string(error.description))])
      if error.kind == .storage { suspectStorage() }
      return Problem(.internalError, "the repository cannot be read or written; the log of the hub has the reason")
    }
  }

  private func eventStream(_ head: HTTPRequestHead) throws(Problem) -> HTTPResponse {
    // Readers do not all come back at the same time after a restart.
    let (first, id) = events.beginning(after: head["last-event-id"], retry: Int.random(in: 2_000...8_000))
    return HTTPResponse(
      200, [("content-type", "text/event-stream"), ("cache-control", "no-store"), ("x-accel-buffering", "no")],
      .events(first: first, after: id))
  }
}
