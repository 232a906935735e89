internal import CEL
internal import StreamCore
internal import StreamKit
internal import StreamRuntime

/// Sources as exported code.
enum ExportSources {
  /// The exportable sources, beside the items of a `stream`.
  static let names = [
    "just", "sequence", "range", "input", "stream", "call", "empty", "never", "fail", "iif", "record", "marbles",
  ]

  /// Follows a publisher that cannot fail.
  static let failing = ".setFailureType(to: (any Error).self)"

  static func write(_ source: Source, _ step: ExportStep) throws(ExportRefusal) -> Fragment {
    switch source {
    case .items(let items): return try sequence(of: items, step)
    case .just(let just): return try self.just(just, step)
    case .input(let input): return try step.walk.input(named: input.name)
    case .stream(let stream):
      if let file = stream.file { return try step.walk.stream(ofFile: file, in: step.scope) }
      return try step.walk.stream(named: stream.name ?? "", in: step.scope)
    case .call(let call): return try self.call(call, step)
    case .empty:
      step.script.uses("EMPTY")
      return nothing("Empty<\(Fragment.openType), any Error>()", "EMPTY", step)
    case .never:
      step.script.uses("NEVER")
      return nothing("Empty<\(Fragment.openType), any Error>(completeImmediately: false)", "NEVER", step)
    case .fail(let fail): return try failure(fail.error, step)
    case .iif(let iif): return try choice(iif, step)
    case .sequence(let sequence):
      guard let values = sequence.values else { throw ExportRefusal("the field 'expression'") }
      return try list(values, step)
    case .range(let range):
      let values = stride(from: range.from, through: range.through, by: Int64.Stride(range.by ?? 1)).prefix(1001).map(
        Value.int)
      guard values.count <= 1000 else { throw ExportRefusal("a range of more than 1000 numbers") }
      return try list(values, step)
    case .record(let record): return try playback(record.events.map(\.timed), step)
    case .marbles(let marbles): return try playback(EventScript(.marbles(marbles)).history().events, step)
    default: throw ExportRefusal("'\(source.definition?.spec.name ?? "stream")'")
    }
  }

  private static func nothing(_ swift: String, _ script: String, _ step: ExportStep) -> Fragment {
    Fragment(step.walk.target == .swift ? swift : script, .never)
  }

  /// Exports a choice between two streams, made at the subscription.
  private static func choice(_ iif: Source.Iif, _ step: ExportStep) throws(ExportRefusal) -> Fragment {
    let pointer = JSONPointer(["iif"])
    let yes = try step.stream(iif.then.reference, field: pointer + JSONPointer(["then"]))
    let no =
      if let other = iif.else {
        try step.stream(other.reference, field: pointer + JSONPointer(["else"]))
      } else {
        try write(.empty(Source.Empty()), step)
      }
    guard step.walk.target == .swift else {
      step.script.uses("iif")
      let condition = try step.javaScript(iif.condition, []).body
      return Fragment("iif(() => \(condition), \(yes.javaScript), \(no.javaScript))", .json)
    }
    let condition = try step.swift(iif.condition, [], as: .bool)
    guard !condition.isThrowing else {
      throw ExportRefusal("a condition that may fail: \(iif.condition.text)")
    }
    let branches = try step.unified([yes, no])
    let type = branches.first?.type ?? .json
    func erased(_ fragment: Fragment) -> String { fragment.swift.indented + "\n    .eraseToAnyPublisher()" }
    return Fragment(
      "Deferred { () -> AnyPublisher<\(type.text), any Error> in\n  if \(condition.code) {\n    return "
        + erased(branches[0]).indented.dropLeadingSpaces + "\n  } else {\n    return "
        + erased(branches[1]).indented.dropLeadingSpaces + "\n  }\n}", type)
  }

  private static func failure(_ payload: Value, _ step: ExportStep) throws(ExportRefusal) -> Fragment {
    guard step.walk.target == .swift else {
      step.script.uses("throwError")
      return Fragment("throwError(() => \(try JavaScriptTranslator.literal(payload).body))", .never)
    }
    return Fragment("Fail<\(Fragment.openType), any Error>(error: \(try step.swiftError(payload)))", .never)
  }

  /// Exports a single value.
  private static func one(_ value: Value, _ step: ExportStep) throws(ExportRefusal) -> Fragment {
    guard step.walk.target == .swift else {
      step.script.uses("of")
      return Fragment("of(\(try JavaScriptTranslator.literal(value).code))", .json)
    }
    let literal = try step.swiftLiteral(value)
    var fragment = Fragment("Just\(literal.type == .json ? "<JSON>" : "")(\(literal.code))", literal.type)
    fragment.add(failing)
    return fragment
  }

  private static func just(_ just: Source.Just, _ step: ExportStep) throws(ExportRefusal) -> Fragment {
    guard let expression = just.expression else { return try one(just.value ?? .null, step) }
    guard step.walk.target == .swift else {
      step.script.uses("defer", "of")
      return Fragment("defer(() => of(\(try step.javaScript(expression, []).code)))", .json)
    }
    let found = try step.swift(expression, [])
    guard found.isThrowing else {
      var fragment = Fragment("Just\(found.type == .json ? "<JSON>" : "")(\(found.code))", found.type)
      fragment.add(failing)
      return fragment
    }
    var fragment = Fragment("Just(())", found.type)
    fragment.add(failing)
    fragment.add(".tryMap " + ExportStep.closure(["_"], found))
    return fragment
  }

  private static func list(_ values: [Value], _ step: ExportStep) throws(ExportRefusal) -> Fragment {
    guard step.walk.target == .swift else {
      step.script.uses("from")
      return Fragment("from(\(try JavaScriptTranslator.literal(.list(values)).code))", .json)
    }
    let types = values.map(SwiftType.init(of:))
    let type = types.dropFirst().reduce(types.first ?? .json) { step.swiftOutput.common($0, $1) }
    let parts = try values.translated { value throws(ExportRefusal) in try step.swiftLiteral(value, as: type).code }
    if type == .json { step.swiftOutput.needs(.json) }
    var fragment = Fragment("([\(parts.joined(separator: ", "))] as [\(type.text)]).publisher", type)
    fragment.add(failing)
    return fragment
  }

  /// Items one after the other, each with its operators.
  private static func sequence(of items: [StreamItem], _ step: ExportStep) throws(ExportRefusal) -> Fragment {
    var parts: [Fragment] = []
    for (index, item) in items.enumerated() {
      var part = try one(item.value, step)
      step.walk.apply(
        item.operators, to: &part, in: step.scope,
        at: step.scope.pointer + JSONPointer(["stream", String(index), "operators"]), hint: step.hint)
      parts.append(part)
    }
    return try appended(parts, step)
  }

  /// Streams one after the other.
  static func appended(_ parts: [Fragment], _ step: ExportStep) throws(ExportRefusal) -> Fragment {
    guard step.walk.target == .swift else {
      guard let first = parts.first else { return try list([], step) }
      guard parts.count > 1 else { return first }
      step.script.uses("concat")
      return Fragment("concat(\n" + parts.map { $0.javaScript.indented + ",\n" }.joined() + ")", .json)
    }
    let parts = try step.unified(parts)
    guard var first = parts.first else { return try list([], step) }
    for part in parts.dropFirst() {
      first.add(part.steps.isEmpty ? ".append(\(part.head))" : ".append(\n\(part.swift.indented)\n)")
    }
    return first
  }

  /// Exports recorded events, each scheduled after the previous one.
  private static func playback(_ events: [TimedEvent], _ step: ExportStep) throws(ExportRefusal) -> Fragment {
    var parts: [Fragment] = []
    var time = StreamTime.zero
    var hasEnded = false
    for event in events {
      var part: Fragment
      switch event.event {
      case .value(let value): part = try one(value, step)
      case .finished: part = try write(.empty(Source.Empty()), step)
      case .failure(let failure): part = try self.failure(failure.errorValue, step)
      default: continue
      }
      if case .value = event.event {} else { hasEnded = true }
      if event.time > time {
        let nanoseconds = event.time.nanoseconds - time.nanoseconds
        time = event.time
        if step.walk.target == .rxjs, hasEnded {
          step.script.uses("timer", "ignoreElements")
          var pause = Fragment(
            "timer(\(ExportTime.milliseconds(Double(nanoseconds) / 1e9)), \(step.walk.scheduler()))", .json)
          pause.add("ignoreElements()")
          parts.append(pause)
        } else {
          ExportTime.delay(&part, seconds: Double(nanoseconds) / 1e9, step)
        }
      }
      parts.append(part)
    }
    if !hasEnded { parts.append(try write(.never(Source.Never()), step)) }
    return try appended(parts, step)
  }

  private static func call(_ call: Source.Call, _ step: ExportStep) throws(ExportRefusal) -> Fragment {
    guard step.walk.target == .swift else {
      step.script.uses("defer")
      let argument = try call.argument.translated { expression throws(ExportRefusal) in
        try step.javaScript(expression, []).code
      }
      let function = step.walk.function(call.function, argument: .json).code
      return Fragment("defer(() => \(function)(\(argument ?? "null")))", .json)
    }
    step.swiftOutput.needs(.json)
    let free = try call.argument.translated { expression throws(ExportRefusal) in try step.swift(expression, []) }
    let (function, type) = step.walk.function(call.function, argument: free?.type ?? .json)
    guard let expression = call.argument else { return Fragment("\(function)(.null)", .json) }
    let argument = try step.swift(expression, [], as: type)
    guard argument.isThrowing else { return Fragment("\(function)(\(argument.code))", .json) }
    var fragment = Fragment("Just(())", .json)
    fragment.add(failing)
    fragment.add(".tryMap " + ExportStep.closure(["_"], argument))
    fragment.add(".flatMap(\(function))")
    return fragment
  }
}

extension String {
  /// The text without the spaces that it begins with.
  fileprivate var dropLeadingSpaces: String { String(drop { $0 == " " }) }
}
