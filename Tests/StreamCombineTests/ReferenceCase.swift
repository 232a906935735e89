@_spi(Engine) import StreamCore
import StreamEngine
import StreamKit

/// A stream file with what is sent to its inputs and what must come out: a line of `Tests/Reference/Model/cases.py`.
struct ReferenceCase: Sendable {
  /// Something that is sent, or that comes out.
  enum Event: Sendable {
    case value(Value)
    case finished
    /// The code, and the error value if the file or the script of calls gives one.
    case failure(code: String, error: Value?)
  }

  struct Sent: Sendable {
    let time: Int64
    let input: String
    let event: Event
  }

  /// A call of a host function, and its result.
  struct Call: Sendable {
    let time: Int64
    let function: String
    /// The argument as JSON.
    let argument: String
    let resultTime: Int64
    let result: Event
  }

  let line: Value
  let seed: Int64
  /// The stream file, as compact JSON.
  let file: String
  /// The other files, the parameters and the seed.
  let options: CompileOptions
  /// The kind of feed of each input, or an object with the value that the feed keeps.
  let feeds: [(input: String, kind: Value)]
  let sent: [Sent]
  let functions: [String]
  let calls: [Call]
  /// Whether the stream sets timers when its values are awaited.
  let hasTimers: Bool
  /// Whether the time of the stream follows the values, so that its events have an order alone.
  let followsData: Bool
  let published: HeardEvents
  let awaited: HeardEvents
}

extension ReferenceCase {
  struct Malformed: Error {
    let line: String
  }

  init(_ line: Value) throws {
    guard let seed = line.integer("seed"), let file = line.member("file"), case .map(let feeds)? = line.member("feeds"),
      let sent = line.member("fed")?.elements, let published = line.member("publisher")?.elements,
      let awaited = line.member("values")?.elements
    else { throw Malformed(line: line.member("crash")?.text ?? JSONWriter.compact(line)) }
    self.line = line
    self.seed = seed
    self.file = JSONWriter.compact(file)
    options = CompileOptions(reference: line)
    self.feeds = feeds.pairs.map { ($0.text ?? "", $1) }
    self.sent = sent.map {
      Sent(time: $0.integer("at") ?? 0, input: $0.member("input")?.text ?? "", event: Event($0))
    }
    functions = line.member("functions")?.elements?.compactMap(\.text) ?? []
    calls = (line.member("calls")?.elements ?? []).map { call in
      Call(
        time: call.integer("at") ?? 0, function: call.member("function")?.text ?? "",
        argument: JSONWriter.compact(call.member("argument") ?? .null), resultTime: call.integer("result") ?? 0,
        result: Event(call))
    }
    hasTimers = if case .bool(true)? = line.member("timers") { true } else { false }
    followsData = line.member("byData") != nil
    self.published = HeardEvents(published)
    self.awaited = HeardEvents(awaited)
  }

  /// The member of the line with this name, as compact JSON.
  func text(_ name: String) -> String { JSONWriter.compact(line.member(name) ?? .null) }
}

extension ReferenceCase.Event {
  init(_ object: Value) {
    if let value = object.member("value") {
      self = .value(value)
    } else if let failure = object.member("failure") {
      self = .failure(code: failure.member("code")?.text ?? "", error: failure.member("error"))
    } else {
      self = .finished
    }
  }

  var completion: Completion? {
    switch self {
    case .value: nil
    case .finished: .finished
    case .failure(let code, let error):
      .failure(error.map { StreamFailure(payload: $0) } ?? StreamFailure(code: code, message: "no"))
    }
  }
}

/// The events of a stream with their times in nanoseconds, as text that shows types: `1` and `1.0` differ.
struct HeardEvents: Equatable, Sendable {
  struct Timed: Equatable, Sendable {
    let time: Int64
    let text: String
  }

  private(set) var events: [Timed] = []
  /// The events as if all of them happened at once.
  var withoutTimes: HeardEvents {
    var copy = self
    copy.events = events.map { Timed(time: 0, text: $0.text) }
    return copy
  }
  private(set) var isOver = false

  init() {}

  init(_ objects: [Value]) {
    for object in objects { append(ReferenceCase.Event(object), at: object.integer("at") ?? 0) }
  }

  mutating func append(_ event: ReferenceCase.Event, at time: Int64) {
    switch event {
    case .value(let value): append("value \(Self.text(value))", at: time)
    case .finished: append("finished", at: time, isEnd: true)
    case .failure(let code, let error):
      append("failure \(code)" + (error.map { " \(Self.text($0))" } ?? ""), at: time, isEnd: true)
    }
  }

  mutating func append(_ failure: StreamFailure, at time: Int64) {
    append(.failure(code: failure.code, error: failure.payload), at: time)
  }

  private mutating func append(_ text: String, at time: Int64, isEnd: Bool = false) {
    // Events after the end are shown too.
    events.append(Timed(time: time, text: isOver ? "after the end: \(text)" : text))
    isOver = isOver || isEnd
  }

  var description: String {
    events.map { "    \($0.time) \($0.text)" }.joined(separator: "\n")
  }

  /// The value as JSON, without the messages beside codes: their words are not compared.
  private static func text(_ value: Value) -> String {
    let text = JSONWriter.compact(value)
    guard text.contains("\"message\"") else { return text }
    var reader = JSONReader()
    // The value as it is read from its own JSON.
    guard let read = try? reader.read(text) else { return text }
    return JSONWriter.compact(read.withoutMessages)
  }
}

extension Value {
  var elements: [Value]? { if case .list(let list) = self { list.elements } else { nil } }

  func integer(_ name: String) -> Int64? { if case .int(let number)? = member(name) { number } else { nil } }

  fileprivate var withoutMessages: Value {
    switch self {
    case .list(let elements): return .list(elements.map(\.withoutMessages))
    case .map(let map):
      let isFailure = map["code"] != nil
      return .map(
        ValueMap(map.pairs.filter { !isFailure || $0.0.text != "message" }.map { ($0.0, $0.1.withoutMessages) }))
    default: return self
    }
  }
}

extension CompileOptions {
  /// The files, the parameters and the seed in a line of `cases.py`.
  fileprivate init(reference line: Value) {
    self.init()
    if case .map(let files)? = line.member("files") {
      let texts = files.pairs.map { ($0.text ?? "", $1.text ?? "") }
      loader = ReferenceFiles(files: Dictionary(uniqueKeysWithValues: texts))
    }
    if case .map(let given)? = line.member("parameters") {
      parameters = Dictionary(uniqueKeysWithValues: given.pairs.map { ($0.text ?? "", $1) })
    }
    seed = line.integer("numbers").map(Int.init)
  }
}

/// The files to which a reference case refers.
private struct ReferenceFiles: StreamLoader {
  let files: [String: String]

  func load(_ path: String, relativeTo base: String?) throws(Diagnostics) -> StreamFile {
    guard let text = files[path] else { throw Diagnostics([Diagnostic(.fileNotFound, "there is no file '\(path)'")]) }
    return try StreamFile(JSONDocument(reading: text, file: path), identity: path)
  }
}
