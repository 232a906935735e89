import StreamCore
import TestSupport

/// A stream file in the making.
struct StreamSketch {
  /// `{"source": …}` or `{"stream": …}`.
  var source: Value
  var operators: [Value] = []
  /// Whether the source is what is fed to a field `operators`, so that the operators alone count.
  var isFed = false
  /// The parts that the stream has been split into, with which something is still to be done.
  var parts: Parts?

  /// A `groupBy` or `window` whose `operators` are not known yet.
  struct Parts {
    let name: String
    let fields: [(String, Value?)]
    /// The key that distinguishes a part from others, as its expressions see it.
    let tag: String
  }

  init(_ source: Value) { self.source = source }

  init(source name: String, _ fields: (String, Value?)...) {
    source = .object(("source", .object((name, .map(ValueMap(present(fields)))))))
  }

  init(items: [Value]) {
    source = .object(("stream", .list(items.map { .object(("value", $0)) })))
  }

  /// The stream that feeds a field `operators`.
  static var fed: StreamSketch {
    var sketch = StreamSketch(source: "fed")
    sketch.isFed = true
    return sketch
  }

  /// Whether the fed stream is in a place that does not allow one.
  static func isFedInside(_ json: Value) -> Bool {
    json.field("source")?.field("fed") != nil || json.elements.contains(where: isFedInside)
      || json.members.contains { isFedInside($1) }
  }

  static let empty = StreamSketch(source: "empty")
  static let never = StreamSketch(source: "never")

  static func stream(named name: String) -> StreamSketch { StreamSketch(source: "stream", ("name", .string(name))) }

  static func failing(_ error: Value) -> StreamSketch { StreamSketch(source: "fail", ("error", error)) }

  mutating func add(_ name: String, _ fields: (String, Value?)...) { add(name, fields) }

  mutating func add(_ name: String, _ fields: [(String, Value?)]) {
    operators.append(.object((name, .map(ValueMap(present(fields))))))
  }

  func adding(_ name: String, _ fields: (String, Value?)...) -> StreamSketch {
    var sketch = self
    sketch.add(name, fields)
    return sketch
  }

  mutating func map(_ expression: String) { add("map", ("expression", .string(expression))) }

  /// The stream as a file writes it.
  var value: Value {
    guard case .map(let map) = source, !operators.isEmpty else { return source }
    return .map(ValueMap(map.pairs.map { ($0, $1) } + [("operators", .list(operators))]))
  }
}

private func present(_ fields: [(String, Value?)]) -> [(Value, Value)] {
  fields.compactMap { name, value in value.map { (.string(name), $0) } }
}
