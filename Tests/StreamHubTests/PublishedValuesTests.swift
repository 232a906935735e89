#if Sharing
import CLibrary
import Foundation
import StreamConsole
import StreamCore
import StreamDriving
import StreamSharing
import Testing

@testable import StreamHub

/// Values of parameters that are published with a file.
@Suite struct PublishedValuesTests {
  private static let file = #"""
    {"parameters": {"least": {"type": "int", "default": 2}, "factor": {"type": "double"}},
     "inputs": {"a": {"type": "int"}}, "source": {"input": {"name": "a"}},
     "operators": [{"filter": {"expression": "value >= least"}}, {"map": {"expression": "value * factor"}}],
     "tests": [{"name": "t", "inputs": {"a": {"values": [1, 2]}}, "expect": {"values": [3]}}]}
    """#

  private func check(_ set: [String: Value]) throws -> PublicationCheck {
    PublicationCheck(
      try StreamName("a"), Array(Self.file.utf8), file: "a.json", arguments: CompileArguments(published: set))
  }

  @Test func theTestsKeepTheDefaults() throws {
    let check = try check(["least": 100, "factor": 1.5])
    #expect(check.draft?.parameters == ["least": 100, "factor": 1.5])
    #expect(check.openParameters.isEmpty)
  }

  @Test func aValueThatEqualsTheDefaultIsNotPublished() throws {
    let check = try check(["least": 2, "factor": 1.5])
    #expect(check.draft?.parameters == ["factor": 1.5])
  }

  @Test(arguments: [["least": "many", "factor": 1.5], ["leastt": 3, "factor": 1.5]] as [[String: Value]])
  func wrongValuesAreRefused(_ values: [String: Value]) throws {
    let check = try check(values)
    #expect(check.draft == nil)
    #expect(check.report.problems.contains { $0.message.contains("'least") }, "\(check.report.problems)")
  }

  // MARK: The command

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try Data(Self.file.utf8).write(to: URL(fileURLWithPath: folder.path + "/a.json"))
    _ = try run(["init", "--no-passphrase"])
  }

  private func run(_ arguments: [String], input: String = "") throws -> (output: String, errors: String, code: Int32) {
    let process = Process()
    process.executableURL = HubProgram.url
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.environment = ["XDG_CACHE_HOME": folder.path + "/cache", "PATH": "/usr/bin:/bin"]
    let (data, output, errors) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (data, output, errors)
    try process.run()
    try data.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try data.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let told = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (text, told, process.terminationStatus)
  }

  @Test func aPublicationGivesValuesAndTheCommandLineTakesPrecedence() throws {
    let published = try run(["publish", "a.json", "--name", "a", "--set", "factor=1.5"])
    #expect(published.code == 0, "\(published)")
    #expect(published.output.contains("published a, version 1, with factor=1.5"), "\(published)")
    let first = try run(["run", "a"], input: "1\n2\n3\n")
    #expect(first.output == "3.0\n4.5\n", "\(first)")
    let set = try run(["run", "a", "--set", "factor=10", "--set", "least=3"], input: "1\n2\n3\n")
    #expect(set.output == "30.0\n", "\(set)")
    let again = try run(["publish", "a.json", "--name", "a", "--set", "factor=1.5"])
    #expect(again.output.contains("a is unchanged: version 1"), "\(again)")
    let second = try run(["publish", "a.json", "--name", "a", "--set", "factor=1.5", "--set", "least=3"])
    #expect(second.output.contains("changed  parameter least: the default -> 3"), "\(second)")
    #expect(second.output.contains("published a, version 2, with factor=1.5, least=3"), "\(second)")
    let updated = try run(["run", "a"], input: "1\n2\n3\n")
    #expect(updated.output == "4.5\n", "\(updated)")
    let shown = try run(["show", "a"])
    #expect(shown.output.contains("factor=1.5, least=3"), "\(shown)")
    let difference = try run(["diff", "a", "1", "2"])
    #expect(difference.code == 1 && difference.output.contains("parameter least"), "\(difference)")
  }

  @Test func wrongArgumentsAreRefused() throws {
    for (set, message) in [("factor=many", "double"), ("factr=1", "did you mean 'factor'?")] {
      let published = try run(["publish", "a.json", "--name", "a", "--set", set])
      #expect(published.code == 2 && published.errors.contains(message), "\(published)")
    }
    _ = try run(["publish", "a.json", "--name", "a", "--set", "factor=1.5"])
    for (set, message) in [("factor=many", "double"), ("factr=1", "factr")] {
      let outcome = try run(["run", "a", "--set", set], input: "1\n")
      #expect(outcome.code != 0 && outcome.output.isEmpty && outcome.errors.contains(message), "\(outcome)")
    }
  }

  @Test func aHubTakesValues() throws {
    let repository = try NewRepository(in: folder.path + "/hub-repository")
    let hub = try TestHub(try FolderRepository(repository.path, keys: repository.keys), in: folder)
    let token = try hub.token(.admin)
    let created = try hub.publish("b", Self.file, token, query: "?parameters=%7B%22factor%22%3A1.5%7D")
    #expect(created.status == 201, "\(created.text)")
    let again = try hub.publish("b", Self.file, token, query: "?parameters=%7B%22factor%22%3A1.5%7D")
    #expect(again.text.contains("unchanged"), "\(again.text)")
    let second = try hub.publish("b", Self.file, token, query: "?parameters=%7B%22factor%22%3A1.5%2C%22least%22%3A5%7D")
    #expect(second.status == 200 && second.text.contains(#""version":2"#), "\(second.text)")
    let wrong = try hub.publish("b", Self.file, token, query: "?parameters=%7B%22factor%22%3A%22x%22%7D")
    #expect(wrong.status == 422, "\(wrong.text)")
    let bad = try hub.publish("b", Self.file, token, query: "?parameters=5")
    #expect(bad.status == 400, "\(bad.text)")
    let versions = try hub.send("GET", "/v1/streams/b/versions", token: token)
    #expect(versions.text.contains(#""parameters":{"factor":1.5,"least":5}"#), "\(versions.text)")
  }
}
#endif
