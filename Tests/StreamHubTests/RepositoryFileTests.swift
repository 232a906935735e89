#if Sharing
import CLibrary
import Foundation
import StreamCore
import Testing

@testable import StreamHub

@Suite struct RepositoryFileTests {
  private let hash = String(repeating: "0123456789abcdef", count: 4)

  /// A hub over a folder with some files, and a secret beside it.
  private func makeHub(_ adjust: (inout HubOptions) -> Void = { _ in }) throws -> TestHub {
    let folder = try TemporaryFolder()
    let files = [
      "repository/metadata/timestamp.json": "{}", "repository/metadata/7.snapshot.json": "{\"a\": 1}",
      "repository/metadata/.timestamp.json.new": "{}", "repository/targets/a/\(hash).b.json": "target",
      "repository/targets/plain.bin": "plain", "repository/targets/a/%2e%2e": "odd",
      "repository/keys/targets.pem": "SECRET", "repository/root.txt": "SECRET", "secret": "SECRET",
    ]
    for (path, text) in files {
      let place = URL(fileURLWithPath: "\(folder.path)/\(path)")
      try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: place)
    }
    symlink("../../secret", "\(folder.path)/repository/targets/link")
    symlink("../keys", "\(folder.path)/repository/targets/keys")
    mkfifo("\(folder.path)/repository/targets/pipe", 0o600)
    return try TestHub(FakeRepository(), in: folder, adjust)
  }

  @Test func filesAreServedWithTags() throws {
    let hub = try makeHub()
    let first = try hub.send("GET", "/repository/metadata/7.snapshot.json")
    #expect(first.status == 200)
    #expect(first.text == "{\"a\": 1}")
    #expect(first.fields["content-type"] == "application/json")
    #expect(first.fields["cache-control"] == "public, max-age=31536000, immutable")
    let tag = try #require(first.fields["etag"])
    #expect(tag == EntityTag.of("{\"a\": 1}"))
    let known = try hub.send("GET", "/repository/metadata/7.snapshot.json", ["If-None-Match": "\"x\", \(tag)"])
    #expect(known.status == 304)
    #expect(known.fields["etag"] == tag)
    let head = try hub.send("HEAD", "/repository/metadata/7.snapshot.json")
    #expect(head.fields["content-length"] == "8")
    let other = try hub.send("GET", "/repository/metadata/7.snapshot.json", ["If-None-Match": "\"x\""])
    #expect(other.status == 200)
  }

  @Test func onlyNamesWithVersionsOrHashesAreImmutable() throws {
    let hub = try makeHub()
    let timestamp = try hub.send("GET", "/repository/metadata/timestamp.json")
    let target = try hub.send("GET", "/repository/targets/a/\(hash).b.json")
    let plain = try hub.send("GET", "/repository/targets/plain.bin")
    #expect(timestamp.fields["cache-control"] == "no-cache")
    #expect(target.fields["cache-control"]?.hasSuffix("immutable") == true)
    #expect(plain.fields["cache-control"] == "no-cache")
    #expect(plain.fields["content-type"] == "application/octet-stream")
  }

  @Test func aFileThatIsReplacedIsReadAgain() throws {
    let hub = try makeHub()
    let path = "\(hub.folder.path)/repository/metadata/timestamp.json"
    for number in 0..<20 {
      try Data("{\"version\": \(number)}".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
      let reply = try hub.send("GET", "/repository/metadata/timestamp.json")
      #expect(reply.text == "{\"version\": \(number)}")
    }
    try FileManager.default.removeItem(atPath: path)
    let gone = try hub.send("GET", "/repository/metadata/timestamp.json")
    #expect(gone.status == 404)
    symlink("../keys/targets.pem", path)
    let link = try hub.send("GET", "/repository/metadata/timestamp.json")
    #expect(link.status == 404)
  }

  @Test func aLargeFileIsSentWhole() throws {
    let hub = try makeHub()
    let bytes = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
    try Data(bytes).write(to: URL(fileURLWithPath: "\(hub.folder.path)/repository/targets/large"))
    for _ in 0..<2 {
      let reply = try hub.send("GET", "/repository/targets/large")
      #expect(reply.body == bytes)
      #expect(reply.fields["etag"] == EntityTag.of(bytes))
    }
    let known = try hub.send("GET", "/repository/targets/large", ["If-None-Match": EntityTag.of(bytes)])
    #expect(known.status == 304)
  }

  @Test(arguments: [
    "/repository/", "/repository/metadata", "/repository/metadata/", "/repository/keys/targets.pem",
    "/repository/root.txt", "/repository/metadata/../keys/targets.pem", "/repository/metadata/..%2Fkeys%2Ftargets.pem",
    "/repository/metadata/%2e%2e/keys/targets.pem", "/repository/metadata/%252e%252e/keys/targets.pem",
    "/repository/targets/../../secret", "/repository/targets/..%2f..%2fsecret", "/repository/targets/link",
    "/repository/targets/keys/targets.pem", "/repository/targets/pipe", "/repository/targets/a",
    "/repository/metadata/.timestamp.json.new", "/repository/targets//plain.bin", "/repository/targets/./plain.bin",
    "/repository//metadata/timestamp.json", "/repository/targets/plain.bin%00", "/repository/targets/plain.bin%zz",
    "/repository/targets/plain.bin/", "/repository/targets/\\..\\secret", "/repository/TARGETS/plain.bin",
    "/repository/targets/%ff", "/repository/targets/" + String(repeating: "a", count: 300),
    "/repository/targets" + String(repeating: "/a", count: 100),
  ])
  func nothingElseIsServed(_ path: String) throws {
    let hub = try makeHub()
    let reply = try hub.send("GET", path)
    #expect(reply.status == 404, "\(path)")
    #expect(!reply.text.contains("SECRET"))
  }

  @Test func anEncodedNameIsDecodedOnce() throws {
    let hub = try makeHub()
    let reply = try hub.send("GET", "/repository/targets/a/%252e%252e")
    #expect(reply.text == "odd")
  }

  @Test func aPrivateRepositoryNeedsAToken() throws {
    let hub = try makeHub { $0.isRepositoryPublic = false }
    let without = try hub.send("GET", "/repository/metadata/7.snapshot.json")
    let with = try hub.send("GET", "/repository/metadata/7.snapshot.json", token: try hub.token(.read))
    #expect(without.status == 401)
    #expect(with.fields["cache-control"] == "private, max-age=31536000, immutable")
  }
}
#endif
