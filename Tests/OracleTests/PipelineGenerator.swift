import StreamCore

/// Makes pipelines at random: the same seed makes the same pipeline. SplitMix64 (Steele, Lea and Flood, 2014).
struct PipelineGenerator: RandomNumberGenerator {
  private var state: UInt64
  private var inputs: [[PipelineDescription.InputEvent]] = []
  /// The kind of the stream's values after the operators so far.
  private var kind = Kind.number
  private var hasShared = false
  /// How deep streams stand within streams.
  private var depth = 0
  /// How many operators may still multiply values.
  private var multipliers = 2

  enum Kind {
    case number, nullable, bool, list, seconds
  }

  /// The position of a stream.
  enum Place {
    /// At the end of the file, or one that another waits for: it may listen to an input.
    case outer
    /// Started for a value; several run at once. Their order at an input is not said, so they have none.
    case perValue
  }

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  mutating func makePipeline() -> PipelineDescription {
    var shared: StreamDescription?
    if chance(1, in: 12) {
      var stream = makeOpenStream(.outer, operators: 0...2)
      makeNumbers(&stream.operators)
      stream.operators.append(.share)
      shared = stream
      hasShared = true
    }
    let stream = makeStream(.outer, operators: 1...5)
    var pipeline = PipelineDescription(inputs: inputs, shared: shared, stream: stream)
    if chance(1, in: 4) {
      pipeline.initialDemand = number(0...3)
      var time: Int64 = 0
      for index in 0..<number(1...6) {
        time += Int64(number(1...6)) * 1_000_000
        // No two requests, and no event, at one fraction of a millisecond: then no timer is due with a request.
        pipeline.demands.append(.init(time: time + Int64(index + 1) * 1_117, count: number(1...3)))
      }
    }
    return pipeline
  }

  // MARK: Streams

  mutating func makeStream(_ place: Place, operators range: ClosedRange<Int>) -> StreamDescription {
    let outerKind = kind
    defer { kind = outerKind }
    return makeOpenStream(place, operators: range)
  }

  /// Leaves `kind` as the stream's values are.
  private mutating func makeOpenStream(_ place: Place, operators range: ClosedRange<Int>) -> StreamDescription {
    depth += 1
    defer { depth -= 1 }
    kind = .number
    var stream = StreamDescription(source: makeSource(place))
    for _ in 0..<number(range) { addOperator(to: &stream.operators, place) }
    return stream
  }

  /// A stream of numbers.
  mutating func makeNumberStream(_ place: Place) -> StreamDescription {
    let outerKind = kind
    defer { kind = outerKind }
    var stream = makeOpenStream(place, operators: depth > 2 ? 0...0 : 0...2)
    makeNumbers(&stream.operators)
    return stream
  }

  private mutating func makeSource(_ place: Place) -> SourceDescription {
    switch number(0...19) {
    case 0: return .fail(chance(1, in: 2) ? "boom" : "crash")
    case 1: return .empty
    case 2: return .never
    case 3...5: return .sequence(values(0...5))
    case 6...9: return .items(values(1...4).map { ($0, chance(2, in: 3) ? number(0...4) : nil) })
    case 10 where hasShared && depth == 1 && place == .outer: return .shared
    default:
      guard place == .outer, inputs.count < 6 else {
        return .items(values(1...3).map { ($0, chance(2, in: 3) ? number(0...4) : nil) })
      }
      inputs.append(events())
      return .input(inputs.count - 1)
    }
  }

  private mutating func events() -> [PipelineDescription.InputEvent] {
    var events: [PipelineDescription.InputEvent] = []
    var time: Int64 = 0
    for _ in 0..<number(0...8) {
      time += Int64(number(0...4)) * 1_000_000
      events.append(.init(time: time, event: .value(.int(Int64(number(0...6))))))
    }
    time += Int64(number(0...4)) * 1_000_000
    switch number(0...9) {
    case 0...1: events.append(.init(time: time, event: .failure(chance(1, in: 2) ? "boom" : "crash")))
    case 2: break
    default: events.append(.init(time: time, event: .finished))
    }
    return events
  }

  // MARK: Operators

  private mutating func addOperator(to operators: inout [OperatorDescription], _ place: Place) {
    let isForNumbers = chance(1, in: 2)
    if isForNumbers { makeNumbers(&operators) }
    let operation = isForNumbers && kind == .number ? numberOperator(place) : anyOperator(place)
    operators.append(operation)
    switch operation {
    case .contains, .containsValue, .allSatisfy: kind = .bool
    case .collect: kind = .list
    case .zip(_, nil): kind = .list
    case .measureInterval: kind = .seconds
    default: break
    }
  }

  /// Adds what makes numbers of the values.
  private mutating func makeNumbers(_ operators: inout [OperatorDescription]) {
    switch kind {
    case .number: return
    case .nullable: operators.append(.replaceNil(9))
    case .bool: operators.append(.map(.numberOfBool))
    case .list: operators.append(.map(.numberOfElements))
    case .seconds: operators.append(.map(.milliseconds))
    }
    kind = .number
  }

  private mutating func numberOperator(_ place: Place) -> OperatorDescription {
    switch number(0...21) {
    case 0: return .map(.add(Int64(number(1...3))))
    case 1: return .map(.divide(by: Int64(number(0...6))))
    case 2:
      kind = .nullable
      return .map(.nullable(Int64(number(2...3))))
    case 3: return .compactMap(.nullable(Int64(number(2...3))))
    case 4: return .scan(.int(Int64(number(0...9))), .fold)
    case 5: return .reduce(.int(Int64(number(0...9))), .fold)
    case 6: return .filter(condition())
    case 7: return .dropWhile(condition())
    case 8: return .prefixWhile(condition())
    case 9: return .first(condition())
    case 10: return .last(condition())
    case 11: return .contains(condition())
    case 12: return .allSatisfy(condition())
    case 13: return .removeDuplicates(by: .sameParity)
    case 14: return .min(compare: pick([nil, .byRemainder, .byQuotient]))
    case 15: return .max(compare: pick([nil, .byRemainder, .byQuotient]))
    case 16: return .zip([makeNumberStream(place)], .weighedPair)
    case 17...19 where multipliers > 0:
      multipliers -= 1
      var inner = makeNumberStream(.perValue)
      inner.operators.append(.map(chance(3, in: 4) ? .withOuter : .outerAlone))
      let most: Int? = chance(1, in: 3) ? number(1...2) : nil
      return chance(1, in: 3) ? .switchMap(inner) : .flatMap(inner, maxPublishers: most)
    case 20: return .containsValue(.int(Int64(number(0...6))))
    default: return .map(.add(1))
    }
  }

  private mutating func anyOperator(_ place: Place) -> OperatorDescription {
    switch number(0...30) {
    case 0: return .removeDuplicates(by: nil)
    case 1: return .drop(number(0...3))
    case 2: return .dropUntil(makeNumberStream(place))
    case 3: return .prefix(number(0...3))
    case 4: return .prefixUntil(makeNumberStream(place))
    case 5: return .first(nil)
    case 6: return .last(nil)
    case 7: return .outputAt(number(0...3))
    case 8:
      let from = number(0...2)
      return .output(from: from, through: chance(1, in: 3) ? nil : from + number(0...2))
    case 9: return .ignoreOutput
    case 10:
      kind = .number
      return .count
    case 11: return .collect(count: chance(2, in: 3) ? number(1...3) : nil)
    case 12...13: return .delay(number(0...5))
    case 14: return .debounce(number(1...5))
    case 15: return .throttle(number(1...5), latest: chance(1, in: 2))
    case 16: return .timeout(number(2...6), error: chance(1, in: 2) ? "late" : nil)
    case 17: return .measureInterval
    case 18: return .zip((0..<number(1...3)).map { _ in makeNumberStream(place) }, nil)
    case 19 where kind == .number: return .append((0..<number(1...2)).map { _ in makeNumberStream(place) })
    case 20 where kind == .number: return .prepend((0..<number(1...2)).map { _ in makeNumberStream(place) })
    case 21: return .share
    case 22...23:
      return .buffer(capacity: number(1...3), whenFull: pick(OperatorDescription.WhenFull.allCases), keepsFull: coin())
    case 24: return .mapError(.renamedError)
    case 25 where kind == .number:
      var other = makeNumberStream(place)
      if chance(1, in: 3) { other = StreamDescription(source: .just(.whichError)) }
      return .catch(other)
    case 26 where kind == .number: return .replaceError(42)
    case 27 where kind == .number: return .replaceEmpty(43)
    case 28...29: return .retry(number(0...2))
    default: return .delay(number(1...3))
    }
  }

  private mutating func condition() -> Formula {
    switch number(0...3) {
    case 0: .isDivisible(by: Int64(number(2...3)))
    case 1: .isLess(than: Int64(number(0...6)))
    case 2: .isLess(than: Int64(number(3...20)))
    default: .quotientIsPositive(Int64(number(0...6)))
    }
  }

  // MARK: Numbers

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
  private mutating func chance(_ count: Int, in whole: Int) -> Bool { number(1...whole) <= count }
  private mutating func coin() -> Bool { chance(1, in: 2) }
  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }
  private mutating func values(_ count: ClosedRange<Int>) -> [Value] {
    (0..<number(count)).map { _ in .int(Int64(number(0...6))) }
  }
}
