package import StreamCore

/// An operator of a stream.
///
/// ```swift
/// switch placed.operator {
/// case .debounce(let debounce): lines.append("waits \(debounce.seconds ?? 0) s")
/// default: lines.append(placed.operator.name)
/// }
/// ```
///
/// Minor versions may add operators: a `switch` over operators needs a `default`.
public enum Operator: Hashable, Sendable {
  /// An operator that the host defines.
  case custom(Custom)
  case map(Map)
  case compactMap(CompactMap)
  case scan(Scan)
  case reduce(Reduce)
  case flatMap(FlatMap)
  case collect(Collect)
  case groupBy(GroupBy)
  case window(Window)
  case switchMap(SwitchMap)
  case exhaustMap(ExhaustMap)
  case mergeScan(MergeScan)
  case expand(Expand)
  case combineLatestAll(CombineLatestAll)
  case zipAll(ZipAll)
  case replaceNil(ReplaceNil)
  case unwrap(Unwrap)
  case encode(Encode)
  case decode(Decode)
  case withPrevious(WithPrevious)
  case nwise(Nwise)
  case enumerated(Enumerated)
  case materialize(Materialize)
  case dematerialize(Dematerialize)
  case values(Values)
  case failures(Failures)
  case toggle(Toggle)
  case intersperse(Intersperse)
  case filter(Filter)
  case removeDuplicates(RemoveDuplicates)
  case drop(Drop)
  case prefix(Prefix)
  case distinct(Distinct)
  case dropWhile(DropWhile)
  case dropUntil(DropUntil)
  case dropLast(DropLast)
  case dropFor(DropFor)
  case prefixWhile(PrefixWhile)
  case prefixUntil(PrefixUntil)
  case prefixFor(PrefixFor)
  case first(First)
  case last(Last)
  case output(Output)
  case single(Single)
  case findIndex(FindIndex)
  case ignoreOutput(IgnoreOutput)
  case ignoreFailure(IgnoreFailure)
  case sample(Sample)
  case count(Count)
  case min(Min)
  case max(Max)
  case sum(Sum)
  case average(Average)
  case contains(Contains)
  case allSatisfy(AllSatisfy)
  case isEmpty(IsEmpty)
  case sequenceEqual(SequenceEqual)
  case collectMap(CollectMap)
  case sort(Sort)
  case delay(Delay)
  case debounce(Debounce)
  case throttle(Throttle)
  case audit(Audit)
  case timeout(Timeout)
  case measureInterval(MeasureInterval)
  case timestamp(Timestamp)
  case collectTime(CollectTime)
  case collectUntil(CollectUntil)
  case delaySubscription(DelaySubscription)
  case delayWhen(DelayWhen)
  case rateLimit(RateLimit)
  case zip(Zip)
  case combineLatest(CombineLatest)
  case merge(Merge)
  case append(Append)
  case prepend(Prepend)
  case share(Share)
  case withLatestFrom(WithLatestFrom)
  case race(Race)
  case forkJoin(ForkJoin)
  case mergeOrdered(MergeOrdered)
  case join(Join)
  case buffer(Buffer)
  case validate(Validate)
  case mapError(MapError)
  case `catch`(Catch)
  case replaceError(ReplaceError)
  case replaceEmpty(ReplaceEmpty)
  case switchIfEmpty(SwitchIfEmpty)
  case failIfEmpty(FailIfEmpty)
  case retry(Retry)
  case retryWhen(RetryWhen)
  case `repeat`(Repeat)
  case repeatWhen(RepeatWhen)
  case toResult(ToResult)
  case toLoadingState(ToLoadingState)
  case print(Print)
  case handleEvents(HandleEvents)

  /// The fields of the operator.
  public var definition: any OperatorFields {
    switch self {
    case .custom(let fields): fields
    case .map(let fields): fields
    case .compactMap(let fields): fields
    case .scan(let fields): fields
    case .reduce(let fields): fields
    case .flatMap(let fields): fields
    case .collect(let fields): fields
    case .groupBy(let fields): fields
    case .window(let fields): fields
    case .switchMap(let fields): fields
    case .exhaustMap(let fields): fields
    case .mergeScan(let fields): fields
    case .expand(let fields): fields
    case .combineLatestAll(let fields): fields
    case .zipAll(let fields): fields
    case .replaceNil(let fields): fields
    case .unwrap(let fields): fields
    case .encode(let fields): fields
    case .decode(let fields): fields
    case .withPrevious(let fields): fields
    case .nwise(let fields): fields
    case .enumerated(let fields): fields
    case .materialize(let fields): fields
    case .dematerialize(let fields): fields
    case .values(let fields): fields
    case .failures(let fields): fields
    case .toggle(let fields): fields
    case .intersperse(let fields): fields
    case .filter(let fields): fields
    case .removeDuplicates(let fields): fields
    case .drop(let fields): fields
    case .prefix(let fields): fields
    case .distinct(let fields): fields
    case .dropWhile(let fields): fields
    case .dropUntil(let fields): fields
    case .dropLast(let fields): fields
    case .dropFor(let fields): fields
    case .prefixWhile(let fields): fields
    case .prefixUntil(let fields): fields
    case .prefixFor(let fields): fields
    case .first(let fields): fields
    case .last(let fields): fields
    case .output(let fields): fields
    case .single(let fields): fields
    case .findIndex(let fields): fields
    case .ignoreOutput(let fields): fields
    case .ignoreFailure(let fields): fields
    case .sample(let fields): fields
    case .count(let fields): fields
    case .min(let fields): fields
    case .max(let fields): fields
    case .sum(let fields): fields
    case .average(let fields): fields
    case .contains(let fields): fields
    case .allSatisfy(let fields): fields
    case .isEmpty(let fields): fields
    case .sequenceEqual(let fields): fields
    case .collectMap(let fields): fields
    case .sort(let fields): fields
    case .delay(let fields): fields
    case .debounce(let fields): fields
    case .throttle(let fields): fields
    case .audit(let fields): fields
    case .timeout(let fields): fields
    case .measureInterval(let fields): fields
    case .timestamp(let fields): fields
    case .collectTime(let fields): fields
    case .collectUntil(let fields): fields
    case .delaySubscription(let fields): fields
    case .delayWhen(let fields): fields
    case .rateLimit(let fields): fields
    case .zip(let fields): fields
    case .combineLatest(let fields): fields
    case .merge(let fields): fields
    case .append(let fields): fields
    case .prepend(let fields): fields
    case .share(let fields): fields
    case .withLatestFrom(let fields): fields
    case .race(let fields): fields
    case .forkJoin(let fields): fields
    case .mergeOrdered(let fields): fields
    case .join(let fields): fields
    case .buffer(let fields): fields
    case .validate(let fields): fields
    case .mapError(let fields): fields
    case .catch(let fields): fields
    case .replaceError(let fields): fields
    case .replaceEmpty(let fields): fields
    case .switchIfEmpty(let fields): fields
    case .failIfEmpty(let fields): fields
    case .retry(let fields): fields
    case .retryWhen(let fields): fields
    case .repeat(let fields): fields
    case .repeatWhen(let fields): fields
    case .toResult(let fields): fields
    case .toLoadingState(let fields): fields
    case .print(let fields): fields
    case .handleEvents(let fields): fields
    }
  }

  /// The documentation of all operators, by family.
  public static var specs: [OperatorSpec] { table.map(\.spec) }

  /// All operators, by family.
  package static let table: [OperatorEntry<Operator>] = [
    OperatorEntry(.transform, Operator.map),
    OperatorEntry(.transform, Operator.compactMap),
    OperatorEntry(.transform, Operator.scan),
    OperatorEntry(.transform, Operator.reduce),
    OperatorEntry(.transform, Operator.flatMap),
    OperatorEntry(.transform, Operator.collect),
    OperatorEntry(.transform, Operator.groupBy),
    OperatorEntry(.transform, Operator.window),
    OperatorEntry(.transform, Operator.switchMap),
    OperatorEntry(.transform, Operator.exhaustMap),
    OperatorEntry(.transform, Operator.mergeScan),
    OperatorEntry(.transform, Operator.expand),
    OperatorEntry(.transform, Operator.combineLatestAll),
    OperatorEntry(.transform, Operator.zipAll),
    OperatorEntry(.transform, Operator.replaceNil),
    OperatorEntry(.transform, Operator.unwrap),
    OperatorEntry(.transform, Operator.encode),
    OperatorEntry(.transform, Operator.decode),
    OperatorEntry(.transform, Operator.withPrevious),
    OperatorEntry(.transform, Operator.nwise),
    OperatorEntry(.transform, Operator.enumerated),
    OperatorEntry(.transform, Operator.materialize),
    OperatorEntry(.transform, Operator.dematerialize),
    OperatorEntry(.transform, Operator.values),
    OperatorEntry(.transform, Operator.failures),
    OperatorEntry(.transform, Operator.toggle),
    OperatorEntry(.transform, Operator.intersperse),
    OperatorEntry(.select, Operator.filter),
    OperatorEntry(.select, Operator.removeDuplicates),
    OperatorEntry(.select, Operator.drop),
    OperatorEntry(.select, Operator.prefix),
    OperatorEntry(.select, Operator.distinct),
    OperatorEntry(.select, Operator.dropWhile),
    OperatorEntry(.select, Operator.dropUntil),
    OperatorEntry(.select, Operator.dropLast),
    OperatorEntry(.select, Operator.dropFor),
    OperatorEntry(.select, Operator.prefixWhile),
    OperatorEntry(.select, Operator.prefixUntil),
    OperatorEntry(.select, Operator.prefixFor),
    OperatorEntry(.select, Operator.first),
    OperatorEntry(.select, Operator.last),
    OperatorEntry(.select, Operator.output),
    OperatorEntry(.select, Operator.single),
    OperatorEntry(.select, Operator.findIndex),
    OperatorEntry(.select, Operator.ignoreOutput),
    OperatorEntry(.select, Operator.ignoreFailure),
    OperatorEntry(.select, Operator.sample),
    OperatorEntry(.summarize, Operator.count),
    OperatorEntry(.summarize, Operator.min),
    OperatorEntry(.summarize, Operator.max),
    OperatorEntry(.summarize, Operator.sum),
    OperatorEntry(.summarize, Operator.average),
    OperatorEntry(.summarize, Operator.contains),
    OperatorEntry(.summarize, Operator.allSatisfy),
    OperatorEntry(.summarize, Operator.isEmpty),
    OperatorEntry(.summarize, Operator.sequenceEqual),
    OperatorEntry(.summarize, Operator.collectMap),
    OperatorEntry(.summarize, Operator.sort),
    OperatorEntry(.time, Operator.delay),
    OperatorEntry(.time, Operator.debounce),
    OperatorEntry(.time, Operator.throttle),
    OperatorEntry(.time, Operator.audit),
    OperatorEntry(.time, Operator.timeout),
    OperatorEntry(.time, Operator.measureInterval),
    OperatorEntry(.time, Operator.timestamp),
    OperatorEntry(.time, Operator.collectTime),
    OperatorEntry(.time, Operator.collectUntil),
    OperatorEntry(.time, Operator.delaySubscription),
    OperatorEntry(.time, Operator.delayWhen),
    OperatorEntry(.time, Operator.rateLimit),
    OperatorEntry(.combine, Operator.zip),
    OperatorEntry(.combine, Operator.combineLatest),
    OperatorEntry(.combine, Operator.merge),
    OperatorEntry(.combine, Operator.append),
    OperatorEntry(.combine, Operator.prepend),
    OperatorEntry(.combine, Operator.share),
    OperatorEntry(.combine, Operator.withLatestFrom),
    OperatorEntry(.combine, Operator.race),
    OperatorEntry(.combine, Operator.forkJoin),
    OperatorEntry(.combine, Operator.mergeOrdered),
    OperatorEntry(.combine, Operator.join),
    OperatorEntry(.combine, Operator.buffer),
    OperatorEntry(.failures, Operator.validate),
    OperatorEntry(.failures, Operator.mapError),
    OperatorEntry(.failures, Operator.catch),
    OperatorEntry(.failures, Operator.replaceError),
    OperatorEntry(.failures, Operator.replaceEmpty),
    OperatorEntry(.failures, Operator.switchIfEmpty),
    OperatorEntry(.failures, Operator.failIfEmpty),
    OperatorEntry(.failures, Operator.retry),
    OperatorEntry(.failures, Operator.retryWhen),
    OperatorEntry(.failures, Operator.repeat),
    OperatorEntry(.failures, Operator.repeatWhen),
    OperatorEntry(.failures, Operator.toResult),
    OperatorEntry(.failures, Operator.toLoadingState),
    OperatorEntry(.watch, Operator.print),
    OperatorEntry(.watch, Operator.handleEvents),
  ]
}

/// The groups in which operators are listed.
package enum OperatorFamily: String, Sendable, CaseIterable {
  case source, transform, select, summarize, time, combine, failures, watch
}

/// A row of the table of operators or sources: its documentation, and how its fields are read.
package struct OperatorEntry<Kind: Sendable>: Sendable {
  package let family: OperatorFamily
  package let spec: OperatorSpec
  let read: @Sendable (Value) throws(Diagnostics) -> Kind
  /// Decodes the fields without checking them, as Swift code could set them.
  package let decode: @Sendable (Value) throws(Diagnostics) -> Kind

  init<Fields: FieldsDefinition>(_ family: OperatorFamily, _ make: @escaping @Sendable (Fields) -> Kind) {
    self.family = family
    spec = Fields.spec
    decode = { value throws(Diagnostics) in make(try ValueDecoder().decodeAll(Fields.self, from: value)) }
    read = { value throws(Diagnostics) in make(try Fields.read(value)) }
  }

  init<Fields: ExpressionFields>(_ family: OperatorFamily, _ make: @escaping @Sendable (Fields) -> Kind) {
    self.family = family
    spec = Fields.spec
    decode = { value throws(Diagnostics) in make(try ValueDecoder().decodeAll(Fields.self, from: value)) }
    read = { value throws(Diagnostics) in
      if let fields = Fields.readPlainly(value) { return make(fields) }
      return make(try Fields.read(value))
    }
  }
}
