public import CEL
public import StreamCore

extension StreamTest {
  /// The results of a host function in a test. The first one that matches a call is used.
  public struct CallScript: StreamFilePart {
    public var answers: [Answer]

    /// A result: `{"argument": "a", "after": 0.5, "value": true}`.
    public struct Answer: StreamFilePart {
      public enum Kind: Hashable, Sendable {
        case value(Value)
        /// An expression over `argument`.
        case expression(CELExpression)
        /// The error value: any JSON value.
        case failure(Value)
      }

      /// The argument this result is for; nil for any.
      public var argument: Value?
      /// Delay of the result in seconds of virtual time. Default 0.
      public var after: Double
      public var kind: Kind
      /// Custom members, whose names begin with `x-`.
      public var extensions: ValueMap

      public init(argument: Value? = nil, after: Double = 0, _ kind: Kind, extensions: ValueMap = ValueMap()) {
        self.argument = argument
        self.after = after
        self.kind = kind
        self.extensions = extensions
      }

      package static let keys = ["argument", "after", "value", "expression", "failure"]

      public init(json: Value) throws(Diagnostics) {
        var reader = MemberReader(json, what: "an answer", keys: Self.keys)
        try reader.throwUnlessObject()
        argument = reader.value("argument")
        after = reader.seconds("after") ?? 0
        kind = .value(.null)
        extensions = reader.extensions
        if after < 0 || after > 1e9 {
          reader.append(
            Diagnostic(
              .outOfRange, "'after' is \(after.shortText); expected seconds from 0 to 1000000000",
              at: JSONPointer(["after"])))
        }
        let kinds = ["value", "expression", "failure"].filter(reader.has)
        if kinds.count != 1 {
          reader.append(
            Diagnostic(
              .invalidTest,
              "the result of a call must have one of 'value', 'expression' and 'failure'; found "
                + (kinds.isEmpty ? "none" : kinds.joined(separator: " and ")),
              help: "write {\"value\": true}"))
        } else if let value = reader.value("value") {
          kind = .value(value)
        } else if let failure = reader.value("failure") {
          kind = .failure(failure)
        } else if let text = reader.string("expression") {
          kind = .expression(CELExpression(text))
        }
        try reader.diagnostics.throwErrors()
      }

      public var json: Value {
        var writer = MemberWriter()
        writer.add("argument", argument)
        if after != 0 { writer.add("after", .seconds(after)) }
        switch kind {
        case .value(let value): writer.add("value", value)
        case .expression(let expression): writer.add("expression", expression.text)
        case .failure(let failure): writer.add("failure", failure)
        }
        writer.add(extensions)
        return writer.value
      }
    }

    public init(_ answers: [Answer]) { self.answers = answers }

    public init(json: Value) throws(Diagnostics) {
      guard case .list = json else {
        answers = [try Answer(json: json)]
        return
      }
      answers = try MemberReader.elements(of: json, named: "calls") { value in
        MemberReader.part(or: Answer(.value(.null))) { () throws(Diagnostics) in try Answer(json: value) }
      }
    }

    public var json: Value { answers.count == 1 ? answers[0].json : .list(answers.map(\.json)) }
  }
}
