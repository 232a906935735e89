public import CEL
public import StreamCore
public import StreamEngine

extension StreamModel {
  /// The partition of a stream by a key: each key has an execution of its own, and nothing crosses keys.
  ///
  /// A partitioned file runs on one machine as if its operators stood in a `groupBy` of the key, in event time. So the
  /// file also runs on several machines, each with a part of the keys, with the same results.
  public struct Partition: StreamFilePart {
    /// Returns the key of a value. Variables: `value`, the input's value.
    public var key: CELExpression
    /// The name of the key in the expressions. Default `key`.
    public var `as`: String?
    /// Returns the time of a value: a timestamp, or milliseconds since 1970. Variables: `value`. By default the stream
    /// has no timers, and time does not pass.
    public var time: CELExpression?
    /// The longest time, in seconds from 0 to 31536000, by which values may be out of order: they are held until the
    /// newest time is that much later, and delivered in the order of their times. Default `0`.
    public var lateness: Double?
    /// The handling of a value that is later still. Default `apply`.
    public var late: Late?
    /// Operators that run on the results of all keys, merged. Default none.
    public var then: InnerOperators?
    /// Custom members, whose names begin with `x-`.
    public var extensions: ValueMap

    /// The handling of a value that arrives when newer values have already been delivered.
    public typealias Late = Pipeline.Input.Late

    public init(
      key: CELExpression, time: CELExpression? = nil, lateness: Double? = nil, late: Late? = nil,
      then: InnerOperators? = nil, as name: String? = nil, extensions: ValueMap = ValueMap()
    ) {
      self.key = key
      self.as = name
      self.time = time
      self.lateness = lateness
      self.late = late
      self.then = then
      self.extensions = extensions
    }

    package static let keys = ["key", "as", "time", "lateness", "late", "then"]
    package static let defaultLateness = InputTime.defaultLateness
    package static let defaultLate = InputTime.defaultLate
    package static let longestLateness = InputTime.longestLateness

    public init(json: Value) throws(Diagnostics) {
      let (partition, problems) = Self.read(json)
      // Without a key there is an error.
      guard let partition, !problems.hasErrors else { throw problems }
      self = partition
    }

    /// Returns the partition as far as it can be read, nil without a key, and the errors in it.
    static func read(_ json: Value) -> (Partition?, Diagnostics) {
      var partition = Partition(key: "")
      var reader = MemberReader(json, what: "a partition", keys: keys, synonyms: ["by": "key"])
      guard reader.isObject else { return (nil, reader.diagnostics) }
      let key = reader.expression("key")
      if let key { partition.key = key }
      if !reader.has("key") { reader.missing("key", in: "a partition", help: "add \"key\", such as \"value.user\"") }
      partition.as = reader.string("as")
      if let name = partition.as {
        do throws(Diagnostic) {
          try VariableName.check(name, field: "as", reserved: ["value", "index"])
        } catch {
          reader.append(error)
          partition.as = nil
        }
      }
      partition.time = reader.expression("time")
      partition.lateness = reader.seconds("lateness")
      if let lateness = partition.lateness, !(0...longestLateness).contains(lateness) {
        reader.append(
          Diagnostic(
            .outOfRange, "'lateness' is \(JSONWriter.compact(.seconds(lateness))); expected seconds from 0 to 31536000",
            at: JSONPointer(["lateness"])))
      }
      if let word = reader.string("late") {
        partition.late = Late(rawValue: word)
        if let problem = FieldSpec.Kind.choice(Late.allCases.map(\.rawValue)).problem(
          with: .string(word), field: "late")
        {
          reader.append(problem.prefixed(by: JSONPointer(["late"])))
        }
      }
      for field in ["lateness", "late"] where reader.has(field) && !reader.has("time") {
        reader.append(
          Diagnostic(
            .missingField, "'\(field)' needs 'time', the expression that says when a value happened",
            at: JSONPointer([field]), part: .key,
            help: "add \"time\", such as \"value.time\", or write '\(field)' in the 'time' of the input"))
      }
      partition.then = reader.partialElements("then", PlacedOperator.read).map(InnerOperators.init)
      partition.extensions = reader.extensions
      return (key == nil ? nil : partition, reader.diagnostics)
    }

    public var json: Value {
      var writer = MemberWriter()
      writer.add("key", key.text)
      writer.add("as", self.as)
      writer.add("time", time?.text)
      writer.add("lateness", lateness.map(Value.seconds))
      writer.add("late", late?.rawValue)
      writer.add("then", then.map { .list($0.all.map(\.json)) })
      writer.add(extensions)
      return writer.value
    }
  }
}

extension StreamModel.Partition {
  /// Whether operators run on the results of all keys.
  package var hasThen: Bool { then?.all.isEmpty == false }

  /// When the values of the input happened; nil if the partition has no `time`.
  var inputTime: InputTime? {
    guard let time else { return nil }
    var result = InputTime(time.text)
    result.lateness = lateness ?? result.lateness
    result.late = late ?? result.late
    return result
  }
}

extension StreamModel.Partition {
  /// The documentation of the members.
  public static let spec = OperatorSpec(
    "partition", "Divides the values of an input by a key: each key has a stream of its own, with its own state.",
    memory: .growing("keys, with the state of their operators"),
    fields: [
      .required("key", .expression(["value"]), "Returns the key of a value."),
      .optional("as", .string, "Name of the key in the expressions.", default: "key"),
      .optional(
        "time", .expression(["value"]),
        "Returns when a value happened: a timestamp, or milliseconds since 1970. The stream runs by this time."),
      .optional(
        "lateness", .seconds(0...longestLateness),
        "Time by which values may be out of order: they are sorted.", default: .of(defaultLateness)),
      .optional(
        "late", .choice(Late.allCases.map(\.rawValue)),
        "Effect of a value that is later still: `apply` gives it the earliest time that is still possible, `drop` drops "
          + "it, and `output` writes it to an output of its own.", default: .of(defaultLate)),
      .optional("then", .operators, "Operators that run on the results of all keys."),
    ], rules: [.needs("lateness", ["time"]), .needs("late", ["time"])], examples: [])
}
