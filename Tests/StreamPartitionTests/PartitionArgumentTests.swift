import CLibrary
import StreamCore
import StreamDriving
import StreamFiles
import Testing

@testable import StreamPartition

/// The parameters and the seed of a file whose keys are divided.
@Suite struct PartitionArgumentTests {
  private static let text = #"""
    {"parameters": {"factor": {"type": "int", "default": 1}},
     "inputs": {"e": {}}, "source": {"input": {"name": "e"}}, "partition": {"key": "value.k"},
     "operators": [{"map": {"expression": "[value.v * factor, random()]"}}]}
    """#

  /// Opens the file with arguments.
  private static func file(_ set: [String], seed: Int?) throws -> PartitionFile {
    let path = "/tmp/partition-arguments-\(getpid())-\(UInt64.random(in: 0 ... .max)).json"
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    try #require(file >= 0)
    defer {
      close(file)
      unlink(path)
    }
    try FileDescriptor(number: file).write(text)
    let request = CompileRequest(set: set.compactMap { NamedArgument(argument: $0) }, seed: seed)
    return try PartitionFile(path, FileLoader(FileAccess(named: [path])), try request.arguments())
  }

  /// The results of one value for each of two keys.
  private static func results(_ file: PartitionFile, usesRows: Bool) throws -> [String] {
    let stage = try PartitionStage(file, stage: 0, usesRows: usesRows) { _ in }
    for key in ["a", "b"] {
      let slot = Array("\"\(key)\"".utf8).withUnsafeBytes { stage.add($0) }
      let record = Array(#"{"k":"\#(key)","v":2}"#.utf8)
      record.withUnsafeBytes { stage.hold($0, of: slot, at: 0) }
    }
    stage.advance(to: 0)
    var bytes: [UInt8] = []
    let count = try stage.takeResults(&bytes).count
    return try bytes.withUnsafeBytes { all in
      var reader = ByteReader(all)
      return try (0..<count).map { _ in
        _ = try reader.number(Int64.self)
        return String(decoding: try reader.string(), as: UTF8.self)
      }
    }
  }

  @Test("Every key has the values and the numbers, whatever keeps its state")
  func keys() throws {
    let file = try Self.file(["factor=5"], seed: 7)
    let rows = try Self.results(file, usesRows: true)
    let executions = try Self.results(file, usesRows: false)
    #expect(rows == executions)
    #expect(rows.count == 2 && rows.allSatisfy { $0.hasPrefix("[10,0.") } && rows[0] != rows[1], "\(rows)")
    let other = try Self.results(try Self.file(["factor=5"], seed: 8), usesRows: true)
    #expect(other != rows)
  }

  @Test("Other values and another seed make another version, and the default value does not")
  func versions() throws {
    let hashes = try [([], 7), (["factor=5"], 7), (["factor=6"], 7), (["factor=5"], 8)].map { set, seed in
      try Self.file(set, seed: seed).hash
    }
    #expect(Set(hashes).count == 4)
    let standard = try Self.file(["factor=1"], seed: 7).hash
    #expect(standard == hashes[0])
  }

  @Test("Wrong values and names are refused", arguments: ["factor=many", "factr=1"])
  func wrong(_ set: String) {
    #expect(throws: Diagnostics.self) { try Self.file([set], seed: 7) }
  }
}
