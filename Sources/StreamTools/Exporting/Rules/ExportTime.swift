internal import StreamCore
internal import StreamKit

/// Operators over time, in exported code.
enum ExportTime {
  /// `.seconds(0.25)`
  static func seconds(_ seconds: Double) -> String {
    ".seconds(\(Int64(exactly: seconds).map { String($0) } ?? String(seconds)))"
  }

  static func milliseconds(_ seconds: Double) -> String {
    JSONWriter.compact(Int64(exactly: (seconds * 1000)).map(Value.int) ?? .double(seconds * 1000))
  }

  static func delay(_ fragment: inout Fragment, seconds: Double, _ step: ExportStep) {
    guard step.walk.target == .swift else {
      return fragment.call("delay", "\(milliseconds(seconds)), \(step.walk.scheduler())", step)
    }
    fragment.add(".delay(for: \(self.seconds(seconds)), scheduler: \(step.walk.scheduler()))")
  }
}

extension ExportRule {
  static let time: [ExportRule] = [
    ExportRule(
      Operator.Delay.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try ExportRefusal.unless(fields.failures ?? .delayed == .delayed, "failures")
        try ExportRefusal.unless(fields.finish ?? .delayed == .delayed, "finish")
        ExportTime.delay(&fragment, seconds: fields.seconds, step)
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        try ExportRefusal.unless(fields.failures ?? .delayed == .delayed, "failures")
        try ExportRefusal.unless(fields.finish ?? .delayed == .delayed, "finish")
        // RxJS delays values only; with a single value the completion waits for it.
        if fragment.steps.isEmpty, fragment.head.hasPrefix("of(") {
          return ExportTime.delay(&fragment, seconds: fields.seconds, step)
        }
        step.script.uses("materialize", "dematerialize")
        fragment.add("materialize()")
        ExportTime.delay(&fragment, seconds: fields.seconds, step)
        fragment.add("dematerialize()")
      }),
    ExportRule(
      Operator.Debounce.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        guard let seconds = fields.seconds else { throw ExportRefusal("the field 'stream'") }
        try ExportRefusal.unless(fields.onFinish ?? .drop == .drop, "onFinish")
        fragment.add(".debounce(for: \(ExportTime.seconds(seconds)), scheduler: \(step.walk.scheduler()))")
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        guard let seconds = fields.seconds else { throw ExportRefusal("the field 'stream'") }
        if fields.onFinish == .flush {
          fragment.call("debounceTime", "\(ExportTime.milliseconds(seconds)), \(step.walk.scheduler())", step)
        } else {
          step.script.needs(.settled)
          fragment.add("settled(\(ExportTime.milliseconds(seconds)), \(step.walk.scheduler()))")
        }
      }),
    ExportRule(
      Operator.Throttle.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        guard let seconds = fields.seconds else { throw ExportRefusal("the field 'stream'") }
        try ExportRefusal.unless(fields.edges ?? .both == .both, "edges")
        fragment.add(
          ".throttle(for: \(ExportTime.seconds(seconds)), scheduler: \(step.walk.scheduler()), latest: \(fields.latest ?? true))"
        )
      }),
    ExportRule(
      Operator.Timeout.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        guard let seconds = fields.seconds else { throw ExportRefusal("the field 'first' alone") }
        try ExportRefusal.unless(fields.first == nil, "first")
        try ExportRefusal.unless(fields.with == nil, "with")
        let error = try fields.error.translated { error throws(ExportRefusal) in
          ", customError: { \(try step.swiftError(error)) }"
        }
        fragment.add(".timeout(\(ExportTime.seconds(seconds)), scheduler: \(step.walk.scheduler())\(error ?? ""))")
      }),
  ]
}
