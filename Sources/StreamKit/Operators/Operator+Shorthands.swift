public import StreamCore

/// A type with shorthands for the most common operators: `Operator`, or `PlacedOperator` in an array.
///
/// ```swift
/// let operators: [PlacedOperator] = [.filter("value != 3"), .map("value * 2"), .scan(0, "acc + value")]
/// ```
///
/// Each function takes the operator's main fields, the expression first, and leaves the others at their defaults. Set
/// further fields with the operator's own type, as in `.debounce(Operator.Debounce(seconds: 1, onFinish: .flush))`.
public protocol OperatorShorthand {
  init(placing operator: Operator)
}

extension Operator: OperatorShorthand {
  public init(placing operator: Operator) { self = `operator` }
}

extension PlacedOperator: OperatorShorthand {
  public init(placing operator: Operator) { self.init(`operator`) }
}

/// Operators that transform values.
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
  /// - Parameters:
  ///   - initialValue: The first `acc`.
  ///   - expression: The next `acc`.
  public static func scan(_ initialValue: Value, _ expression: CELExpression) -> Self {
    Self(placing: .scan(Operator.Scan(initialValue: initialValue, expression: expression)))
  }

  /// Publishes each intermediate result of an expression over `acc`, which starts as the first value, and `value`.
  public static func scan(_ expression: CELExpression) -> Self {
    Self(placing: .scan(Operator.Scan(expression: expression)))
  }

  /// Publishes the last result of an expression over `acc` and `value` when upstream finishes.
  ///
  /// - Parameters:
  ///   - initialValue: The first `acc`.
  ///   - expression: The next `acc`.
  public static func reduce(_ initialValue: Value, _ expression: CELExpression) -> Self {
    Self(placing: .reduce(Operator.Reduce(initialValue: initialValue, expression: expression)))
  }

  /// Publishes the last result of an expression over `acc`, which starts as the first value, and `value`.
  public static func reduce(_ expression: CELExpression) -> Self {
    Self(placing: .reduce(Operator.Reduce(expression: expression)))
  }

  /// Starts a stream for each value and publishes the values of all of them.
  public static func flatMap(_ stream: InnerStream, maxPublishers: Int? = nil) -> Self {
    Self(placing: .flatMap(Operator.FlatMap(stream: stream, maxPublishers: maxPublishers)))
  }

  /// Starts a stream for each value and publishes the values of the newest one.
  public static func switchMap(_ stream: InnerStream) -> Self {
    Self(placing: .switchMap(Operator.SwitchMap(stream: stream)))
  }

  /// Collects values into arrays of `count` values, or all values into one array if `count` is nil.
  public static func collect(count: Int? = nil) -> Self {
    Self(placing: .collect(Operator.Collect(count: count)))
  }

  /// Runs operators for the values of each key, and publishes the values of all keys.
  ///
  /// - Parameters:
  ///   - key: The key of `value`.
  ///   - idle: The seconds without a value after which the group of a key ends, greater than 0; nil for no limit.
  ///   - operators: The operators of each group.
  public static func groupBy(_ key: CELExpression, idle: Double? = nil, operators: InnerOperators) -> Self {
    Self(placing: .groupBy(Operator.GroupBy(key: key, operators: operators, idle: idle)))
  }
}

/// Operators that select values.
extension OperatorShorthand {
  /// Publishes the values for which an expression is true.
  public static func filter(_ expression: CELExpression) -> Self {
    Self(placing: .filter(Operator.Filter(expression: expression)))
  }

  /// Publishes the first value, or the first one for which an expression is true, then finishes.
  public static func first(_ expression: CELExpression? = nil) -> Self {
    Self(placing: .first(Operator.First(expression: expression)))
  }

  /// Publishes a value only if it differs from the previous one.
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

/// Operators that depend on time.
extension OperatorShorthand {
  /// Publishes each value after a delay.
  ///
  /// - Parameter seconds: The delay, 0 or more.
  public static func delay(seconds: Double) -> Self { Self(placing: .delay(Operator.Delay(seconds: seconds))) }

  /// Publishes a value once upstream has been silent for a while.
  ///
  /// - Parameter seconds: The silence, greater than 0.
  public static func debounce(seconds: Double) -> Self {
    Self(placing: .debounce(Operator.Debounce(seconds: seconds)))
  }

  /// Publishes at most one value in each interval.
  ///
  /// - Parameters:
  ///   - seconds: The interval, greater than 0.
  ///   - latest: Whether the newest value of an interval is published, or the first.
  public static func throttle(seconds: Double, latest: Bool? = nil) -> Self {
    Self(placing: .throttle(Operator.Throttle(seconds: seconds, latest: latest)))
  }

  /// Finishes if upstream publishes nothing for a while.
  ///
  /// - Parameter seconds: The longest pause, greater than 0.
  public static func timeout(seconds: Double) -> Self {
    Self(placing: .timeout(Operator.Timeout(seconds: seconds)))
  }
}

/// The same operators with a `Duration`, as in `.delay(.milliseconds(300))`.
extension OperatorShorthand {
  /// Publishes each value after a delay, 0 or more.
  public static func delay(_ delay: Duration) -> Self { .delay(seconds: delay / .seconds(1)) }

  /// Publishes a value once upstream has been silent for a while, greater than 0.
  public static func debounce(_ silence: Duration) -> Self { .debounce(seconds: silence / .seconds(1)) }

  /// Publishes at most one value in each interval.
  ///
  /// - Parameters:
  ///   - interval: The interval, greater than 0.
  ///   - latest: Whether the newest value of an interval is published, or the first.
  public static func throttle(_ interval: Duration, latest: Bool? = nil) -> Self {
    .throttle(seconds: interval / .seconds(1), latest: latest)
  }

  /// Finishes if upstream publishes nothing for a while, greater than 0.
  public static func timeout(_ pause: Duration) -> Self { .timeout(seconds: pause / .seconds(1)) }
}

/// Operators that combine streams.
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

  /// Publishes the values of this stream and of others in order of arrival.
  public static func merge(with streams: StreamReferences) -> Self {
    Self(placing: .merge(Operator.Merge(with: streams)))
  }

  /// Publishes the values of other streams after the finish of this one.
  public static func append(with streams: StreamReferences) -> Self {
    Self(placing: .append(Operator.Append(with: streams)))
  }

  /// Shares one subscription to upstream among all subscribers.
  public static func share() -> Self { Self(placing: .share(Operator.Share())) }
}

/// Operators that handle failures.
extension OperatorShorthand {
  /// Subscribes again after a failure.
  ///
  /// - Parameter count: The maximum number of new attempts; no limit if nil.
  public static func retry(count: Int? = nil) -> Self { Self(placing: .retry(Operator.Retry(count: count))) }

  /// Continues with another stream after a failure.
  public static func `catch`(_ stream: InnerStream) -> Self {
    Self(placing: .catch(Operator.Catch(stream: stream)))
  }

  /// Publishes a value instead of a failure, and finishes.
  public static func replaceError(with value: Value) -> Self {
    Self(placing: .replaceError(Operator.ReplaceError(with: value)))
  }
}
