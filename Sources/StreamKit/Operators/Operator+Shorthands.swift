public import StreamCore

/// A type that Swift code writes operators as: `Operator`, or `PlacedOperator` in a list.
///
/// The functions below spell the operators that are written most, the expression first. Each has the defaults of the
/// operator's fields; the other fields are set with the operator's own type, as in
/// `.debounce(Operator.Debounce(seconds: 1, onFinish: .flush))`.
public protocol OperatorShorthand {
  init(placing operator: Operator)
}

extension Operator: OperatorShorthand {
  public init(placing operator: Operator) { self = `operator` }
}

extension PlacedOperator: OperatorShorthand {
  public init(placing operator: Operator) { self.init(`operator`) }
}

/// Transforming values.
extension OperatorShorthand {
  /// Publishes the result of an expression over each `value`.
  public static func map(_ expression: CELExpression) -> Self {
    Self(placing: .map(Operator.Map(expression: expression)))
  }

  /// Publishes the results of an expression that are not null.
  public static func compactMap(_ expression: CELExpression) -> Self {
    Self(placing: .compactMap(Operator.CompactMap(expression: expression)))
  }

  /// Publishes each intermediate result of an expression over `acc` and `value`.
  ///
  /// - Parameter initialValue: the first `acc`.
  /// - Parameter expression: the next `acc`.
  public static func scan(_ initialValue: Value, _ expression: CELExpression) -> Self {
    Self(placing: .scan(Operator.Scan(initialValue: initialValue, expression: expression)))
  }

  /// Publishes each intermediate result of an expression over `acc`, which is the first value at first, and `value`.
  public static func scan(_ expression: CELExpression) -> Self {
    Self(placing: .scan(Operator.Scan(expression: expression)))
  }

  /// Publishes the last result of an expression over `acc` and `value` when upstream finishes.
  ///
  /// - Parameter initialValue: the first `acc`.
  /// - Parameter expression: the next `acc`.
  public static func reduce(_ initialValue: Value, _ expression: CELExpression) -> Self {
    Self(placing: .reduce(Operator.Reduce(initialValue: initialValue, expression: expression)))
  }

  /// Publishes the last result of an expression over `acc`, which is the first value at first, and `value`.
  public static func reduce(_ expression: CELExpression) -> Self {
    Self(placing: .reduce(Operator.Reduce(expression: expression)))
  }

  /// Publishes the values of the streams that are started for each value, merged.
  public static func flatMap(_ stream: InnerStream, maxPublishers: Int? = nil) -> Self {
    Self(placing: .flatMap(Operator.FlatMap(stream: stream, maxPublishers: maxPublishers)))
  }

  /// Publishes the values of the stream that the latest value started.
  public static func switchMap(_ stream: InnerStream) -> Self {
    Self(placing: .switchMap(Operator.SwitchMap(stream: stream)))
  }

  /// Collects values into lists of `count` values; all of them into one list if `count` is nil.
  public static func collect(count: Int? = nil) -> Self {
    Self(placing: .collect(Operator.Collect(count: count)))
  }

  /// Starts an inner stream for each key, and merges what they publish.
  public static func groupBy(_ key: CELExpression, operators: InnerOperators) -> Self {
    Self(placing: .groupBy(Operator.GroupBy(key: key, operators: operators)))
  }
}

/// Selecting values.
extension OperatorShorthand {
  /// Publishes the values for which an expression is true.
  public static func filter(_ expression: CELExpression) -> Self {
    Self(placing: .filter(Operator.Filter(expression: expression)))
  }

  /// Drops values that equal the one before.
  public static func removeDuplicates() -> Self { Self(placing: .removeDuplicates(Operator.RemoveDuplicates())) }

  /// Drops the first values.
  public static func drop(count: Int) -> Self { Self(placing: .drop(Operator.Drop(count: count))) }

  /// Publishes the first values, then finishes.
  public static func prefix(count: Int) -> Self { Self(placing: .prefix(Operator.Prefix(count: count))) }

  /// Drops values until an expression is false for one.
  public static func dropWhile(_ expression: CELExpression) -> Self {
    Self(placing: .dropWhile(Operator.DropWhile(expression: expression)))
  }

  /// Publishes values until an expression is false for one, then finishes.
  public static func prefixWhile(_ expression: CELExpression) -> Self {
    Self(placing: .prefixWhile(Operator.PrefixWhile(expression: expression)))
  }
}

/// Time.
extension OperatorShorthand {
  /// Publishes each value later.
  ///
  /// - Parameter seconds: 0 or more.
  public static func delay(seconds: Double) -> Self { Self(placing: .delay(Operator.Delay(seconds: seconds))) }

  /// Publishes a value once upstream has been silent.
  ///
  /// - Parameter seconds: the silence, greater than 0.
  public static func debounce(seconds: Double) -> Self {
    Self(placing: .debounce(Operator.Debounce(seconds: seconds)))
  }

  /// Publishes at most one value in each interval.
  ///
  /// - Parameters:
  ///   - seconds: the interval, greater than 0.
  ///   - latest: whether the newest value of an interval is published, or the first.
  public static func throttle(seconds: Double, latest: Bool? = nil) -> Self {
    Self(placing: .throttle(Operator.Throttle(seconds: seconds, latest: latest)))
  }

  /// Fails if upstream publishes nothing for a while.
  ///
  /// - Parameter seconds: greater than 0.
  public static func timeout(seconds: Double) -> Self {
    Self(placing: .timeout(Operator.Timeout(seconds: seconds)))
  }
}

/// Combining streams.
extension OperatorShorthand {
  /// Publishes the values of this stream and of others in pairs, triples and so on.
  public static func zip(
    with streams: StreamReferences, names: [String]? = nil, expression: CELExpression? = nil
  ) -> Self {
    Self(placing: .zip(Operator.Zip(with: streams, names: names, expression: expression)))
  }

  /// Publishes the newest values of this stream and of others whenever one of them publishes.
  public static func combineLatest(
    with streams: StreamReferences, names: [String]? = nil, expression: CELExpression? = nil
  ) -> Self {
    Self(placing: .combineLatest(Operator.CombineLatest(with: streams, names: names, expression: expression)))
  }

  /// Publishes the values of this stream and of others as they come.
  public static func merge(with streams: StreamReferences) -> Self {
    Self(placing: .merge(Operator.Merge(with: streams)))
  }

  /// Publishes the values of other streams after the end of this one.
  public static func append(_ streams: StreamReferences) -> Self {
    Self(placing: .append(Operator.Append(with: streams)))
  }

  /// Shares one subscription to upstream among all subscribers.
  public static func share() -> Self { Self(placing: .share(Operator.Share())) }
}

/// Failures.
extension OperatorShorthand {
  /// Subscribes again after a failure.
  ///
  /// - Parameter count: how many times; without end if nil.
  public static func retry(count: Int? = nil) -> Self { Self(placing: .retry(Operator.Retry(count: count))) }

  /// Continues with another stream after a failure.
  public static func `catch`(_ stream: InnerStream) -> Self {
    Self(placing: .catch(Operator.Catch(stream: stream)))
  }

  /// Publishes a value in place of a failure, and finishes.
  public static func replaceError(with value: Value) -> Self {
    Self(placing: .replaceError(Operator.ReplaceError(with: value)))
  }
}
