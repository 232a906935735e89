import StreamCore
import TestSupport

extension VectorTranslator {
  /// Operators by which several subscribers share one subscription.
  func applySharing(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) -> Bool {
    switch op.name {
    case "share":
      let options = op.argument(0)
      let kept = try connector(options?.field("connector"), &sketch)
      sketch.add(
        "share",
        kept + [
          ("resetOnFinish", try resets(options?.field("resetOnComplete"), scope)),
          ("resetOnFailure", try resets(options?.field("resetOnError"), scope)),
        ] + (try whenUnused(resets(options?.field("resetOnRefCountZero"), scope))))
    case "shareReplay":
      let options = op.number(0) == nil ? op.argument(0) : nil
      let size = op.number(0) ?? options?.field("bufferSize")?.number
      let isCounted = options?.field("refCount") == true
      sketch.add(
        "share",
        [
          ("replay", Self.capacity(size)),
          (
            "replaySeconds",
            (options?.field("windowTime") ?? op.argument(1))?.number.flatMap {
              $0.isFinite ? Self.seconds($0) : nil
            }
          ),
          ("resetOnFailure", true),
        ] + whenUnused(.bool(isCounted)))
    case "publish", "multicast", "publishReplay", "publishBehavior", "publishLast", "connect":
      try multicast(op, &sketch, scope)
    case "refCount":
      // A multicast stream connects with its first subscriber.
      guard case .map(let last)? = sketch.operators.last, case .map(let fields)? = last["share"] else {
        throw Unsayable("'refCount' of something that is not shared")
      }
      sketch.operators.removeLast()
      sketch.add(
        "share",
        fields.pairs.compactMap { key, value in
          key.text.flatMap { $0 == "subscribers" ? nil : ($0, value) }
        })
    default: return false
    }
    return true
  }

  private static func capacity(_ size: Double?) -> Value {
    guard let size, size.isFinite else { return 1_000_000 }
    return .int(Int64(exactly: max(size, 1).rounded(.down)) ?? 1_000_000)
  }

  /// The reset: at once, never, or when a stream publishes. RxJS: at once.
  private func resets(_ option: Value?, _ scope: FunctionScope) throws(Unsayable) -> Value {
    switch option {
    case nil, .null: return true
    case .bool(let resets): return .bool(resets)
    default: break
    }
    guard let notifier = option?.field("stream") else { throw Unsayable("'share' that is reset by no stream") }
    if let resets = Self.publishesAtOnce(notifier) { return .bool(resets) }
    return try stream(notifier, scope).value
  }

  /// Whether a stream publishes as soon as it is subscribed to; nil if it may do so later. Only the first value resets
  /// `share`; neither the end nor a failure does.
  private static func publishesAtOnce(_ json: Value) -> Bool? {
    let arguments = json.field("args")?.elements ?? []
    switch json.field("op")?.text {
    case "of": return !arguments.isEmpty
    case "EMPTY", "NEVER", "throwError": return false
    case "concat":
      for stream in arguments.first?.elements ?? [] {
        guard let publishes = publishesAtOnce(stream) else { return nil }
        if publishes { return true }
        if stream.field("op") == "NEVER" { return false }
      }
      return false
    default: return nil
    }
  }

  private func whenUnused(_ resets: Value) -> [(String, Value?)] {
    resets == false ? [("staysConnected", true)] : [("resetWhenUnused", resets)]
  }

  /// The values that a subject replays to later subscribers.
  private func connector(
    _ json: Value?, _ sketch: inout StreamSketch
  ) throws(Unsayable) -> [(String, Value?)] {
    guard let json else { return [] }
    let arguments = json.field("args")?.elements ?? []
    switch json.field("subject")?.text {
    case "Subject": return []
    case "AsyncSubject":
      sketch.add("last")
      return [("replay", 1)]
    case "BehaviorSubject": return [("initialValue", arguments.first ?? .null)]
    case "ReplaySubject":
      return [
        ("replay", Self.capacity(arguments.first?.number)),
        ("replaySeconds", arguments.dropFirst().first?.number.flatMap { $0.isFinite ? Self.seconds($0) : nil }),
      ]
    case let name: throw Unsayable("a connector that is \(name ?? "no subject")")
    }
  }

  private func multicast(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) {
    var fields: [(String, Value?)] = []
    var arguments = op.arguments
    switch op.name {
    case "multicast":
      fields = try connector(arguments.first, &sketch)
      arguments.removeFirst(min(1, arguments.count))
    case "connect": fields = try connector(op.option("connector", at: 1), &sketch)
    case "publishReplay":
      let seconds = op.number(1).flatMap { $0.isFinite ? Self.seconds($0) : nil }
      fields = [("replay", Self.capacity(op.number(0))), ("replaySeconds", seconds)]
    case "publishBehavior": fields = [("initialValue", try value(arguments.first ?? .null, scope))]
    case "publishLast": fields = try connector(.object(("subject", "AsyncSubject")), &sketch)
    default: break
    }
    guard let selector = arguments.first(where: { $0.field("stream") != nil }) else {
      sketch.add("share", fields + [("subscribers", 1_000_000)])
      return
    }
    // Within the function the stream is shared by all places that mention it; it begins when all have subscribed.
    guard let parameter = selector.field("params")?.elements.first?.text, let stream = selector.field("stream") else {
      throw Unsayable("'\(op.name)' with a function that gives no stream")
    }
    let mentions = Self.mentions(of: parameter, in: stream)
    sketch.add("share", fields + [("subscribers", mentions > 1 ? .int(Int64(mentions)) : nil)])
    sketch = try self.stream(stream, scope.naming(parameter, .known(.stream(named: share(sketch)))))
  }

  /// How often a stream names a parameter.
  static func mentions(of parameter: String, in json: Value) -> Int {
    let isMention = (json.field("param") ?? json.field("cel")) == .string(parameter)
    return (json.elements + json.members.map(\.1)).reduce(isMention ? 1 : 0) { $0 + mentions(of: parameter, in: $1) }
  }
}
