#if Sharing
import CLibrary
import Foundation
@_spi(Engine) import StreamCore
import Testing

/// The command, as a process of its own.
@Suite struct ServeCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let output = try run("init", "--no-passphrase")
    try #require(output.status == 0, "\(output.text)")
  }

  private func process(_ arguments: [String]) -> (Process, Pipe) {
    let process = Process()
    process.executableURL = HubProgram.url
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    return (process, output)
  }

  private func run(_ arguments: String...) throws -> (text: String, status: Int32) {
    let (process, output) = process(arguments)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (text, process.terminationStatus)
  }

  /// Starts a hub, and returns its port as well.
  private func serve(_ options: String...) throws -> (Process, Pipe, UInt16) {
    let (process, output) = process(["serve", "--port", "0"] + options)
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    var reader = JSONReader()
    guard case .int(let port)? = try reader.read(line).member("port") else {
      process.terminate()
      throw CocoaError(.coderInvalidValue)
    }
    return (process, output, UInt16(port))
  }

  @Test func theVersionIsTold() throws {
    let output = try run("--version")
    #expect(output.status == 0)
    #expect(output.text.hasPrefix("streamhub "), "\(output.text)")
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func aSignalStopsTheHub(_ signal: Int32) throws {
    let (process, output, port) = try serve()
    let reply = try RawClient.send("GET", "/healthz", to: port)
    #expect(reply.text == "ok\n")
    kill(process.processIdentifier, signal)
    let log = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(log.contains("\"event\":\"stopped\""), "\(log)")
  }

  @Test func tokensAreMadeListedAndRevokedWhileTheHubServes() throws {
    let (process, output, port) = try serve("--log-requests")
    defer { process.terminate() }
    let made = try run(
      "tokens", "new", "--scope", "read", "--scope", "publish:a/", "--note", "two words", "--expires", "9")
    let token = made.text.trimmingCharacters(in: .newlines)
    #expect(made.status == 0, "\(made.text)")
    let granted = try RawClient.send("GET", "/v1/streams", to: port, ["Authorization": "Bearer \(token)"])
    #expect(granted.status == 200)
    let list = try run("tokens", "list")
    #expect(list.text.contains("\"scopes\":[\"read\",\"publish:a/\"]"))
    #expect(list.text.contains("\"note\":\"two words\""))
    #expect(!list.text.contains(token))
    let revoked = try run("tokens", "revoke", String(token.dropFirst(5).prefix(8)))
    #expect(revoked.status == 0)
    let refused = try RawClient.send("GET", "/v1/streams", to: port, ["Authorization": "Bearer \(token)"])
    #expect(refused.status == 401)
    kill(process.processIdentifier, SIGTERM)
    let log = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(log.contains("\"status\":401"))
    #expect(!log.contains(token))
    #expect(!log.contains(token.dropFirst(13)))
  }

  /// A hub that is killed leaves no lock.
  @Test func oneHubUsesAFolderAndAState() throws {
    try "{\"source\": {\"just\": {\"value\": 1}}}".write(
      toFile: "\(folder.path)/one.json", atomically: true, encoding: .utf8)
    let (first, _, _) = try serve()
    let sameState = try run("serve", "--port", "0")
    let sameFolder = try run("serve", "--port", "0", "--state", "other")
    // A hub without keys serves what another one publishes, and publishers take turns with a hub.
    let (reader, _, port) = try serve("--state", "other", "--keys", "none")
    let health = try RawClient.send("GET", "/health", to: port)
    let published = try run("publish", "one.json", "--name", "one")
    kill(first.processIdentifier, SIGKILL)
    first.waitUntilExit()
    let (second, _, _) = try serve()
    for process in [reader, second] {
      process.terminate()
      process.waitUntilExit()
    }
    #expect(sameState.status == 1)
    #expect(sameState.text == "error: another hub uses the folder 'hub'; give each hub a --state of its own\n")
    #expect(sameFolder.status == 1)
    #expect(sameFolder.text == "error: repository: another hub signs the repository in this folder\n")
    #expect(health.json.member("status") != "fail", "\(health.text)")
    #expect(published.status == 0, "\(published.text)")
  }

  @Test(arguments: [
    ["serve", "--host", "256.1.1.1"], ["serve", "--repository", "missing"], ["serve", "--rate", "0"],
    ["serve", "--public", "--private"], ["tokens", "new"], ["tokens", "new", "--scope", "all"],
    ["tokens", "revoke", "12345678"], ["tokens", "new", "--scope", "read", "--expires", "0"],
    ["run", "a", "--offline", "--refresh-first"], ["run", "a", "--refresh-first", "--wait", "0"],
    ["run", "a", "--at-least", "0"], ["run", "a", "--require-fresh", "yesterday"],
  ])
  func aMistakeIsReported(_ arguments: [String]) throws {
    let (process, output) = process(arguments)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus != 0)
    #expect(text.lowercased().hasPrefix("error: "), "\(text)")
  }

  /// Reported publications survive a crash, and the IDs of events continue.
  @Test func aHubThatIsKilledGoesOn() throws {
    let token = try run("tokens", "new", "--scope", "admin").text.trimmingCharacters(in: .newlines)
    var expected = 0
    var lastID = 0
    for _ in 0..<3 {
      let (process, _, port) = try serve()
      let fields = ["Authorization": "Bearer \(token)"]
      for _ in 0..<3 {
        let known = try RawClient.send("GET", "/v1/streams/a", to: port, fields)
        if expected > 0 { #expect(known.json.member("stable") == .int(Int64(expected))) }
        let text = "{\"source\": {\"just\": {\"value\": \(expected)}}}"
        let condition = known.fields["etag"].map { ["If-Match": $0] } ?? ["If-None-Match": "*"]
        let reply = try RawClient.send(
          "PUT", "/v1/streams/a", to: port, fields.merging(condition) { $1 }, body: Array(text.utf8))
        #expect(reply.status == (expected == 0 ? 201 : 200), "\(reply.text)")
        expected += 1
      }
      let reader = try RawClient(port)
      reader.send(RawClient.request("GET", "/v1/events", fields))
      _ = try reader.reply()
      let line = try #require(reader.event()?.last)
      let id = try #require(Int(line.dropFirst("id: ".count)))
      #expect(id >= lastID + 3)
      lastID = id
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }
}
#endif
