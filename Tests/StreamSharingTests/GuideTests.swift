#if Sharing
import Foundation
import StreamSharing
import StreamTesting
import Testing

/// The code of the landing page, with a repository in a folder that a web server of Python's serves.
@Suite struct GuideTests {
  @Test func aFileIsReadOverHTTP() async throws {
    var fixture = try Fixture()
    try fixture.repository.publish([.init(path: "checkout/fraud.json", bytes: Array("{}".utf8))], now: Fixture.start)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "0"]
    process.currentDirectoryURL = URL(fileURLWithPath: fixture.folder.path)
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    try process.run()
    defer { process.terminate() }
    // "Serving HTTP on 127.0.0.1 port 40000 …"
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let port = try #require(line.split(separator: " ").compactMap { Int($0) }.first)
    try await read(
      rootShippedWithTheApp: try #require(try fixture.metadata()["1.root.json"]), server: "http://127.0.0.1:\(port)",
      store: FolderStore(fixture.folder.path), now: Fixture.start)
  }

  private func read(rootShippedWithTheApp: [UInt8], server: String, store: FolderStore, now: Int64) async throws {
    try RepositoryClient.trust(rootShippedWithTheApp, in: store)

    var client = try RepositoryClient(metadata: try HTTPTransport("\(server)/metadata"), store: store, now: now)
    try await client.refresh()

    if let target = try await client.target("checkout/fraud.json") {
      let bytes = try await client.read(target, from: try HTTPTransport("\(server)/targets"))
      print(String(decoding: bytes, as: UTF8.self))
    }

    let target = try await client.target("checkout/fraud.json")
    #expect(target?.length == 2)
  }
}
#endif
