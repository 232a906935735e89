internal import StreamCore

extension PipelineMaker {
  /// Returns an operator with a timer, and one after it if the values become others.
  mutating func timed(_ kind: Kind) -> [Value] {
    let time = seconds()
    switch generator.below(14) {
    case 0, 1:
      return [["debounce": ["seconds": time, "onFinish": generator.pick(["drop", "flush"])]]]
    case 2: return [["throttle": ["seconds": time, "latest": .bool(generator.happens(oneIn: 2))]]]
    case 3: return [["throttle": ["seconds": time, "edges": generator.pick(["leading", "trailing", "both"])]]]
    case 4, 5: return [["timeout": ["seconds": time]]]
    case 6: return [["timeout": ["seconds": time, "error": "late"]]]
    case 7, 8: return [["delay": ["seconds": time]]]
    case 9: return [["sample": ["seconds": time]]]
    case 10: return [["audit": ["seconds": time]]]
    case 11:
      let name = generator.pick(["prefixFor", "dropFor", "delaySubscription"])
      return [[.string(name): ["seconds": time]]]
    case 12:
      return [["rateLimit": ["count": 2, "seconds": time]]]
    default:
      if generator.happens(oneIn: 3) {
        return [["timestamp": .map(ValueMap())], ["map": ["expression": "value.value"]]]
      }
      return [["collectTime": ["seconds": time]], ["map": ["expression": "value[0]"]]]
    }
  }

  mutating func seconds() -> Value { .double(generator.pick([0.001, 0.0015, 0.002, 0.003, 0.005, 0.02])) }
}
