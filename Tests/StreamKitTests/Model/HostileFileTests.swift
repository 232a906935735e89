@_spi(Engine) import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Testing

/// Stream files with something wrong in them at random: an error or a run, never a crash or a hang.
@Suite struct HostileFileTests {
  /// The values that replace any member.
  private static let nasty: [Value] = [
    .null, true, 0, -1, 1, .int(.max), .int(.min), 0.5, -0.5, 1e308, -1e308, 1e-300, 1e18, "", "a", "value",
    "value.x.y",
    "1 / 0", "[1, 2, 3].map(x, x)", [], [1], [[]], ["a"], ["x": 1], .map(ValueMap()), ["map": ["expression": "value"]],
    [["value": 1]], ["stream": []], "\u{0}", "🙂", "-a-(b|)", "-a 99999999999999999999s b|",
    ["source": ["never": .map(ValueMap())]],
  ]

  /// A number made of another: SplitMix64's mixing step (Steele, Lea and Flood, 2014).
  private func mixed(_ seed: UInt64) -> Int {
    var z = seed &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: (z ^ (z >> 31)) >> 1)
  }

  /// The value with the member of this number, in the order of a walk, replaced.
  private func replacing(_ place: inout Int, of value: Value, by replacement: Value) -> Value {
    if place == 0 {
      place = -1
      return replacement
    }
    place -= 1
    switch value {
    case .list(let elements):
      var result: [Value] = []
      for element in elements { result.append(place < 0 ? element : replacing(&place, of: element, by: replacement)) }
      return .list(result)
    case .map(let map):
      var slots: [Value] = []
      for slot in map.slots { slots.append(place < 0 ? slot : replacing(&place, of: slot, by: replacement)) }
      return .map(ValueMap(shape: map.shape, slots: slots))
    default: return value
    }
  }

  private func count(_ value: Value) -> Int {
    switch value {
    case .list(let elements): 1 + elements.reduce(0) { $0 + count($1) }
    case .map(let map): 1 + map.slots.reduce(0) { $0 + count($1) }
    default: 1
    }
  }

  /// Reads, compiles and runs, a bounded while.
  private func use(_ value: Value) {
    let text = JSONWriter.compact(value)
    guard let document = try? JSONDocument(reading: text, file: "hostile.json"),
      let stream = try? StreamFile(document, identity: "hostile.json"), let pipeline = try? stream.compile()
    else { return }
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    for input in pipeline.inputs.indices {
      for value in Self.nasty.prefix(8) { execution.send(value, to: input, at: .zero) }
      execution.finish(input, at: StreamTime(seconds: 1))
    }
    for _ in 0..<300 {
      switch execution.step(atMost: 50) {
      case .event, .unfinished: continue
      case .idle:
        guard let deadline = execution.nextDeadline else { return }
        execution.advance(to: deadline)
      }
    }
    if let text = try? execution.snapshot().text() {
      _ = try? Execution(pipeline, restoring: Snapshot(text: text))
    }
    execution.cancel()
  }

  @Test("Every member of every example may be replaced by anything", arguments: ExampleStream.running)
  func everyMember(_ example: ExampleStream) throws {
    let stream = try example.stream()
    for place in 0..<count(stream) {
      // Each place gets some of them. The places of all examples together get all of them.
      for step in 0..<Self.nasty.count / 4 {
        let replacement = Self.nasty[(place * 7 + step * 5 + example.title.utf8.count) % Self.nasty.count]
        var place = place
        use(replacing(&place, of: stream, by: replacement))
      }
    }
  }

  @Test("Any few bytes of a file may be changed", arguments: ExampleStream.running)
  func anyBytes(_ example: ExampleStream) throws {
    let bytes = Array(JSONWriter.compact(try example.stream()).utf8)
    for seed in 0..<100 {
      var changed = bytes
      for step in 0..<3 {
        let number = mixed(UInt64(seed * 3 + step))
        changed[number % changed.count] = UInt8(truncatingIfNeeded: number >> 20)
      }
      if let document = try? JSONDocument(reading: changed, file: "hostile.json") { use(document.value) }
    }
  }
}
