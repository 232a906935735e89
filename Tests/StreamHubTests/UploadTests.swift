#if Sharing
import CLibrary
import Dispatch
import StreamConsole
import StreamCore
import StreamSharing
import Synchronization
import Testing

@testable import StreamHub

/// Tests of uploaded files that no other request waits for.
@Suite struct UploadTests {
  /// Uploads a file to a hub with a candidate of the stream `a`, which is halted while the tests of the file run.
  ///
  /// - Parameters:
  ///   - name: The stream of the file.
  ///   - condition: The condition of the upload, by the entity tag of `a`.
  /// - Returns: The statuses of the halt and of the upload.
  private func haltDuringUpload(
    of name: String, _ condition: (String) -> [String: String]
  ) throws -> (halt: Int, upload: Int) {
    let repository = FakeRepository()
    let hub = try TestHub(repository)
    let token = try hub.token(.admin)
    try hub.publish("a", "one", token)
    try hub.publish("a", "two", token, query: "?percent=20")
    let tag = try #require(try hub.send("GET", "/v1/streams/a", token: token).fields["etag"])
    var fields = condition(tag)
    fields["Authorization"] = "Bearer \(token)"
    // NB: The upload is sent, and its answer read, on this thread. Tests that block all threads of the pool would let a
    // task wait longer than a client does.
    let client = try RawClient(hub.port)
    client.send(RawClient.request("PUT", "/v1/streams/\(name)", fields, body: Array("slow".utf8)))
    wait { hub.running.hub.waitingChecks.load(ordering: .relaxed) > 0 }
    #expect(hub.running.hub.waitingChecks.load(ordering: .relaxed) > 0)
    let halt = try hub.send("POST", "/v1/streams/a/halt", token: token).status
    repository.slowChecks.signal()
    return (halt, try client.reply().status)
  }

  @Test func changesAreMadeWhileTheTestsOfAnUploadRun() throws {
    let (halt, upload) = try haltDuringUpload(of: "b") { _ in ["If-None-Match": "*"] }
    #expect(halt == 200)
    #expect(upload == 201)
  }

  @Test func aConditionHasToHoldAfterTheTestsToo() throws {
    let (halt, upload) = try haltDuringUpload(of: "a") { tag in ["If-Match": tag] }
    #expect(halt == 200)
    #expect(upload == 412)
  }

  // MARK: Bounds

  private func check(_ tests: Int, _ bounds: TestBounds) throws -> (refusal: String?, duration: Duration) {
    let file: Value = [
      "source": ["timer": ["every": 0.001]], "operators": [["filter": ["expression": "value < 0"]]],
      "tests": .list(
        (0..<tests).map { ["name": .string("t\($0)"), "expect": ["values": .list([])]] }),
    ]
    let start = ContinuousClock.now
    let check = PublicationCheck(
      try StreamName("a"), Array(JSONWriter.compact(file).utf8), file: "a.json", within: bounds)
    let problem = check.report.problems.first?.message ?? (check.draft == nil ? "a test fails" : nil)
    return (problem, ContinuousClock.now - start)
  }

  @Test func theDurationOfAllTestsTogetherIsBounded() throws {
    let (refusal, duration) = try check(60, TestBounds(seconds: 0.5))
    #expect(refusal == "the tests of the file take longer than 0.5 s together")
    #expect(duration < .seconds(10))
  }

  @Test func theWorkOfAllTestsTogetherIsBounded() throws {
    let (refusal, _) = try check(60, TestBounds(seconds: 3_600, steps: 1_000_000))
    #expect(refusal == "the tests of the file take more than 1000000 steps together")
  }

  @Test func theNumberOfTestsIsBounded() throws {
    let (refusal, duration) = try check(24_000, TestBounds())
    #expect(refusal == "the file has 24000 tests; at most 1000 are run")
    #expect(duration < .seconds(30))
  }
}
#endif
