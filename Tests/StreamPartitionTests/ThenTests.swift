import CLibrary
@_spi(Engine) import StreamCore
import StreamDriving
import StreamEngine
import StreamFiles
import StreamKit
import StreamTesting
import Testing

@testable import StreamPartition

/// `then` of a partition on several workers: the results of one machine, byte for byte.
@Suite struct ThenTests {
  private struct Record {
    let time: Int64
    let key: String
    let text: String
  }

  private static func file(_ operators: String, _ then: String, time: String = #""time": "value.t","#) throws
    -> PartitionFile
  {
    let text = #"""
      {"inputs": {"e": {}}, "source": {"input": {"name": "e"}}, "operators": [\#(operators)], "seed": 5,
       "partition": {"key": "value.k", \#(time) "then": [\#(then)]}}
      """#
    var path = Array("/tmp/then-XXXXXX.json".utf8CString)
    let number = mkstemps(&path, 5)
    try #require(number >= 0)
    let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(name) }
    let descriptor = FileDescriptor(number: number)
    try descriptor.write(text)
    descriptor.close()
    return try PartitionFile(name, FileLoader(FileAccess(named: [name])))
  }

  /// Records with many equal times; the keys have texts in another order than their first values.
  private static func records(_ random: inout SeededGenerator) -> [Record] {
    let keys = [#""b""#, #""a""#, "10", "9", #"{"x":1}"#, "null", #""B""#]
    var second: Int64 = 1_000
    return (0..<Int.random(in: 0...40, using: &random)).map { number in
      second += Int64([0, 0, 0, 1, 3].randomElement(using: &random) ?? 0)
      let key = keys.randomElement(using: &random) ?? "null"
      return Record(
        time: second * 1_000_000_000, key: key,
        text: #"{"k":\#(key),"t":\#(second * 1_000),"v":\#(number)}"#)
    }
  }

  /// The results of one machine: the whole file in one execution that starts with the first record.
  private static func whole(_ file: PartitionFile, _ records: [Record]) throws -> [String] {
    let start = records.first?.time ?? 0
    let session = StreamSession(
      try StreamVersion(file.stream), origin: Timestamp(nanosecondsSince1970: start))
    var found: [String] = []
    func drain() {
      while let effect = session.next() {
        if case .event(.value(let value)) = effect {
          found.append("\(session.time.nanoseconds + start) \(JSONWriter.compact(value))")
        }
      }
    }
    session.start()
    drain()
    for record in records {
      let value = try JSONDocument(reading: Array(record.text.utf8), file: "r").value
      session.send(value, to: 0, at: StreamTime(nanoseconds: record.time - start))
      drain()
    }
    session.complete(0, .finished, at: StreamTime(nanoseconds: (records.last?.time ?? 0) - start))
    drain()
    while session.advanceToNextTimer() { drain() }
    return found
  }

  /// A worker, which is replaced by another one with its snapshots now and then.
  private final class Worker {
    let file: PartitionFile
    let number: Int
    var stage: PartitionStage
    /// The newest snapshot of each key: a stage returns only those that have changed, and a host keeps the other ones.
    private var saved: [[UInt8]: [UInt8]] = [:]

    init(_ file: PartitionFile, _ number: Int) throws {
      (self.file, self.number) = (file, number)
      stage = try PartitionStage(file, stage: number) { _ in }
    }

    func hold(_ record: [UInt8], of key: String, at time: Int64, from source: UInt32 = 0) {
      let slot = Array(key.utf8).withUnsafeBytes { stage.slot(of: $0) ?? stage.add($0) }
      record.withUnsafeBytes { stage.hold($0, of: slot, at: time, from: source) }
    }

    func results() throws -> [(time: Int64, bytes: [UInt8])] {
      var found: [(Int64, [UInt8])] = []
      while true {
        var bytes: [UInt8] = []
        let (count, hasMore) = try stage.takeResults(&bytes)
        try bytes.withUnsafeBytes { all in
          var reader = ByteReader(all)
          for _ in 0..<count { found.append((try reader.number(), Array(try reader.string()))) }
        }
        if !hasMore { return found }
      }
    }

    func replace() throws {
      while try stage.takeSnapshots({ key, snapshot in
        saved[Array(key)] = snapshot.bytes
        return true
      }) {}
      let next = try PartitionStage(file, stage: number) { _ in }
      for (key, bytes) in saved {
        let slot = key.withUnsafeBytes { next.add($0) }
        try bytes.withUnsafeBytes { try next.load($0, into: slot) }
      }
      stage = next
    }
  }

  /// The results of workers: records arrive from several sources, results in batches of any size and order.
  private static func divided(
    _ file: PartitionFile, _ records: [Record], _ random: inout SeededGenerator, sources: Int
  ) throws -> [String] {
    let workers = try (0..<Int.random(in: 1...4, using: &random)).map { _ in try Worker(file, 0) }
    let last = try Worker(file, 1)
    let kills = Int.random(in: 0...1, using: &random) == 1
    var found: [String] = []
    /// The results of the keys that have not arrived at the last stage, by worker.
    var pending: [[(time: Int64, bytes: [UInt8])]] = Array(repeating: [], count: workers.count)
    func deliver(all: Bool) {
      while let place = pending.indices.filter({ !pending[$0].isEmpty }).randomElement(using: &random) {
        if !all, Int.random(in: 0...3, using: &random) == 0 { return }
        let result = pending[place].removeFirst()
        last.hold(result.bytes, of: "null", at: result.time)
      }
    }
    func take() throws {
      for result in try last.results() {
        found.append("\(result.time) \(String(decoding: result.bytes, as: UTF8.self))")
      }
    }
    // The sources are read at once.
    let shares = (0..<sources).map { source in
      records.enumerated().filter { $0.offset % sources == source }.map(\.element)
    }
    var next = Array(repeating: 0, count: sources)
    while let source = shares.indices.filter({ next[$0] < shares[$0].count }).randomElement(using: &random) {
      let record = shares[source][next[source]]
      next[source] += 1
      let worker = workers[record.key.utf8.reduce(0) { ($0 + Int($1)) % workers.count }]
      worker.hold(Array(record.text.utf8), of: record.key, at: record.time, from: UInt32(source))
      let watermark = shares.indices.map { next[$0] == 0 ? 0 : shares[$0][next[$0] - 1].time }.min() ?? 0
      if Int.random(in: 0...2, using: &random) == 0 {
        for (place, worker) in workers.enumerated() {
          worker.stage.advance(to: watermark)
          pending[place] += try worker.results()
          if kills, Int.random(in: 0...3, using: &random) == 0 { try worker.replace() }
        }
        deliver(all: true)
        last.stage.advance(to: watermark)
        try take()
      } else {
        deliver(all: false)
      }
      if kills, Int.random(in: 0...5, using: &random) == 0 { try last.replace() }
    }
    let newest = records.map(\.time).max() ?? Watermark.none
    var end = newest
    for (place, worker) in workers.enumerated() {
      worker.stage.finish(at: newest)
      pending[place] += try worker.results()
      end = max(end, pending[place].map(\.time).max() ?? end)
    }
    deliver(all: true)
    if last.stage.keyCount == 0 { _ = Array("null".utf8).withUnsafeBytes { last.stage.add($0) } }
    last.stage.finish(at: end)
    try take()
    return found
  }

  @Test(
    "Any number of workers, batches and sources gives the bytes of one machine",
    arguments: [
      (
        #"{"map": {"expression": "value.v"}}"#,
        #"{"scan": {"initialValue": 7, "expression": "(acc * 31 + value) % 1000003"}}"#
      ),
      (#"{"map": {"expression": "value.v % 2"}}"#, #"{"removeDuplicates": {}}, {"enumerated": {}}"#),
      (#"{"map": {"expression": "[key, value.v]"}}"#, #"{"prefix": {"count": 7}}, {"collect": {}}"#),
      (
        #"{"window": {"seconds": 2, "align": "clock", "operators": [{"count": {}}]}}"#,
        #"{"scan": {"initialValue": 0, "expression": "(acc * 31 + value) % 1000003"}}"#
      ),
      (
        #"{"timeout": {"seconds": 2, "onTimeout": "publish", "expression": "{'v': -1}"}}, {"map": {"expression": "value.v"}}"#,
        #"{"withPrevious": {}}, {"map": {"expression": "[value[1], value[0]]"}}"#
      ),
      (
        #"{"delay": {"seconds": 1}}, {"map": {"expression": "value.v"}}"#,
        #"{"collectTime": {"seconds": 2}}, {"timestamp": {}}"#
      ),
      (#"{"map": {"expression": "value.v"}}"#, #"{"debounce": {"seconds": 1}}"#),
      (
        #"{"map": {"expression": "value.v"}}"#,
        #"{"timeout": {"seconds": 2, "onTimeout": "publish", "expression": "'quiet'"}}"#
      ),
      (
        #"{"map": {"expression": "{'t': timestamp(value.t), 'd': duration('1s'), 'u': uint(value.v), 'b': b'x', 'n': 0.0 / 0.0}"}}"#,
        #"{"map": {"expression": "[string(value.t + value.d), string(value.u + 1u), string(value.b + b'y'), string(value.n)]"}}"#
      ),
      (
        #"{"map": {"expression": "value.v"}}"#,
        #"{"groupBy": {"key": "value % 3", "operators": [{"scan": {"initialValue": 0, "expression": "acc * 2 + value"}}]}}, {"enumerated": {}}"#
      ),
      (#"{"filter": {"expression": "false"}}, {"delay": {"seconds": 3}}"#, #"{"count": {}}, {"timestamp": {}}"#),
      (#"{"delay": {"seconds": 3}}, {"filter": {"expression": "false"}}"#, #"{"count": {}}, {"timestamp": {}}"#),
      (#"{"map": {"expression": "random()"}}"#, #"{"map": {"expression": "value + random()"}}"#),
    ])
  func isThatOfOneMachine(_ operators: String, _ then: String) throws {
    let file = try Self.file(operators, then)
    var random = SeededGenerator(seed: UInt64(operators.utf8.count * 1_000 + then.utf8.count))
    for round in 0..<40 {
      let sources = Int.random(in: 1...3, using: &random)
      let records = Self.records(&random)
      let found = try Self.divided(file, records, &random, sources: sources)
      // One machine reads the sources one after another, and so has ties in their order.
      let read = (0..<sources).flatMap { source in records.enumerated().filter { $0.offset % sources == source } }
      let sorted = read.enumerated().sorted {
        ($0.element.element.time, $0.offset) < ($1.element.element.time, $1.offset)
      }
      #expect(try found == Self.whole(file, sorted.map(\.element.element)), "round \(round): \(records.map(\.text))")
    }
  }

  @Test("Without 'time' there is no order, and the file is refused, with what to do") func timeIsNeeded() throws {
    let error = try #require(throws: Diagnostics.self) { try Self.file("", #"{"count": {}}"#, time: "") }
    let diagnostic = try #require(error.all.first)
    #expect(diagnostic.code == .cannotPartition)
    #expect(diagnostic.pointer.description == "/partition/then")
    #expect(diagnostic.help?.hasPrefix("add \"time\" to 'partition'") == true)
    _ = try Self.file("", "", time: "")
  }
}
