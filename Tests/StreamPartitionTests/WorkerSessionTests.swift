import CLibrary
import StreamCore
import StreamDriving
import StreamFiles
import StreamTesting
import Testing

@testable import StreamPartition

/// The worker's side of the protocol, fed with frames from files.
@Suite struct WorkerSessionTests {
  private static let files = [
    #"""
    {"inputs": {"e": {}}, "source": {"input": {"name": "e"}}, "partition": {"key": "value.k", "time": "value.t", "lateness": 1},
     "operators": [{"scan": {"initialValue": 0, "expression": "acc + value.v"}}, {"debounce": {"seconds": 1}}]}
    """#,
    #"""
    {"inputs": {"e": {}}, "source": {"input": {"name": "e"}}, "partition": {"key": "value.k", "time": "value.t"},
     "operators": [{"delay": {"seconds": 1}}, {"window": {"count": 2, "operators": [{"count": {}}]}}]}
    """#,
  ]

  private struct Session {
    let folder: String
    let file: PartitionFile

    init(_ text: String) throws {
      var pattern = Array("/tmp/worker-XXXXXX".utf8CString)
      try #require(mkdtemp(&pattern) != nil)
      folder = String(decoding: pattern.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      try Self.write(Array(text.utf8), to: folder + "/stream.json")
      file = try PartitionFile(folder + "/stream.json", FileLoader(FileAccess(named: [folder + "/stream.json"])))
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
      let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      try #require(file >= 0)
      defer { close(file) }
      try FileDescriptor(number: file).write(bytes)
    }

    /// Runs a session on frames. Returns its exit code, its answers and what it has logged.
    func run(_ frames: [UInt8]) throws -> (code: Int32, answers: [UInt8], log: [String]) {
      let (input, output) = (folder + "/in", folder + "/out")
      try Self.write(frames, to: input)
      let (reader, writer) = (open(input, O_RDONLY), open(output, O_RDWR | O_CREAT | O_TRUNC, 0o600))
      try #require(reader >= 0 && writer >= 0)
      defer {
        close(reader)
        close(writer)
      }
      var log: [String] = []
      let code = WorkerSession(
        file, input: FileDescriptor(number: reader), output: FileDescriptor(number: writer)
      ) { log.append($0) }.run()
      lseek(writer, 0, SEEK_SET)
      return (code, try FileDescriptor(number: writer).read(atMost: 1 << 22), log)
    }

    func remove() {
      for name in ["stream.json", "in", "out"] { unlink(folder + "/" + name) }
      rmdir(folder)
    }
  }

  private static func frame(_ type: Character, _ body: [UInt8] = []) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: UInt32(body.count + 1))
    return bytes + [type.asciiValue ?? 0] + body
  }

  private static var hello: [UInt8] { frame("H", [0, 1, 1, 0, 0, 0, 0]) }

  /// A batch for keys `"a"` and `"b"` with one record each.
  private static func batch(_ time: Int64, mode: UInt8, advance: Int64) -> [UInt8] {
    var body: [UInt8] = []
    body.append(number: 2 as UInt32)
    for key in ["a", "b"] {
      body.append(string: "\"\(key)\"".utf8)
      body.append(mode)
      body.append(number: 1 as UInt32)
      body.append(number: time)
      body.append(string: #"{"k":"\#(key)","t":\#(time / 1_000_000),"v":2}"#.utf8)
    }
    body.append(number: advance)
    return frame("B", body)
  }

  private static func keys() -> [UInt8] {
    var body: [UInt8] = []
    body.append(number: Int64.min)
    body.append(number: 2 as UInt32)
    body.append(string: #"{"k":"a","t":1000}"#.utf8)
    body.append(string: #"{"k":1.0,"t":2500}"#.utf8)
    return frame("K", body)
  }

  private static var finish: [UInt8] {
    var body: [UInt8] = []
    body.append(number: Int64.min)
    return frame("F", body)
  }

  private static var transcript: [[UInt8]] {
    [
      hello, keys(), batch(1_000_000_000, mode: 2, advance: .min),
      batch(2_000_000_000, mode: 0, advance: 1_500_000_000),
      frame("S"), batch(9_000_000_000, mode: 0, advance: 9_500_000_000), frame("S"),
      frame("D", [0, 0, 0, 1, 0, 0, 0, 3] + "\"a\"".utf8), finish,
    ]
  }

  @Test(arguments: files) func answersEachRequest(_ text: String) throws {
    let session = try Session(text)
    defer { session.remove() }
    let (code, answers, log) = try session.run(Self.transcript.flatMap(\.self))
    #expect(code == 0, "\(log)")
    var types = ""
    var reader = answers[...]
    while reader.count >= 5 {
      let length = reader.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      types.append(Character(UnicodeScalar(reader[reader.startIndex + 4])))
      reader = reader.dropFirst(4 + length)
    }
    #expect(types == "hkrrsrsdr")
    #expect(reader.isEmpty)
  }

  /// A batch with one record for a key, whose saved state may precede it.
  private static func group(_ key: String, _ snapshot: [UInt8]?, _ record: String, at time: Int64) -> [UInt8] {
    var body: [UInt8] = []
    body.append(number: 1 as UInt32)
    body.append(string: key.utf8)
    body.append(snapshot == nil ? 2 : 1)
    if let snapshot { body.append(string: snapshot) }
    body.append(number: 1 as UInt32)
    body.append(number: time * 1_000_000_000)
    body.append(string: record.utf8)
    body.append(number: (time + 1) * 1_000_000_000)
    return frame("B", body)
  }

  /// The snapshot of the only key in the last answer.
  private static func snapshot(in answers: [UInt8]) throws -> [UInt8] {
    var rest = answers[...]
    var last = rest
    while rest.count >= 5 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      last = rest.dropFirst(5).prefix(length - 1)
      rest = rest.dropFirst(4 + length)
    }
    return try last.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      _ = try (reader.byte(), reader.number(UInt32.self), reader.string(), reader.byte(), reader.number(Int64.self))
      return Array(try reader.string())
    }
  }

  private static let keyFile = #"""
    {"inputs": {"e": {}}, "source": {"input": {"name": "e"}}, "partition": {"key": "value.k", "time": "value.t"},
     "operators": [{"scan": {"initialValue": 0, "expression": "acc + 1"}}, {"map": {"expression": "[key, value]"}}]}
    """#

  @Test(
    "A key keeps the form of its first value when its state is restored",
    arguments: [
      (#"{"a":1,"b":2}"#, #"{"b":2,"a":1.0}"#), ("3", "3.0"), (#"["x",1]"#, #"["x",1.0]"#), (#""plain""#, #""plain""#),
    ])
  func keepsForm(_ text: String, _ first: String) throws {
    let session = try Session(Self.keyFile)
    defer { session.remove() }
    let begin = Self.group(text, nil, #"{"k":\#(first),"t":1000}"#, at: 1)
    let before = try session.run(Self.hello + begin + Self.frame("S"))
    #expect(String(decoding: before.answers, as: UTF8.self).contains("[\(first),1]"), "\(before.log)")
    let saved = try Self.snapshot(in: before.answers)
    let after = try session.run(
      Self.hello + Self.group(text, saved, #"{"k":\#(text),"t":3000}"#, at: 3) + Self.finish)
    #expect(String(decoding: after.answers, as: UTF8.self).contains("[\(first),2]"), "\(after.log)")
  }

  /// The results of the last answer, after the numbers before them; with `countSkipped` the number of skipped values.
  private static func results(in answers: [UInt8], counts: Bool) throws -> (skipped: UInt32, values: [String]) {
    var rest = answers[...]
    var last = rest
    while rest.count >= 5 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      last = rest.dropFirst(5).prefix(length - 1)
      rest = rest.dropFirst(4 + length)
    }
    return try last.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      _ = try (reader.byte(), reader.number(UInt32.self), reader.number(UInt64.self))
      let skipped: UInt32 = counts ? try reader.number() : 0
      let count: UInt32 = try reader.number()
      let values = try (0..<count).map { _ in
        _ = try reader.number(Int64.self)
        return String(decoding: try reader.string(), as: UTF8.self)
      }
      #expect(reader.count == 0)
      return (skipped, values)
    }
  }

  /// A batch of one key, whose items have a source if the session has the option.
  private static func items(_ items: [(source: UInt32?, record: String)]) -> [UInt8] {
    var body: [UInt8] = []
    body.append(number: 1 as UInt32)
    body.append(string: #""a""#.utf8)
    body.append(2)
    body.append(number: UInt32(items.count))
    for item in items {
      body.append(number: 1_000_000_000 as Int64)
      if let source = item.source { body.append(number: source) }
      body.append(string: item.record.utf8)
    }
    body.append(number: 2_000_000_000 as Int64)
    return frame("B", body)
  }

  private static func hello(_ options: String) -> [UInt8] {
    var body: [UInt8] = [0, 1, 1]
    body.append(string: options.utf8)
    return frame("H", body)
  }

  private static let sums = #"""
    {"inputs": {"e": {}}, "source": {"input": {"name": "e"}}, "partition": {"key": "value.k", "time": "value.t"},
     "operators": [{"scan": {"initialValue": 0, "expression": "acc * 10 + value.v"}}]}
    """#

  @Test("An answer has the number of skipped values, for an adapter that asks", arguments: [false, true])
  func countsSkippedValues(counts: Bool) throws {
    let session = try Session(Self.sums)
    defer { session.remove() }
    let options = #"{"skipErrors": true, "countSkipped": \#(counts)}"#
    let records: [(UInt32?, String)] = [
      (nil, #"{"k":"a","v":1}"#), (nil, #"{"k":"a","v":"x"}"#), (nil, "no JSON"), (nil, #"{"k":"a"}"#),
      (nil, #"{"k":"a","v":2}"#),
    ]
    let (code, answers, log) = try session.run(Self.hello(options) + Self.items(records))
    #expect(code == 0, "\(log)")
    let found = try Self.results(in: answers, counts: counts)
    #expect(found.values == ["1", "12"])
    #expect(found.skipped == (counts ? 3 : 0))
    #expect(log.filter { $0.hasPrefix("skipped: ") }.count == 3)
    // They are reported once.
    let later = try session.run(Self.hello(options) + Self.items(records) + Self.finish)
    #expect(try Self.results(in: later.answers, counts: counts).skipped == 0)
  }

  @Test("Records of one key and time come in the order of their sources, also from a snapshot") func ordersSources()
    throws
  {
    let session = try Session(Self.sums)
    defer { session.remove() }
    let hello = Self.hello(#"{"sources": true}"#)
    let records: [(UInt32?, String)] = [
      (2, #"{"k":"a","v":3}"#), (1, #"{"k":"a","v":1}"#), (2, #"{"k":"a","v":4}"#), (1, #"{"k":"a","v":2}"#),
    ]
    let (_, answers, _) = try session.run(hello + Self.items(records))
    #expect(try Self.results(in: answers, counts: false).values == ["1", "12", "123", "1234"])
    // A batch without an advance of event time holds them.
    let held = Array(Self.items(records).dropLast(8)) + [128, 0, 0, 0, 0, 0, 0, 0]
    let saved = try Self.snapshot(in: session.run(hello + held + Self.frame("S")).answers)
    var body: [UInt8] = []
    body.append(number: 1 as UInt32)
    body.append(string: #""a""#.utf8)
    body.append(1)
    body.append(string: saved)
    body.append(number: 0 as UInt32)
    body.append(number: 2_000_000_000 as Int64)
    let restored = try session.run(hello + Self.frame("B", body))
    #expect(
      try Self.results(in: restored.answers, counts: false).values == ["1", "12", "123", "1234"], "\(restored.log)")
  }

  private static let refusals: [(frames: [UInt8], message: String)] = {
    let short: [UInt8] = [0, 1, 1]
    let ownHello = hello
    let ownBatch = batch(0, mode: 2, advance: .min)
    let drop = frame("D", [0, 0, 0, 1, 0, 0, 0, 3] + "\"a\"".utf8)
    var all: [(frames: [UInt8], message: String)] = [
      (frame("B"), "the first request is 'B'; expected 'H'"),
      (frame("H", [0, 2, 1, 0, 0, 0, 0]), "speaks version 2"),
      (frame("H", [0, 1, 3, 0, 0, 0, 0]), "the file has no stage 3; it has 1"),
      (frame("H", short), "ends too early"),
      (frame("H", [0, 1, 1, 0, 0, 0, 0, 9]), "1 bytes after its end"),
      (frame("H", [0, 1, 1, 0, 0, 0, 1, 120]), "not a JSON object"),
      (
        hello(#"{"colour": true}"#),
        #"unknown option "colour"; expected "skipErrors", "givenTime", "sources", "countSkipped""#
      ),
    ]
    let later: [([UInt8], String)] = [
      (ownHello, "'H' came twice"), (frame("C"), "no answer has more"), (frame("Z"), "there is no request 90"),
      ([0, 0, 0, 0], "a length of 0 bytes"), ([255, 255, 255, 255, 66], "a length of 4294967295 bytes"),
      ([0, 0, 0, 9, 66], "ends within a frame"), ([0, 0], "ends within the length"),
      (batch(0, mode: 0, advance: .min), "the worker does not hold the key \"a\""),
      (batch(0, mode: 7, advance: .min), "expected 0, 1 or 2"),
      (ownBatch + ownBatch, "holds the key \"a\" already"), (ownBatch + drop, "has changed since its last snapshot"),
    ]
    for (frames, message) in later { all.append((ownHello + frames, message)) }
    return all
  }()

  @Test(arguments: refusals.indices) func refuses(_ number: Int) throws {
    let (frames, message) = Self.refusals[number]
    let session = try Session(Self.files[0])
    defer { session.remove() }
    let (code, answers, log) = try session.run(frames)
    #expect(code == 2)
    #expect(log.last?.contains(message) == true, "\(log)")
    // The adapter gets the error, too.
    #expect(String(decoding: answers, as: UTF8.self).contains(message))
  }

  /// Frames that are cut, changed, repeated or random: an answer, an error, or the end, and never anything else.
  @Test func takesAnyFrames() throws {
    let sessions = try Self.files.map(Session.init)
    defer { for session in sessions { session.remove() } }
    var random = SeededGenerator(seed: 22)
    var codes: [Int32: Int] = [:]
    let count = Int(PropertyCount.cases(byDefault: 2_000))
    var frameCount = 0
    while frameCount < count {
      var frames = Self.transcript
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<frames.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: frames[place] = Array(frames[place].prefix(Int.random(in: 0...frames[place].count, using: &random)))
        case 1:
          let byte = Int.random(in: 0..<max(frames[place].count, 1), using: &random)
          if byte < frames[place].count { frames[place][byte] = UInt8.random(in: 0...255, using: &random) }
        case 2: frames.swapAt(place, Int.random(in: 0..<frames.count, using: &random))
        case 3: frames.insert(frames[place], at: place)
        case 4:
          let length = Int.random(in: 1...40, using: &random)
          let types: [Character] = ["H", "K", "B", "C", "S", "D", "F"]
          frames.insert(
            Self.frame(
              types.randomElement(using: &random) ?? "B",
              (1..<length).map { _ in UInt8.random(in: 0...255, using: &random) }),
            at: place)
        default: frames.remove(at: place)
        }
        if frames.isEmpty { break }
      }
      frameCount += max(frames.count, 1)
      let code = try sessions[frameCount % 2].run(frames.flatMap(\.self)).code
      codes[code, default: 0] += 1
    }
    #expect(Set(codes.keys).isSubset(of: [0, 1, 2]), "\(codes)")
  }
}
