import StreamCombine
import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Testing

/// An operator of the app: publishes the numbers within a range.
struct Within: OperatorDefinition {
  var low: Double
  var high: Double

  func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.inputType
    return WithinMachine(low: low, high: high)
  }

  static let spec = OperatorSpec(
    "app.within", "Publishes the numbers within a range.",
    fields: [
      .required("low", .number(-1e9...1e9), "Lowest number."),
      .required("high", .number(-1e9...1e9), "Highest number."),
    ],
    examples: [
      .marbles(
        "a peak", #"{"app.within": {"low": 0, "high": 5}}"#, in: "-a-b-a|", out: "-a---a|",
        values: ["a": 1, "b": 9])
    ])
}

extension Within {
  func validate() throws(Diagnostic) {
    if low > high { throw Diagnostic(.outOfRange, "'low' is above 'high'", at: JSONPointer(["low"])) }
  }

  /// A change of `low` in the file discards the state.
  static var fieldsOfState: Set<String> { ["low"] }
}

/// The machine keeps nothing between values: its `State` is `Stateless`.
private struct WithinMachine: Machine {
  let low: Double
  let high: Double

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    let isWithin = value.double.map { low <= $0 && $0 <= high } ?? false
    if isWithin { effects.publish(value) } else { effects.request(Demand(1), from: 0) }
  }
}

/// Adds one to each number, and finishes instead of failing.
private struct Increment: OperatorDefinition {
  var handlesFailures: Bool { true }

  func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine { IncrementMachine() }

  static let spec = OperatorSpec(
    "app.increment", "Adds one to each number, and finishes instead of failing.",
    examples: [
      .marbles("numbers", #"{"app.increment": {}}"#, in: "-a-b|", out: "-b-c|", values: ["a": 1, "b": 2, "c": 3])
    ])
}

private struct IncrementMachine: Machine {
  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    var value = value
    try increment(&value)
    effects.publish(value)
  }

  mutating func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    try increment(&value)
    return .value
  }

  mutating func skip(_ skipped: Skipped, on port: Int, _ effects: Effects) {
    if case .value = skipped { effects.request(Demand(1), from: port) } else { effects.finish() }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure(let failure) = completion { effects.note(.hook, name: "failed", message: .string(failure.code)) }
    effects.finish()
  }

  private func increment(_ value: inout Value) throws(StreamFailure) {
    guard let int = value.int else { throw StreamFailure(code: "app.noInt", message: "\(value) is not an integer") }
    value = .int(Int64(int + 1))
  }
}

/// The stream files of an app, which refer to each other by name.
struct BundledFiles: StreamLoader {
  let texts: [String: String]

  func load(_ path: String, relativeTo base: String?) throws(Diagnostics) -> StreamFile {
    guard let text = texts[path] else {
      throw Diagnostics([Diagnostic(.fileNotFound, "there is no file '\(path)'")])
    }
    return try StreamFile(JSONDocument(reading: text, file: path), identity: path)
  }
}

/// The data files of an app, by name.
struct BundledData: ValueFiles {
  let texts: [String: String]

  func open(
    _ path: String, format: FileFormat, relativeTo base: String?, at place: FilePlace
  ) throws(Diagnostic) -> any ValueReader {
    guard let text = texts[path] else { throw Diagnostic(.fileNotFound, "there is no file '\(path)'") }
    return format.reader(of: TextBytes(text, from: place.offset), named: path, at: place)
  }
}

/// The bytes of a text.
final class TextBytes: ByteStream, @unchecked Sendable {  // used by one reader
  private var rest: ArraySlice<UInt8>

  init(_ text: String, from offset: Int) { rest = Array(text.utf8).dropFirst(offset) }

  func read(atMost count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}

/// A feed that sends one value and finishes.
final class BatteryFeed: StreamFeed {
  func attach(_ receiver: any FeedReceiver, as number: Int) {
    receiver.receive(80, on: number)
    receiver.receive(.finished, on: number)
  }

  func detach(_ receiver: any FeedReceiver) {}
}

/// A form whose text feeds streams.
final class NameForm {
  @StreamInput var text = ""

  func lengths(_ rules: StreamModel) -> StreamValues<Int> { rules.values(of: Int.self, inputs: ["text": $text]) }
}

struct Network: Sendable {
  func test(_ name: String) async throws -> Bool { !name.isEmpty }
}

struct Cache: Sendable {
  func fill(_ items: [String]) {}
}

struct Reading: Codable, Equatable {
  var sensor: String
  var celsius: Double
}

@Suite("Examples of types that an app defines", .timeLimit(.minutes(1)))
struct OwnTypeExampleTests {
  @Test("Operators")
  func operators() throws {
    let broken = try Laws.broken(by: Within.self) + Laws.broken(by: Increment.self)
    #expect(broken == [])
    let options = CompileOptions(host: StreamHost(operators: [Within.self]))
    #expect(throws: Diagnostics.self) {
      try StreamModel(
        checking: #"{"stream": [], "operators": [{"app.within": {"low": 2, "high": 1}}]}"#, options: options)
    }
  }

  @Test("Stream files that refer to others, and data files")
  func files() async throws {
    let loader = BundledFiles(texts: ["numbers.json": #"{"source": {"range": {"from": 1, "through": 3}}}"#])
    let file = try loader.load("numbers.json", relativeTo: nil)
    #expect(file.model.source == .range(1...3))
    #expect(throws: Diagnostics.self) { try loader.load("other.json", relativeTo: nil) }

    let files = BundledData(texts: ["readings.csv": "sensor,celsius\na,20\nb,21\n"])
    let format = try #require(FileFormat(ofFile: "readings.csv"))
    var lines: [String] = []

    let reader = try files.open("readings.csv", format: format, relativeTo: nil, at: FilePlace())
    while let value = try reader.next() { lines.append("\(reader.location.line): \(value)") }
    #expect(lines == [#"2: {"sensor":"a","celsius":"20"}"#, #"3: {"sensor":"b","celsius":"21"}"#])

    let second = try files.open("readings.csv", format: format, relativeTo: nil, at: FilePlace())
    _ = try second.next()

    let resumed = try files.open("readings.csv", format: format, relativeTo: nil, at: second.place)
    let next = try resumed.next()
    #expect(next?["sensor"] == "b")
  }

  @Test("A feed and a form")
  func feed() async throws {
    let model = StreamModel(inputs: ["level": InputDeclaration(type: .int)], source: .input("level"))
    var levels: [Int] = []
    for try await level in model.values(of: Int.self, inputs: ["level": BatteryFeed()]) { levels.append(level) }
    #expect(levels == [80])

    let form = NameForm()
    form.text = "Ada"
    let rules = StreamModel(
      inputs: ["text": InputDeclaration(type: .string)], source: .input("text"), operators: [.map("size(value)")])
    var lengths = form.lengths(rules).makeAsyncIterator()
    let length = try await lengths.next()
    #expect(length == 3)
  }
}
