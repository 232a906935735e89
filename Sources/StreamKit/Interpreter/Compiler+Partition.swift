internal import CEL
internal import StreamCore
internal import StreamEngine

/// The partition that streams are compiled for.
final class PartitionScope {
  /// The name of the input that is divided.
  let input: String
  let type: CELType
  let hasTime: Bool
  /// The values of a key.
  let feed: PipelineNode
  /// The values of a key for several subscribers; nil if there is only one.
  let sharedFeed: PipelineNode?

  init(input: String, type: CELType, hasTime: Bool, feed: PipelineNode, sharedFeed: PipelineNode?) {
    self.input = input
    self.type = type
    self.hasTime = hasTime
    self.feed = feed
    self.sharedFeed = sharedFeed
  }

  /// The values of a key, as the input of its own that each key has.
  var values: CompiledStream { CompiledStream(sharedFeed ?? feed, type: type) }
}

/// The parts of a partitioned file, which an engine that divides the keys runs in different places.
package enum PartitionPart: Sendable {
  case whole
  /// The operators of the keys. Each result is a list of its key and itself.
  case keys
  /// The operators of `then`, whose input has these lists.
  case then
}

// A partitioned file is compiled as a `groupBy` of the key around everything else: its operators, and its named streams.

extension Compiler {

  func compile(_ partition: StreamModel.Partition, of model: StreamModel, in scope: Scope) -> CompiledStream {
    let place = scope.pointer.appending("partition")
    guard scope.outer == nil, scope.origin.tokens.isEmpty else {
      report(
        Diagnostic(
          .cannotPartition, "only a whole file can be partitioned, not a stream that another one refers to", at: place,
          part: .key, help: "use 'groupBy' here"),
        in: scope)
      return Self.nothing
    }
    guard case .input(let source) = model.source else {
      report(
        Diagnostic(
          .cannotPartition, "a partitioned stream reads an input, whose values are divided by key", at: place,
          part: .key, help: "write \"source\": {\"input\": {\"name\": \"events\"}}, and declare the input"),
        in: scope)
      return Self.nothing
    }
    if source.late == true {
      report(
        Diagnostic(
          .cannotPartition, "a partition divides the values of an input, not those that are late",
          at: scope.pointer + JSONPointer(["source", "input", "late"]), part: .key, help: "remove it, or 'partition'"),
        in: scope)
    }
    let input = input(named: source.name, in: scope, at: scope.pointer + JSONPointer(["source", "input", "name"]))
    if scope.declaration(ofInput: source.name)?.initialValue != nil {
      report(
        Diagnostic(
          .cannotPartition, "the input '\(source.name)' has an initial value, which belongs to no key",
          at: scope.pointer + JSONPointer(["inputs", source.name, "initialValue"]), part: .key, help: "remove it"),
        in: scope)
    }
    guard isKey(partition.key, over: input.type, in: scope) else { return CompiledStream(input.node) }
    if options.partitionPart == .then { return compileThen(of: partition, model, over: input, in: scope) }
    let groups = Operator.GroupBy(
      key: partition.key, operators: InnerOperators(model.operators), limit: Self.keyLimit, as: partition.as)
    let hasTime =
      partition.time != nil || options.valuesHaveTimes || scope.declaration(ofInput: source.name)?.time != nil
    let isOrdered = options.partitionPart == .keys || hasTime && partition.hasThen
    let streams = groups.joined.map { joined in
      keyedStream(
        joined, of: model, reading: source.name, input.type, hasTime: hasTime, namesKeys: isOrdered, in: scope)
    }
    record?.note(input: input.type, at: scope.origin + place)
    let keyed = compile(
      groups, named: "groupBy", errorPolicy: .fail, over: input, streams, in: scope, at: place, fields: place)
    guard partition.hasThen else { return keyed }
    return compileThen(of: partition, model, over: keyed, isOrdered: isOrdered, in: scope)
  }

  /// The operators of `then`.
  ///
  /// - Parameters:
  ///   - results: The results of all keys.
  ///   - isOrdered: Whether each comes with its key, to be put in order. Without times they follow as they come.
  private func compileThen(
    of partition: StreamModel.Partition, _ model: StreamModel, over results: CompiledStream, isOrdered: Bool = true,
    in scope: Scope
  ) -> CompiledStream {
    let place = scope.pointer.appending("partition")
    // They see the results alone: inputs and named streams belong to keys.
    var last = StreamModel(source: .items([]))
    last.definitions = model.definitions
    let inner = Scope(last, document: scope.document, identity: scope.identity, outer: nil, pointer: scope.pointer)
    inner.parameters = scope.parameters
    let then = partition.then?.all ?? []
    guard isOrdered else { return compile(then, over: results, in: inner, at: place, key: "then") }
    if !results.node.isInput { results.node.noteInternal() }
    let ordered = PipelineNode.ordered(results.node, pointer: scope.origin + place)
    let sharedCount = shared.count
    let stream = compile(
      then, over: CompiledStream(ordered, type: results.type), in: inner, at: place, key: "then")
    for node in shared[sharedCount...] { node.noteFollowsResults() }
    if stream.node !== ordered { stream.node.noteFollowsResults() }
    return stream
  }

  /// Maximum number of keys that one machine holds.
  private static let keyLimit = 10_000_000

  /// The stream of one key: named streams and operators, over the key's values.
  private func keyedStream(
    _ joined: JoinedStream, of model: StreamModel, reading name: String, _ type: CELType, hasTime: Bool,
    namesKeys: Bool, in scope: Scope
  ) -> CompiledStream {
    let captures = joined.captures?.map { $0.variable(over: type) }
    let depth = scope.frameDepth + 1
    let feed = PipelineNode.feed(
      pointer: scope.origin + scope.pointer.appending("operators"), limit: InnerOperators.waitingLimit,
      frameDepth: depth)
    var sharedFeed: PipelineNode?
    if StreamPart(value: model.json, pointer: JSONPointer()).mentions(name) {
      let node = PipelineNode.shared(
        [feed], Sharing(), number: shared.count, pointer: scope.origin + scope.pointer.appending("source"),
        frameDepth: depth)
      shared.append(node)
      sharedFeed = node
    }
    let part = PartitionScope(input: name, type: type, hasTime: hasTime, feed: feed, sharedFeed: sharedFeed)
    let inner = Scope(
      model, document: scope.document, identity: scope.identity, outer: scope, pointer: scope.pointer,
      capturing: captures, part: part)
    inner.replacements = scope.replacements
    // Unused streams are checked too.
    for name in model.streams.names { _ = namedStream(name, in: inner) }
    let results = DeepStack.run { compile(model.operators, over: part.values, in: inner, at: scope.pointer) }
    return namesKeys ? withKeys(results, in: inner) : results
  }

  /// The results of a key, each as a list of the key and itself. Their type remains that of the results, which is that of
  /// the stream as a whole.
  private func withKeys(_ results: CompiledStream, in scope: Scope) -> CompiledStream {
    guard let key = scope.captured.last?.name else { return results }
    let place = scope.pointer.appending("partition")
    var options = options(in: scope)
    (options.coverage, options.remarks) = (nil, nil)
    do throws(Diagnostics) {
      let pair = try OperatorContext.plan(
        CELExpression("[\(key), value]"), owner: "partition", field: "then", at: place,
        over: [Variable("value", results.type)], capturing: scope.captured, result: .dyn, options: options,
        using: memory)
      slotCount = max(slotCount, scope.captured.count + 1)
      let steps = Steps([pair]) { segment in segment.value = segment.evaluate(pair) }
      let node = PipelineNode.steps(
        steps, over: results.type, name: "withKey", pointer: scope.origin + place, upstream: results.node,
        frameDepth: scope.frameDepth, fuses: self.options.fuses && self.options.coverage == nil)
      node.noteInternal()
      return CompiledStream(node, type: results.type)
    } catch {
      report(error.prefixed(by: place), in: scope)
      return results
    }
  }

  /// An input of a stream of one key.
  func input(
    named name: String, of part: PartitionScope, in scope: Scope, at pointer: JSONPointer
  ) -> CompiledStream {
    if name == part.input { return part.values }
    report(
      Diagnostic(
        .cannotPartition,
        "the values of the input '\(name)' belong to no key, so \(Self.owner(of: pointer)) cannot use them",
        at: pointer, notes: ["the partition divides the input '\(part.input)'"],
        help: scope.declaration(ofInput: name)?.initialValue == nil
          ? "send both kinds of values to '\(part.input)', or remove 'partition'"
          : "declare a constant under 'parameters' instead of an input with an initial value"),
      in: scope)
    return Self.nothing
  }

  /// Reports what a stream of one key cannot use.
  func refuse(_ source: any SourceDefinition, in scope: Scope, at pointer: JSONPointer) {
    guard scope.part != nil else { return }
    let (reason, help): (String, String)
    switch source {
    case let stream as Source.Stream where stream.file != nil:
      reason = "refers to another file, which other machines do not have"
      help = "copy the file's stream into 'streams', and refer to it by its name"
    default: return
    }
    report(
      Diagnostic(.cannotPartition, "'\(source.spec.name)' \(reason)", at: pointer, part: .key, help: help),
      in: scope)
  }

  /// Notes an operator or a source with a length of time or a list of events. In a partition without times, reports it,
  /// and one that reads the time.
  ///
  /// - Parameter fields: Returns the fields that the file gives.
  func refuse(
    timeOf name: String, _ spec: OperatorSpec, _ fields: @autoclosure () -> Value, in scope: Scope,
    at pointer: JSONPointer
  ) {
    let isRefused = scope.part.map { !$0.hasTime } ?? false
    guard isRefused || options.timedParts != nil else { return }
    let given = fields().map ?? ValueMap()
    if spec.parts.fields.contains(where: { given[$0.name] != nil && spec.hasLength($0, among: given) }) {
      options.timedParts?.add(name)
    }
    guard isRefused, spec.isTimed(given) else { return }
    report(
      Diagnostic(
        .cannotPartition, "'\(name)' needs the time of values, but the partition has no 'time'", at: pointer,
        part: .key,
        help: "add \"time\" to 'partition', such as \"value.time\", or run with --event-time value.time"),
      in: scope)
  }

  /// The operator or the stream at a location, for messages.
  private static func owner(of pointer: JSONPointer) -> String {
    let tokens = pointer.tokens
    if let name = tokens.last(where: { Operator.entry(named: $0) != nil }) { return "'\(name)'" }
    return tokens.first == "streams" && tokens.count > 1 ? "the stream '\(tokens[1])'" : "the stream"
  }

  /// Reports a key that an engine which divides the records cannot compute: it knows the value alone.
  private func isKey(_ key: CELExpression, over type: CELType, in scope: Scope) -> Bool {
    let place = scope.pointer.appending("partition")
    do throws(Diagnostics) {
      _ = try OperatorContext.plan(
        key, owner: "partition", field: "key", at: place, over: [Variable("value", type)], capturing: [], result: .dyn,
        options: options(in: scope), using: memory)
      return true
    } catch {
      report(error.prefixed(by: place), in: scope)
      return false
    }
  }
}

extension StreamPart {
  /// Whether operators or named streams of a model refer to an input.
  fileprivate func mentions(_ input: String) -> Bool {
    let model = StreamRole.model
    return ["streams", "operators"].contains { name in
      member(name).map { $0.mentions(input, as: model.member(name)) } ?? false
    }
  }

  private func mentions(_ input: String, as role: StreamRole) -> Bool {
    switch (role, value) {
    case (.reference, .string(let name)): return name == input
    case (.source, .map(let map)):
      if map["input"]?.member("name")?.text == input || map["stream"]?.member("name")?.text == input { return true }
    default: break
    }
    if case .list = value { return elements.contains { $0.mentions(input, as: role.element) } }
    return members.contains { name, part in part.mentions(input, as: role.member(name)) }
  }
}
