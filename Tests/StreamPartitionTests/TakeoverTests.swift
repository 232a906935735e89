import CLibrary
import StreamCore
import StreamDriving
import StreamFiles
import Testing

@testable import StreamPartition

/// States that one version of a file has saved, and another one continues from.
@Suite struct TakeoverTests {
  private static func file(_ operators: String) throws -> PartitionFile {
    let path = "/tmp/takeover-\(getpid())-\(UInt64.random(in: 0 ... .max)).json"
    let text = #"""
      {"inputs": {"e": {}}, "source": {"input": {"name": "e"}}, "partition": {"key": "value.k", "time": "value.t"},
       "operators": [\#(operators)]}
      """#
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    try #require(file >= 0)
    defer {
      close(file)
      unlink(path)
    }
    try FileDescriptor(number: file).write(text)
    return try PartitionFile(path, FileLoader(FileAccess(named: [path])))
  }

  private static let key = Array(#""a""#.utf8)

  /// Sends a value at a second, and returns what is published up to another one.
  private static func send(_ number: Int?, at second: Int64, through end: Int64, to stage: PartitionStage) throws
    -> [String]
  {
    let slot = key.withUnsafeBytes { stage.slot(of: $0) ?? stage.add($0) }
    if let number {
      let record = Array(#"{"k":"a","t":\#(second * 1_000),"v":\#(number)}"#.utf8)
      record.withUnsafeBytes { stage.hold($0, of: slot, at: second * 1_000_000_000) }
    }
    stage.advance(to: end * 1_000_000_000)
    var bytes: [UInt8] = []
    let (count, hasMore) = try stage.takeResults(&bytes)
    #expect(!hasMore)
    return try bytes.withUnsafeBytes { all in
      var reader = ByteReader(all)
      return try (0..<count).map { _ in
        let time: Int64 = try reader.number()
        return "\(time / 1_000_000_000) " + String(decoding: try reader.string(), as: UTF8.self)
      }
    }
  }

  private static func snapshot(_ stage: PartitionStage) throws -> [UInt8] {
    var found: [UInt8]?
    _ = try stage.takeSnapshots { _, snapshot in
      found = snapshot.bytes
      return true
    }
    return try #require(found)
  }

  private static func stage(
    _ file: PartitionFile, former: [PartitionFile], from snapshot: [UInt8], log: @escaping (String) -> Void = { _ in }
  ) throws -> PartitionStage {
    let stage = try PartitionStage(file, stage: 0, former: former, log: log)
    let slot = key.withUnsafeBytes { stage.add($0) }
    try snapshot.withUnsafeBytes { (bytes) throws in try stage.load(bytes, into: slot) }
    return stage
  }

  private static let scan = #"{"id": "sum", "scan": {"initialValue": 0, "expression": "acc + value.v"}}"#

  @Test(arguments: [
    // Rows to rows, rows to executions, and executions to rows.
    (scan, scan + #", {"map": {"expression": "value * 10"}}"#, true, true, ["3 100"]),
    (scan, scan + #", {"window": {"count": 1, "operators": []}}"#, true, false, ["3 10"]),
    (scan + #", {"window": {"count": 1, "operators": []}}"#, scan, false, true, ["3 10"]),
    // The timer of a row.
    (
      #"{"id": "d", "debounce": {"seconds": 5}}, {"map": {"expression": "value.v"}}"#,
      #"{"id": "d", "debounce": {"seconds": 5}}, {"map": {"expression": "-value.v"}}"#, true, true, ["8 -7"]
    ),
  ])
  func continues(_ old: String, _ new: String, _ oldRows: Bool, _ newRows: Bool, _ expected: [String]) throws {
    let (former, file) = (try Self.file(old), try Self.file(new))
    let first = try PartitionStage(former, stage: 0) { _ in }
    #expect(first.usesRows == oldRows)
    _ = try Self.send(3, at: 1, through: 2, to: first)
    let saved = try Self.snapshot(first)
    var log: [String] = []
    let second = try Self.stage(file, former: [former], from: saved) { log.append($0) }
    #expect(second.usesRows == newRows)
    #expect(try Self.send(7, at: 3, through: 20, to: second) == expected)
    #expect(log.count == 1 && log[0].contains("kept"), "\(log)")
  }

  @Test func aKeyThatWasNotUsedSkipsAVersion() throws {
    let files = try (1...3).map { try Self.file(Self.scan + #", {"map": {"expression": "value * \#($0)"}}"#) }
    let first = try PartitionStage(files[0], stage: 0) { _ in }
    _ = try Self.send(3, at: 1, through: 2, to: first)
    let saved = try Self.snapshot(first)
    let last = try Self.stage(files[2], former: [files[1], files[0]], from: saved)
    #expect(try Self.send(7, at: 3, through: 4, to: last) == ["3 30"])
  }

  @Test func anUnknownVersionAndDamageAreRefused() throws {
    let files = try (1...2).map { try Self.file(Self.scan + #", {"map": {"expression": "value * \#($0)"}}"#) }
    let first = try PartitionStage(files[0], stage: 0) { _ in }
    _ = try Self.send(3, at: 1, through: 2, to: first)
    let saved = try Self.snapshot(first)
    for (bytes, message) in [(saved, "--restore-old"), (saved.dropLast() + [saved[saved.count - 1] ^ 1], "is damaged")]
    {
      do {
        _ = try Self.stage(files[1], former: [], from: Array(bytes))
        Issue.record("\(message): it was taken")
      } catch let error as StageError {
        #expect(error.message.contains(message))
      }
    }
  }
}
