internal import StreamCore
internal import StreamEngine

extension PipelineMaker {
  private static let inputNames = ["a", "b", "c", "d"]

  mutating func source() -> Source {
    guard flavors.isEmpty || generator.below(4) == 0 else { return inputs() }
    let size = size()
    switch generator.below(12) {
    case 0, 1, 2: return range(size)
    case 3, 4, 5: return list(size)
    case 6, 7: return input(size)
    case 8, 9: return wildRecords(size)
    default: return records(size)
    }
  }

  private mutating func range(_ size: Int) -> Source {
    let step = Int64(generator.pick([1, 1, 1, 1, 2, 3, -1, -7, 1 << 40]))
    let first: Int64 =
      switch generator.below(10) {
      case 0: Int64.max - Int64(step.magnitude) * Int64(size)
      case 1: Int64.min + Int64(step.magnitude) * Int64(size)
      case 2: Int64(generator.below(1 << 32)) << 30
      default: Int64(generator.below(200)) - 100
      }
    let through = first &+ step &* Int64(size - 1)
    return Source(
      member: ["range": ["from": .int(first), "through": .int(through), "by": .int(step)]], kind: .int, size: size)
  }

  private mutating func list(_ size: Int) -> Source {
    let kind = numberKind()
    return Source(member: ["sequence": ["values": .list(values(kind, size))]], kind: kind, size: size)
  }

  private mutating func numberKind() -> Kind {
    generator.pick([.int, .int, .int, .double, .double, isPlain ? .int : .bool])
  }

  private func declaration(_ kind: Kind, _ isDeclared: Bool) -> Value {
    guard isDeclared else { return .map(ValueMap()) }
    switch kind {
    case .int: return ["type": "int"]
    case .double: return ["type": "double"]
    case .bool: return ["type": "bool"]
    case .record: return ["type": RandomPipeline.Reading.type]
    }
  }

  // MARK: One input

  private mutating func input(_ size: Int) -> Source {
    let kind = numberKind()
    let isDeclared = generator.below(3) > 0
    return fed(kind, ["a": declaration(kind, isDeclared)], values(kind, size, onlyOfKind: isDeclared))
  }

  private func fed(_ kind: Kind, _ inputs: Value, _ values: [Value]) -> Source {
    let events = values.map { InputEvent(.value($0), to: 0, at: .zero) } + [InputEvent(.finished, to: 0, at: .zero)]
    return Source(
      member: ["input": ["name": "a"]], inputs: inputs, kind: kind, feed: .events(events), size: values.count)
  }

  private mutating func records(_ size: Int) -> Source {
    let readings = (0..<size).map { _ in
      RandomPipeline.Reading(
        isOn: generator.below(3) > 0, t: Int(int(isLarge: false)), z: Double(generator.below(4_000) - 2_000) / 16)
    }
    return Source(
      member: ["input": ["name": "a"]], inputs: ["a": declaration(.record, generator.happens(oneIn: 2))],
      kind: .record, feed: .readings(readings), size: size)
  }

  /// Records with nulls, missing and additional fields; the type is not declared, or only that of some fields.
  private mutating func wildRecords(_ size: Int) -> Source {
    guard generator.happens(oneIn: 2) else { return fed(.record, ["a": .map(ValueMap())], values(.record, size)) }
    let values = (0..<size).map { _ in
      let z: Value = generator.happens(oneIn: 10) ? wild() : .double(double(isLarge: false))
      return ["isOn": .bool(generator.happens(oneIn: 2)), "t": .int(int(isLarge: false)), "z": z] as Value
    }
    return fed(.record, ["a": ["type": ["isOn": "bool", "t": "int", "z": "dyn"]]], values)
  }

  // MARK: Several inputs

  /// Returns inputs whose values, ends and pauses are at random instants.
  private mutating func inputs() -> Source {
    let count = flavors.contains(.machines) ? 4 : flavors.contains(.joins) ? 2 + generator.below(2) : 1
    var declarations: [(Value, Value)] = []
    var kinds: [(kind: Kind, isDeclared: Bool)] = []
    for name in Self.inputNames.prefix(count) {
      let kind = generator.pick([.int, .int, .int, .double, .bool, .record] as [Kind])
      let isDeclared = generator.happens(oneIn: 2)
      declarations.append((.string(name), declaration(kind, isDeclared)))
      if name != "a" { otherInputs.append((name, kind)) }
      kinds.append((kind, isDeclared))
    }
    let size = min(generator.happens(oneIn: 8) ? size() : 1 + generator.below(40), limit)
    return Source(
      member: ["input": ["name": "a"]], inputs: .map(ValueMap(declarations)), kind: kinds[0].kind,
      feed: .events(events(kinds, size)), size: size)
  }

  private mutating func events(_ kinds: [(kind: Kind, isDeclared: Bool)], _ size: Int) -> [InputEvent] {
    // Without pauses values form lists; with them timers fire in between.
    let pauses = generator.pick([[0], [0, 0, 0, 0, 0, 0, 1, 7], [0, 1, 2, 3, 5, 9]])
    var nanoseconds: Int64 = 0
    let supplies = kinds.map { values($0.kind, size, onlyOfKind: $0.isDeclared) }
    var events: [InputEvent] = []
    for number in 0..<size {
      nanoseconds += Int64(generator.pick(pauses)) * 500_000
      let input = generator.happens(oneIn: 2) ? 0 : generator.below(kinds.count)
      let kind: InputEvent.Kind = generator.happens(oneIn: 20) ? .advanced : .value(supplies[input][number])
      events.append(InputEvent(kind, to: input, at: StreamTime(nanoseconds: nanoseconds)))
    }
    for input in kinds.indices {
      let isEarly = generator.happens(oneIn: input == 0 ? 8 : 2)
      let place = isEarly ? generator.below(events.count + 1) : events.count
      let time = place < events.count ? events[place].time : StreamTime(nanoseconds: nanoseconds)
      switch generator.below(10) {
      case 0: events.insert(InputEvent(.failed, to: input, at: time), at: place)
      case 1: break
      default: events.insert(InputEvent(.finished, to: input, at: time), at: place)
      }
    }
    return events
  }
}
