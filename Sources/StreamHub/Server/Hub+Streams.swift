internal import CEL
internal import Dispatch
internal import StreamConsole
internal import StreamCore
internal import StreamSharing
internal import Synchronization

/// The streams, and their changes.
extension Hub {
  func streamAnswer(
    _ request: HTTPRequest, _ match: Route.Match, _ name: StreamName?, _ caller: Caller
  ) throws(Problem) -> Answer {
    let head = request.head
    guard let name else {
      _ = try Query(head.query, allowing: [])
      return .now(Self.json(["streams": .list(streams.map(\.json))], head))
    }
    switch match.route {
    case .stream where head.method == "PUT":
      let publication = try publication(request, name)
      return try checked { [self] () throws(Problem) in try put(publication, head, caller) }
    case .metadata:
      let signed = try Self.signedChange(request.body)
      return try checked { [self] () throws(Problem) in try accept(signed, name, head, caller) }
    case .stream:
      let stream = try stream(name)
      return .now(Self.json(stream.json, head, tag: stream.tag))
    case .versions:
      let stream = try stream(name)
      return .now(Self.json(stream.versionsJSON, head, tag: stream.tag))
    case .version: return try versionFile(match.version, try stream(name), head)
    case .difference: return try difference(try stream(name), head)
    case .promote:
      let body = try JSONBody(request.body, allowing: ["version", "percent"])
      let version = try body.integer("version", in: 1...Int(Int32.max))
      let percent = try body.integer("percent", in: 0...100)
      return change(name, "promote", head, caller) { hub throws(TrustError) in
        try hub.repository.promote(name, version: version, percent: percent, now: SystemClock.seconds)
      }
    case .halt:
      let body = try JSONBody(request.body, allowing: ["version", "reason"])
      let version = try body.integer("version", in: 1...Int(Int32.max))
      let reason = try body.text("reason", atMost: 1_000) ?? "halted by a publisher"
      return change(name, "halt", head, caller) { hub throws(TrustError) in
        try hub.repository.halt(name, version: version, reason: reason, now: SystemClock.seconds)
      }
    default:
      let body = try JSONBody(request.body, allowing: ["to", "notes"])
      let notes = try body.text("notes", atMost: 1_000)
      guard let version = try body.integer("to", in: 1...Int(Int32.max)) else {
        throw Problem(.badRequest, "the member 'to' is missing; expected the version to go back to")
      }
      return change(name, "rollback", head, caller) { hub throws(TrustError) in
        try hub.repository.rollback(name, to: version, notes: notes, now: SystemClock.seconds)
      }
    }
  }

  // MARK: Reading

  private func versionFile(_ text: String, _ stream: HubStream, _ head: HTTPRequestHead) throws(Problem) -> Answer {
    guard let number = Int(text), let version = stream[number] else {
      throw Problem(.notFound, "there is no version '\(text.prefix(20))' of '\(stream.name)'")
    }
    let tag = EntityTag.of(version.content)
    if let condition = head["if-none-match"], EntityTag.matches(condition, tag, isWeak: true) {
      return .now(HTTPResponse(304, [("etag", tag)]))
    }
    return .later(changes) { [self] in
      respond { () throws(Problem) in
        do throws(TrustError) {
          let bytes = try repository.bytes(of: stream.name, version: number)
          return HTTPResponse(
            200, [("content-type", "application/json"), ("etag", tag), ("cache-control", "no-cache")], body: bytes)
        } catch {
          throw problem(error)
        }
      }
    }
  }

  private func difference(_ stream: HubStream, _ head: HTTPRequestHead) throws(Problem) -> Answer {
    let query = try Query(head.query, allowing: ["from", "to"])
    guard let from = try query.integer("from", in: 1...Int(Int32.max)),
      let to = try query.integer("to", in: 1...Int(Int32.max))
    else { throw Problem(.badRequest, "the parameters 'from' and 'to' are required: two versions") }
    for number in [from, to] where stream[number] == nil {
      throw Problem(.notFound, "there is no version \(number) of '\(stream.name)'")
    }
    return .later(comparing) { [self] in
      respond { () throws(Problem) in
        do throws(TrustError) {
          return Self.json(try repository.difference(of: stream.name, from: from, to: to), head)
        } catch {
          throw problem(error)
        }
      }
    }
  }

  // MARK: Changing

  /// Reads the file and the parameters of a publication.
  private func publication(_ request: HTTPRequest, _ name: StreamName) throws(Problem) -> HubPublication {
    let query = try Query(request.head.query, allowing: ["percent", "where", "salt", "notes", "parameters"])
    let percent = try query.integer("percent", in: 0...100)
    var publication = HubPublication(name: name, bytes: request.body, notes: query["notes"])
    if let text = query["parameters"] { publication.parameters = try Self.parameters(text) }
    let condition = query["where"]
    if let condition, let problem = Self.problem(of: condition) {
      throw Problem(.badRequest, "'where' is not a valid condition: \(problem)")
    }
    if percent != nil || condition != nil {
      publication.rollout = Rollout(
        percent: percent ?? 100, salt: query["salt"] ?? "", where: condition.map { CELExpression($0) })
    } else if query["salt"] != nil {
      throw Problem(.badRequest, "'salt' needs 'percent' or 'where'")
    }
    return publication
  }

  private static func parameters(_ text: String) throws(Problem) -> [String: Value] {
    guard case .map(let values)? = try? JSONDocument(reading: text, file: "parameters").value else {
      throw Problem(.badRequest, "'parameters' is not a JSON object with the values of parameters")
    }
    return values.byName
  }

  /// The first error of a condition over `client`.
  private static func problem(of condition: String) -> String? {
    do throws(Diagnostics) {
      _ = try CELExpression(condition).plan(in: ExpressionEnvironment(variables: [Variable("client")]))
      return nil
    } catch {
      return error.all.first?.message ?? "it cannot be read"
    }
  }

  private func put(
    _ publication: HubPublication, _ head: HTTPRequestHead, _ caller: Caller
  ) throws(Problem) -> HTTPResponse {
    guard head["if-match"] != nil || head["if-none-match"] != nil else {
      throw Problem(
        .preconditionRequired,
        "send 'If-Match' with the entity tag that was read, or 'If-None-Match: *' for a new stream")
    }
    // The tests take their time outside the queue of changes; the conditions have to hold before and after them.
    try onChanges { () throws(Problem) in try checkConditions(head, tag(of: publication.name)) }
    try check(
      PublishedFile(bytes: publication.bytes, parameters: publication.parameters), of: publication.name, caller)
    return try onChanges { () throws(Problem) in
      let known = tag(of: publication.name)
      try checkConditions(head, known)
      let (version, isNew): (Int, Bool)
      do throws(TrustError) {
        (version, isNew) = try repository.publish(publication, now: SystemClock.seconds)
        if isNew { note("publish", caller, publication.name, [("version", .int(Int64(version)))]) }
        try refresh()
      } catch {
        throw problem(error)
      }
      return try outcome(isNew ? "published" : "unchanged", version, publication.name, isNew: known == nil)
    }
  }

  /// The entity tag of a stream; nil if there is no such stream.
  private func tag(of name: StreamName) -> String? { streams.first { $0.name == name }?.tag }

  /// Checks a file that is about to be published, and runs its tests.
  private func check(_ file: PublishedFile, of name: StreamName, _ caller: Caller) throws(Problem) {
    let check = repository.check(file, of: name, within: TestBounds(seconds: options.testSeconds))
    guard let refusal = check.refusal else { return }
    note("refuse", caller, name, [("detail", .string(refusal))])
    var problem = Problem(.invalidStream, refusal)
    let tests = check.failedTests.map { test -> Value in
      ["name": .string(test.name), "differences": .list(test.differences.map(Value.string))]
    }
    problem.members = [
      ("diagnostics", .list(check.diagnostics.all.map(Self.json))), ("failedTests", .list(tests)),
    ]
    throw problem
  }

  private func outcome(
    _ outcome: String, _ version: Int, _ name: StreamName, isNew: Bool
  ) throws(Problem) -> HTTPResponse {
    let stream = try stream(name)
    var warnings: [String] = []
    if case .candidate(let rollout)? = stream[version]?.state {
      warnings = rollout.warnings(knowing: attributes.names)
    }
    var response = Self.outcome(outcome, version, stream, warnings, status: isNew ? 201 : 200)
    if isNew { response.fields.append(("location", "/v1/streams/\(PercentEncoding.encode(name.description))")) }
    return response
  }

  // MARK: Changes that are signed

  /// Reads a change that a publisher has signed.
  private static func signedChange(_ body: [UInt8]) throws(Problem) -> SignedChange {
    let value = try JSONBody.read(body, atMost: Route.metadata.bodyLimit)
    do throws(TrustError) {
      return try SignedChange(json: value)
    } catch {
      throw Problem(.badRequest, error.reason)
    }
  }

  private func accept(
    _ signed: SignedChange, _ name: StreamName, _ head: HTTPRequestHead, _ caller: Caller
  ) throws(Problem) -> HTTPResponse {
    let files = try onChanges { () throws(Problem) in
      try checkConditions(head, tag(of: name))
      return try review(signed, name, caller)
    }
    for file in files { try check(file, of: name, caller) }
    return try onChanges { () throws(Problem) in
      let known = tag(of: name)
      try checkConditions(head, known)
      // Another change may have been made during the tests.
      _ = try review(signed, name, caller)
      do throws(TrustError) {
        try repository.accept(signed, now: SystemClock.seconds)
        try refresh()
      } catch {
        throw problem(error)
      }
      let version = try stream(name).versions.first?.number ?? 0
      note("signed", caller, name, [("version", .int(Int64(version))), ("role", .string(signed.role))])
      return try outcome("signed", version, name, isNew: known == nil)
    }
  }

  /// The files that a signed change adds.
  private func review(_ signed: SignedChange, _ name: StreamName, _ caller: Caller) throws(Problem) -> [PublishedFile] {
    do throws(TrustError) {
      return try repository.review(signed, of: name, now: SystemClock.seconds)
    } catch {
      if error.kind == .storage { throw problem(error) }
      note("refuse", caller, name, [("detail", .string(error.description))])
      throw Problem(error.kind == .wrongVersion ? .preconditionFailed : .invalidMetadata, error.description)
    }
  }

  private static func json(_ diagnostic: Diagnostic) -> Value {
    var map = ValueMap(
      members: ("code", .string(diagnostic.code.rawValue)), ("severity", .string(diagnostic.severity.rawValue)),
      ("message", .string(diagnostic.message)), ("pointer", .string(diagnostic.pointer.description)))
    if let location = diagnostic.location {
      map = map.setting("line", .int(Int64(location.line))).setting("column", .int(Int64(location.column)))
    }
    if let help = diagnostic.help { map = map.setting("help", .string(help)) }
    return .map(map)
  }

  private func checkConditions(_ head: HTTPRequestHead, _ tag: String?) throws(Problem) {
    if let condition = head["if-match"], !EntityTag.matches(condition, tag, isWeak: false) {
      throw Problem(
        .preconditionFailed, tag == nil ? "there is no such stream" : "the stream has changed; read it again")
    }
    if let condition = head["if-none-match"], EntityTag.matches(condition, tag, isWeak: true) {
      throw Problem(.preconditionFailed, "there is a stream of this name")
    }
  }

  private static func outcome(
    _ outcome: String, _ version: Int, _ stream: HubStream, _ warnings: [String] = [], status: Int = 200
  ) -> HTTPResponse {
    var map = ValueMap(
      members: ("outcome", .string(outcome)), ("version", .int(Int64(version))), ("stream", stream.json))
    if !warnings.isEmpty { map = map.setting("warnings", .list(warnings.map(Value.string))) }
    return json(.map(map), tag: stream.tag, status: status)
  }

  /// Makes a change of a stream that exists.
  private func change(
    _ name: StreamName, _ action: String, _ head: HTTPRequestHead, _ caller: Caller,
    _ make: @escaping @Sendable (Hub) throws(TrustError) -> Int
  ) -> Answer {
    change { [self] () throws(Problem) in
      try checkConditions(head, try stream(name).tag)
      let version: Int
      do throws(TrustError) {
        version = try make(self)
        note(action, caller, name, [("version", .int(Int64(version)))])
        try refresh()
      } catch {
        throw problem(error)
      }
      return Self.outcome(action, version, try stream(name))
    }
  }

  /// Does work on the queue of changes, with the state that other programs may have changed.
  private func change(_ work: @escaping @Sendable () throws(Problem) -> HTTPResponse) -> Answer {
    .later(changes) { [self] in respond { () throws(Problem) in try changing(work) } }
  }

  private func changing<Result>(_ work: () throws(Problem) -> Result) throws(Problem) -> Result {
    do throws(TrustError) { try refresh() } catch { throw problem(error) }
    return try work()
  }

  /// Does work on the queue of changes, and waits for it.
  private func onChanges<Value>(_ work: () throws(Problem) -> Value) throws(Problem) -> Value {
    let result = changes.sync { () -> Result<Value, Problem> in
      do throws(Problem) { return .success(try changing(work)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Does work that runs tests, on the queue for them.
  private func checked(_ work: @escaping @Sendable () throws(Problem) -> HTTPResponse) throws(Problem) -> Answer {
    guard waitingChecks.load(ordering: .relaxed) < Self.checkLimit else {
      throw Problem(.unavailable, "\(Self.checkLimit) uploads wait for their tests; try again later")
    }
    waitingChecks.add(1, ordering: .relaxed)
    return .later(checking) { [self] in
      defer { waitingChecks.subtract(1, ordering: .relaxed) }
      return respond(work)
    }
  }

  /// Notes a change in the audit.
  func note(
    _ action: String, _ caller: Caller?, _ name: StreamName, _ fields: [(name: String, value: Value)]
  ) {
    let all = [("stream", Value.string(name.description))] + fields + [("address", Value.string(caller?.address ?? ""))]
    guard !audit.note(action, by: caller?.name ?? "hub", all) else { return }
    noteUnwritten("the audit could not be written")
  }
}
