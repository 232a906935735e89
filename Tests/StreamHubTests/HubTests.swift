#if Sharing
import Foundation
import StreamCore
import StreamSharing
import Testing

@testable import StreamHub

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct HubTests {
  // MARK: Permission

  @Test func eachScopePermitsItsPart() throws {
    let hub = try TestHub()
    let admin = try hub.token(.admin)
    try hub.publish("checkout/fraud", "one", admin)
    let tokens: [(String, String?)] = [
      ("none", nil), ("read", try hub.token(.read)), ("publish", try hub.token(.publish(prefix: "checkout/"))),
      ("other", try hub.token(.publish(prefix: "search/"))), ("report", try hub.token(.report)), ("admin", admin),
    ]
    let requests: [(String, String, [String: String])] = [
      ("GET", "/healthz", [:]), ("GET", "/openapi.json", [:]), ("GET", "/v1/streams", [:]),
      ("GET", "/v1/streams/checkout/fraud", [:]), ("GET", "/v1/rollouts/checkout%2Ffraud", [:]),
      ("GET", "/metrics", [:]),
      ("PUT", "/v1/streams/checkout/fraud", ["If-Match": "*"]), ("POST", "/v1/streams/checkout/fraud/rollback", [:]),
      ("POST", "/v1/reports", [:]),
    ]
    var table: [String] = []
    for (name, token) in tokens {
      let statuses = try requests.map { method, path, fields in
        try hub.send(
          method, path, token: token, fields,
          body: method == "GET" ? nil : path.hasSuffix("reports") ? "[]" : "{\"to\": 1}"
        )
        .status
      }
      table.append("\(name): \(statuses.map(String.init).joined(separator: " "))")
    }
    let expected = [
      "none: 200 200 401 401 401 401 401 401 401",
      "read: 200 200 200 200 200 200 403 403 403",
      "publish: 200 200 200 200 200 200 200 200 403",
      "other: 200 200 200 200 200 200 403 403 403",
      "report: 200 200 403 403 403 403 403 403 202",
      "admin: 200 200 200 200 200 200 200 200 202",
    ]
    #expect(table == expected)
  }

  @Test func aPublicHubIsReadWithoutAToken() throws {
    let hub = try TestHub { $0.isReadPublic = true }
    let streams = try hub.send("GET", "/v1/streams")
    let publication = try hub.send("PUT", "/v1/streams/a", ["If-None-Match": "*"], body: "one")
    #expect(streams.status == 200)
    #expect(publication.status == 401)
    #expect(publication.fields["www-authenticate"] == "Bearer")
  }

  @Test(arguments: [
    "Bearer", "Bearer shub_", "Basic abc", "Bearer shub_00000000" + String(repeating: "0", count: 64), "shub_x", "",
  ])
  func aWrongTokenIsRefusedEverywhere(_ value: String) throws {
    let hub = try TestHub { $0.isReadPublic = true }
    let reply = try hub.send("GET", "/healthz", ["Authorization": value])
    #expect(reply.status == 401)
  }

  @Test func revokedAndExpiredTokensAreRefusedAtOnce() throws {
    let hub = try TestHub()
    let token = try hub.token(.read)
    let expired = try hub.token(.read, expires: SystemClock.seconds)
    let before = try hub.send("GET", "/v1/streams", token: token)
    let late = try hub.send("GET", "/v1/streams", token: expired)
    try hub.running.hub.tokens.change { $0.removeAll() }
    let after = try hub.send("GET", "/v1/streams", token: token)
    let statuses = [before.status, late.status, after.status]
    #expect(statuses == [200, 401, 401])
  }

  @Test func requestsBeyondTheRateAreRefused() throws {
    let hub = try TestHub { $0.rate = 2 }
    let token = try hub.token(.read)
    let other = try hub.token(.read)
    let replies = try (1...6).map { _ in try hub.send("GET", "/v1/streams", token: token) }
    #expect(replies.map(\.status) == [200, 200, 200, 200, 429, 429])
    #expect(replies.last?.fields["retry-after"] == "1")
    let reply = try hub.send("GET", "/v1/streams", token: other)
    #expect(reply.status == 200)
  }

  @Test func guessesOfTokensAreLimited() throws {
    let hub = try TestHub()
    let statuses = try (1...60).map { _ in try hub.send("GET", "/v1/streams", token: "shub_guess").status }
    #expect(statuses.contains(429))
  }

  // MARK: Errors

  @Test func everyErrorIsAProblem() throws {
    let hub = try TestHub()
    let token = try hub.token(.admin)
    try hub.publish("a", "one", token)
    let replies: [(Int, String, Reply)] = [
      (400, "invalid-name", try hub.send("GET", "/v1/streams/.a", token: token)),
      (400, "invalid-name", try hub.send("GET", "/v1/streams/a%2F..%2Fb", token: token)),
      (400, "invalid-name", try hub.send("GET", "/v1/streams/a%zz", token: token)),
      (400, "bad-request", try hub.send("GET", "/v1/streams?a=b", token: token)),
      (400, "bad-request", try hub.send("GET", "/v1/streams/a/diff?from=1", token: token)),
      (400, "bad-request", try hub.send("GET", "/v1/streams/a/diff?from=1&from=2&to=1", token: token)),
      (
        400, "bad-request", try hub.send("PUT", "/v1/streams/a?percent=101", token: token, ["If-Match": "*"], body: "x")
      ),
      (400, "bad-request", try hub.send("PUT", "/v1/streams/a?where=1%2B", token: token, ["If-Match": "*"], body: "x")),
      (400, "bad-request", try hub.send("POST", "/v1/streams/a/rollback", token: token, body: "[]")),
      (400, "bad-request", try hub.send("POST", "/v1/streams/a/rollback", token: token, body: "{")),
      (400, "bad-request", try hub.send("POST", "/v1/streams/a/rollback", token: token)),
      (400, "bad-request", try hub.send("POST", "/v1/streams/a/promote", token: token, body: "{\"part\": 1}")),
      (400, "bad-request", try hub.send("POST", "/v1/reports", token: token, body: "{\"client\": 1}")),
      (401, "unauthorized", try hub.send("GET", "/v1/streams")),
      (403, "forbidden", try hub.send("GET", "/v1/streams", token: try hub.token(.report))),
      (404, "not-found", try hub.send("GET", "/")),
      (404, "not-found", try hub.send("GET", "/v1/streams/b", token: token)),
      (404, "not-found", try hub.send("GET", "/v1/streams/a/versions/9", token: token)),
      (404, "not-found", try hub.send("GET", "/v1/streams/a/diff?from=1&to=9", token: token)),
      (404, "not-found", try hub.send("POST", "/v1/streams/a/halt", token: token)),
      (405, "method-not-allowed", try hub.send("DELETE", "/v1/streams/a", token: token)),
      (406, "not-acceptable", try hub.send("GET", "/v1/events", token: token, ["Accept": "application/json"])),
      (
        412, "precondition-failed", try hub.send("PUT", "/v1/streams/a", token: token, ["If-Match": "\"x\""], body: "x")
      ),
      (
        412, "precondition-failed",
        try hub.send("PUT", "/v1/streams/a", token: token, ["If-None-Match": "*"], body: "x")
      ),
      (412, "precondition-failed", try hub.send("PUT", "/v1/streams/c", token: token, ["If-Match": "*"], body: "x")),
      (
        413, "too-large", try hub.send("POST", "/v1/reports", token: token, body: String(repeating: " ", count: 70_000))
      ),
      (
        415, "unsupported-media-type",
        try hub.send("PUT", "/v1/streams/a", token: token, ["Content-Type": "text/csv"], body: "x")
      ),
      (422, "invalid-stream", try hub.send("PUT", "/v1/streams/a", token: token, ["If-Match": "*"], body: "wrong")),
      (422, "invalid-stream", try hub.send("PUT", "/v1/streams/a", token: token, ["If-Match": "*"], body: "failing")),
      (428, "precondition-required", try hub.send("PUT", "/v1/streams/a", token: token, body: "x")),
    ]
    for (status, kind, reply) in replies {
      #expect(reply.status == status, "\(reply.text)")
      #expect(reply.fields["content-type"] == "application/problem+json")
      #expect(reply.json.member("type") == .string("/openapi.json#/components/responses/\(kind)"), "\(reply.text)")
      #expect(reply.json.member("status") == .int(Int64(status)))
      #expect(reply.json.member("title")?.text?.isEmpty == false)
      #expect(reply.json.member("detail")?.text?.isEmpty == false)
    }
    let allowed = try hub.send("DELETE", "/v1/streams/a", token: token)
    #expect(allowed.fields["allow"] == "GET, HEAD, PUT")
  }

  @Test func theReasonsOfARefusalAreStated() throws {
    let hub = try TestHub()
    let token = try hub.token(.admin)
    let reply = try hub.send("PUT", "/v1/streams/a", token: token, ["If-None-Match": "*"], body: "wrong and failing")
    #expect(reply.json.member("detail") == "the file is wrong")
    guard case .list(let diagnostics)? = reply.json.member("diagnostics"),
      case .list(let tests)? = reply.json.member("failedTests")
    else {
      Issue.record("\(reply.text)")
      return
    }
    #expect(diagnostics.first?.member("severity") == "error")
    #expect(tests == [["name": "first", "differences": ["expected 1, found 2"]]])
  }

  @Test(arguments: [
    (TrustError(.unsigned, "targets", "0 of its keys are at hand; 1 have to sign"), 403, "no-key"),
    (TrustError(.storage, "/secret/path", "the disk is full"), 500, "internal-error"),
  ])
  func errorsOfTheRepositoryAreProblems(_ error: TrustError, _ status: Int, _ kind: String) throws {
    let repository = FakeRepository()
    let hub = try TestHub(repository)
    let token = try hub.token(.admin)
    repository.fail(error)
    let reply = try hub.send("PUT", "/v1/streams/a", token: token, ["If-None-Match": "*"], body: "x")
    #expect(reply.status == status)
    #expect(reply.json.member("type") == .string("/openapi.json#/components/responses/\(kind)"))
    #expect(!reply.text.contains("/secret"))
    repository.fail(nil)
  }

  // MARK: Streams

  @Test func aStreamIsPublishedReadAndChanged() throws {
    let hub = try TestHub()
    let token = try hub.token(.publish(prefix: ""))
    let created = try hub.send(
      "PUT", "/v1/streams/checkout%2Ffraud?notes=first+one", token: token, ["If-None-Match": "*"], body: "one")
    #expect(created.status == 201)
    #expect(created.fields["location"] == "/v1/streams/checkout%2Ffraud")
    let tag = try #require(created.fields["etag"])
    let read = try hub.send("GET", "/v1/streams/checkout/fraud", token: token)
    #expect(read.fields["etag"] == tag)
    #expect(read.json.member("stable") == 1)
    let known = try hub.send("GET", "/v1/streams/checkout/fraud", token: token, ["If-None-Match": "W/\(tag)"])
    #expect(known.status == 304)
    #expect(known.body.isEmpty)
    let candidate = try hub.send(
      "PUT", "/v1/streams/checkout/fraud?percent=20&where=client.build+%3E%3D+420&salt=s", token: token,
      ["If-Match": tag], body: "two")
    #expect(candidate.status == 200)
    #expect(candidate.json.member("outcome") == "published")
    #expect(candidate.fields["etag"] != tag)
    let late = try hub.send("PUT", "/v1/streams/checkout/fraud", token: token, ["If-Match": tag], body: "three")
    #expect(late.status == 412)
    let versions = try hub.send("GET", "/v1/streams/checkout/fraud/versions", token: token)
    guard case .list(let list)? = versions.json.member("versions") else {
      Issue.record("\(versions.text)")
      return
    }
    #expect(list.map { $0.member("state") } == ["candidate", "stable"])
    #expect(list[0].member("rollout")?.member("where") == "client.build >= 420")
    #expect(list[1].member("notes") == "first one")
    let file = try hub.send("GET", "/v1/streams/checkout/fraud/versions/2", token: token)
    #expect(file.text == "two")
    let promoted = try hub.send("POST", "/v1/streams/checkout/fraud/promote", token: token, body: "{\"percent\": 50}")
    #expect(promoted.json.member("stream")?.member("candidates")?.text == nil)
    let stable = try hub.send("POST", "/v1/streams/checkout/fraud/promote", token: token)
    #expect(stable.json.member("stream")?.member("stable") == 2)
    let back = try hub.send("POST", "/v1/streams/checkout/fraud/rollback", token: token, body: "{\"to\": 1}")
    #expect(back.json.member("version") == 3)
    let same = try hub.publish("checkout/fraud", "one", token)
    #expect(same.json.member("outcome") == "unchanged")
  }

  @Test func aNameMayEndLikeAResource() throws {
    let hub = try TestHub()
    let token = try hub.token(.admin)
    try hub.publish("a%2Fversions", "one", token)
    let stream = try hub.send("GET", "/v1/streams/a%2Fversions", token: token)
    #expect(stream.json.member("name") == "a/versions")
    let versions = try hub.send("GET", "/v1/streams/a%2Fversions/versions", token: token)
    #expect(versions.status == 200)
  }

  @Test func ofTwoPublishersAtTheSameTimeOneMustReadAgain() async throws {
    let hub = try TestHub()
    let token = try hub.token(.admin)
    try hub.publish("a", "zero", token)
    let tag = try #require(try hub.send("GET", "/v1/streams/a", token: token).fields["etag"])
    let port = hub.port
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...8 {
        group.addTask {
          let fields = ["Authorization": "Bearer \(token)", "If-Match": tag]
          return try RawClient.send("PUT", "/v1/streams/a", to: port, fields, body: Array("\(number)".utf8)).status
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.sorted() == [200] + Array(repeating: 412, count: 7))
  }

  @Test func metricsCount() throws {
    let hub = try TestHub()
    let token = try hub.token(.admin)
    try hub.publish("a", "one", token)
    let text = try hub.send("GET", "/metrics", token: token).text
    for line in [
      "streamhub_requests_total{route=\"/v1/streams/{name}\",status=\"201\"} 1",
      "streamhub_requests_total{route=\"/v1/streams/{name}\",status=\"404\"} 1",
      "streamhub_changes_total{kind=\"published\"} 1", "streamhub_streams 1", "streamhub_clients{state=\"good\"} 0",
      "# TYPE streamhub_timestamp_expires_seconds gauge",
    ] {
      #expect(text.contains(line + "\n"), "\(text)")
    }
  }

  @Test func foundationsClientUnderstandsIt() async throws {
    let hub = try TestHub()
    let token = try hub.token(.admin)
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(hub.port)/v1/streams/a%2Fb")))
    request.httpMethod = "PUT"
    request.httpBody = Data("one".utf8)
    request.setValue("application/json", forHTTPHeaderField: "content-type")
    request.setValue("*", forHTTPHeaderField: "if-none-match")
    request.setValue("Bearer \(token)", forHTTPHeaderField: "authorization")
    let (data, response) = try await URLSession.shared.data(for: request)
    #expect((response as? HTTPURLResponse)?.statusCode == 201, "\(String(decoding: data, as: UTF8.self))")
  }
}
#endif
