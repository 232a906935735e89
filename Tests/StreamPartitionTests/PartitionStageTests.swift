import CLibrary
@_spi(Engine) import StreamCore
import StreamDriving
import StreamFiles
import StreamKit
import Testing

@testable import StreamPartition

/// Keys that one machine holds, and the records that are routed to them.
@Suite struct PartitionStageTests {
  private let timeless = #"{"key": "value.k"}"#

  private func file(_ partition: String) throws -> PartitionFile {
    let text = """
      {"inputs": {"e": {}}, "source": {"input": {"name": "e"}}, "partition": \(partition),
       "operators": [{"scan": {"initialValue": 0, "expression": "acc + value.v"}}]}
      """
    var path = Array("/tmp/stage-XXXXXX.json".utf8CString)
    let number = mkstemps(&path, 5)
    try #require(number >= 0)
    let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(name) }
    let descriptor = FileDescriptor(number: number)
    try descriptor.write(text)
    descriptor.close()
    return try PartitionFile(name, FileLoader(FileAccess(named: [name])))
  }

  private func hold(_ record: String, of key: String, at time: Int64, _ stage: PartitionStage) {
    let slot = Array(key.utf8).withUnsafeBytes { stage.slot(of: $0) ?? stage.add($0) }
    Array(record.utf8).withUnsafeBytes { stage.hold($0, of: slot, at: time) }
  }

  private func results(_ stage: PartitionStage) throws -> [String] {
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

  private func snapshotSize(_ stage: PartitionStage) throws -> Int {
    var size = 0
    while try stage.takeSnapshots({ _, snapshot in
      size += snapshot.bytes?.count ?? 0
      return true
    }) {}
    return size
  }

  @Test("Without 'time' results leave with each batch, and states hold no records", arguments: [true, false])
  func publishesWithoutTime(usesRows: Bool) throws {
    let stage = try PartitionStage(try file(timeless), stage: 0, usesRows: usesRows) { _ in }
    var sizes: [Int] = []
    for step in 1...100 {
      hold(#"{"k":"a","v":1}"#, of: #""a""#, at: 0, stage)
      hold(#"{"k":"b","v":2}"#, of: #""b""#, at: 0, stage)
      // For every event time that the adapter sends.
      stage.advance(to: step % 2 == 0 ? 0 : Watermark.none)
      #expect(try results(stage) == ["\(step)", "\(2 * step)"])
      sizes.append(try snapshotSize(stage))
    }
    #expect(sizes[99] < sizes[0] + 40, "\(sizes)")
    stage.finish(at: Watermark.none)
    #expect(try results(stage) == [])
  }

  @Test("A state that exceeds the limit is an error that names the key, before a frame breaks") func limitsStates()
    throws
  {
    let stage = try PartitionStage(try file(#"{"key": "value.k", "time": "value.t"}"#), stage: 0) { _ in }
    let long = String(repeating: "x", count: KeyLimits.record - 100)
    hold("\"\(long)\"", of: #""small""#, at: 1_000, stage)
    #expect(try snapshotSize(stage) > KeyLimits.record - 200)
    for _ in 0..<2 { hold("\"\(long)\"", of: #""device 7""#, at: 1_000, stage) }
    let error = #expect(throws: StageError.self) { try snapshotSize(stage) }
    #expect(error?.message.contains(#"the state of the key "device 7" has "#) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("the limit is 48 MiB") == true)
  }

  private func route(_ record: String, _ router: Router) throws -> (fate: Watermark.Fate?, key: String) {
    var key: [UInt8] = []
    let route = try PaddedBytes.with(Array(record.utf8)) { try router.route($0, appendingKeyTo: &key) }
    return (route?.fate, String(decoding: key.dropFirst(4), as: UTF8.self))
  }

  @Test("A late record needs no key, and one whose key fails moves event time, as on one machine")
  func routesWithoutKey() throws {
    let router = try Router(
      try file(#"{"key": "value.k", "time": "value.t", "late": "output"}"#), skipsErrors: true)
    #expect(try route(#"{"k":"a","t":5000}"#, router) == (.onTime, #""a""#))
    #expect(try route(#"{"t":1000}"#, router) == (.output, ""))
    #expect(try route(#"{"k":"b","t":1000}"#, router) == (.output, #""b""#))
    #expect(try route(#"{"t":9000}"#, router).fate == nil)
    #expect(try route(#"{"k":"b","t":8000}"#, router).fate == .output)
  }

  @Test("With the time of the adapter, records do not make each other late") func routesByGivenTime() throws {
    let router = try Router(
      try file(#"{"key": "value.k", "time": "value.t", "lateness": 1, "late": "drop"}"#), hasGivenTime: true)
    #expect(try route(#"{"k":"a","t":900000}"#, router).fate == .onTime)
    #expect(try route(#"{"k":"a","t":1000}"#, router).fate == .onTime)
    #expect(router.watermark.newest == Watermark.none)
    router.watermark.newest = 5_000_000_000
    #expect(try route(#"{"k":"a","t":4000}"#, router).fate == .onTime)
    #expect(try route(#"{"k":"a","t":3999}"#, router).fate == .dropped)
    #expect(router.watermark.newest == 5_000_000_000)
  }

  @Test("A key that is too long is refused") func limitsKeys() throws {
    let router = try Router(try file(timeless))
    let key = String(repeating: "k", count: KeyLimits.key)
    let error = #expect(throws: StageError.self) { try route(#"{"k":"\#(key)"}"#, router) }
    #expect(error?.message.contains("the limit is 1 MiB") == true)
  }

  @Test(
    "Options of a session",
    arguments: [
      ("", false, false), (#"{"skipErrors": true}"#, true, false), (#"{"givenTime": true}"#, false, true),
      (#"{"skipErrors": false, "givenTime": false}"#, false, false),
    ])
  func readsOptions(_ text: String, _ skipsErrors: Bool, _ hasGivenTime: Bool) throws {
    let options = try WorkerOptions(Array(text.utf8))
    #expect(options.skipsErrors == skipsErrors && options.hasGivenTime == hasGivenTime)
  }

  @Test("Wrong options are refused", arguments: ["[]", #"{"skipErrors": 1}"#, #"{"givenTimes": true}"#, "{"])
  func refusesOptions(_ text: String) {
    #expect(throws: StageError.self) { try WorkerOptions(Array(text.utf8)) }
  }

  @Test("Keys read a file beside the stream file; one that is missing is refused before the first record")
  func readsFiles() throws {
    var pattern = Array("/tmp/stage-XXXXXX".utf8CString)
    try #require(mkdtemp(&pattern) != nil)
    let folder = String(decoding: pattern.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let (stream, names) = (folder + "/stream.json", folder + "/names.csv")
    defer {
      unlink(stream)
      unlink(names)
      rmdir(folder)
    }
    func write(_ text: String, to path: String) throws {
      let number = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      try #require(number >= 0)
      let file = FileDescriptor(number: number)
      try file.write(text)
      file.close()
    }
    try write(
      #"""
      {"inputs": {"e": {}}, "source": {"input": {"name": "e"}}, "partition": {"key": "value.k", "as": "name"},
       "streams": {"names": {"source": {"file": {"path": "names.csv"}}, "operators": [{"collectMap": {"key": "value.k", "expression": "value.n"}}]}},
       "operators": [{"withLatestFrom": {"with": ["names"], "expression": "[name, values[1][name], values[0].v]"}}]}
      """#, to: stream)
    func file() throws -> PartitionFile { try PartitionFile(stream, FileLoader(FileAccess(named: [stream]))) }
    let error = #expect(throws: Diagnostics.self) { try file() }
    #expect(error?.all.first?.message.contains("names.csv") == true)
    #expect(error?.all.first?.message.contains("missing on this machine") == true)
    try write("k,n\na,Ann\nb,Bob\n", to: names)
    let stage = try PartitionStage(try file(), stage: 0) { _ in }
    hold(#"{"k":"a","v":1}"#, of: #""a""#, at: 0, stage)
    hold(#"{"k":"b","v":2}"#, of: #""b""#, at: 0, stage)
    stage.advance(to: 0)
    #expect(try results(stage) == [#"["a","Ann",1]"#, #"["b","Bob",2]"#])
  }
}
