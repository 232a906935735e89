import StreamCore
import TestSupport

extension VectorTranslator {
  static let timeoutError: Value = ["name": "TimeoutError", "message": "Timeout has occurred"]

  /// Operators that know the time.
  func applyTiming(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) -> Bool {
    switch op.name {
    case "delay": try delay(op, &sketch, scope)
    case "delayWhen":
      guard let function = op.argument(0) else { throw Unsayable("'delayWhen' without a function") }
      sketch.add("delayWhen", ("stream", try stream(of: function, ["outer", "outerIndex"], scope).value))
      if op.argument(1) != nil { sketch.add("delaySubscription", ("stream", try other(op, 1, scope))) }
    case "delaySubscription", "subscribeOn":
      if let milliseconds = op.number(0) {
        if milliseconds > 0 { sketch.add("delaySubscription", ("seconds", Self.seconds(milliseconds))) }
      } else if op.argument(0) != nil {
        sketch.add("delaySubscription", ("stream", try other(op, 0, scope)))
      }
    case "observeOn":
      if let milliseconds = op.number(0), milliseconds > 0 {
        sketch.add("delay", ("seconds", Self.seconds(milliseconds)))
      }
    case "debounceTime":
      sketch.add("debounce", try span(op), ("onFinish", "flush"))
    case "debounce":
      sketch.add("debounce", ("stream", try duration(op, scope)), ("onFinish", "flush"))
    case "throttleTime":
      sketch.add("throttle", try span(op), ("edges", Self.edges(op.argument(1))))
    case "throttle":
      sketch.add("throttle", ("stream", try duration(op, scope)), ("edges", Self.edges(op.argument(1))))
    case "auditTime": sketch.add("audit", try span(op))
    case "audit": sketch.add("audit", ("stream", try duration(op, scope)))
    case "timeout": try timeout(op, &sketch, scope)
    case "timeoutWith":
      let moment = op.argument(0)?.field("$at")?.number.map { Self.seconds(max($0, 0)) }
      let pause = try moment == nil ? seconds(op.argument(0), "a pause") : moment
      sketch.add(
        "timeout", (moment == nil ? "seconds" : "first", pause),
        ("with", try other(op, 1, scope)))
    default: return false
    }
    return true
  }

  /// How long a value lasts: a time, or where that is nothing a stream that publishes at once.
  private func span(_ op: VectorOperator) throws(Unsayable) -> (String, Value?) {
    let length = try seconds(op.argument(0), "a pause")
    guard length == 0 else { return ("seconds", length) }
    return ("stream", StreamSketch(source: "timer", ("every", 1), ("count", 1), ("startingAfter", 0)).value)
  }

  /// How long a value lasts: a stream for each.
  private func duration(_ op: VectorOperator, _ scope: FunctionScope) throws(Unsayable) -> Value {
    guard let function = op.argument(0) else { throw Unsayable("'\(op.name)' without a function") }
    return try stream(of: function, ["outer", "outerIndex"], scope).value
  }

  private func delay(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) {
    func delayed(_ sketch: StreamSketch, by milliseconds: Double) -> StreamSketch {
      sketch.adding(
        "delay", ("seconds", Self.seconds(max(milliseconds, 0))), ("failures", "immediate"), ("finish", "immediate"))
    }
    if let moment = op.argument(0)?.field("$at")?.number {
      sketch.add("delayWhen", ("stream", date(moment).value))
    } else if let cel = op.function(0)?.field("cel")?.text {
      // A number of milliseconds that is worked out: each that the expression names has a stream of its own.
      let text = try scope.text(cel)
      let cases = try FunctionText.integers(in: text).map { number in
        (condition: "dyn(\(text)) == \(number)", stream: delayed(sketch, by: Double(number)))
      }
      sketch = Self.choice(cases, otherwise: .failing("a delay that the expression does not name"))
    } else if let milliseconds = op.number(0), milliseconds.isFinite {
      sketch = delayed(sketch, by: milliseconds)
    } else {
      throw Unsayable("'delay' by something that is no number of milliseconds")
    }
  }

  /// RxJS: `leading` alone unless something else is said.
  private static func edges(_ options: Value?) -> Value {
    let leading = options?.field("leading") != false
    let trailing = options?.field("trailing") == true
    return switch (leading, trailing) {
    case (true, true): "both"
    case (false, _): "trailing"
    case (true, false): "leading"
    }
  }

  private func pause(_ value: Value?) throws(Unsayable) -> Value? {
    guard let value else { return nil }
    return try seconds(value, "a pause")
  }

  private func timeout(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) {
    let plain = op.argument(0).flatMap { $0.number == nil && $0.field("$at") == nil ? nil : $0 }
    let options = plain == nil ? op.argument(0) : nil
    let moment = (plain ?? options?.field("first"))?.field("$at")?.number
    let first = try moment == nil ? pause(options?.field("first")) : moment.map { Self.seconds(max($0, 0)) }
    let each = (moment == nil ? plain : nil) ?? options?.field("each")
    let with = try options?.field("with").map { function throws(Unsayable) in
      try stream(of: function, [], scope).value
    }
    sketch.add(
      "timeout", ("seconds", try pause(each)),
      ("first", first), ("with", with), ("error", with == nil ? Self.timeoutError : nil))
  }
}
