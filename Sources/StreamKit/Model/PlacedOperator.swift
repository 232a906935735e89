public import StreamCore
public import StreamRuntime

/// An operator at its place in a list, with what may stand beside its name.
public struct PlacedOperator: Hashable, Sendable {
  /// A stable name for the operator's state and for comparing files.
  public var id: String?
  /// What people call it.
  public var label: String?
  public var `operator`: Operator
  /// What becomes of a value that makes the operator fail. Default `fail`.
  public var onError: ErrorPolicy?
  /// The author's own members, which begin with `x-`.
  public var extensions: ValueMap

  public init(
    _ operator: Operator, id: String? = nil, label: String? = nil, onError: ErrorPolicy? = nil,
    extensions: ValueMap = ValueMap()
  ) {
    self.id = id
    self.label = label
    self.operator = `operator`
    self.onError = onError
    self.extensions = extensions
  }

  private static let besides = ["id", "label", "onError"]

  /// The operator that a JSON object describes; all that is wrong with it, with relative pointers.
  public init(_ value: Value) throws(Diagnostics) {
    guard case .map(let map) = value else {
      throw Diagnostics([
        Diagnostic(
          .wrongType, "expected an operator, which is an object; found \(value.describedType)",
          help: "write it as {\"map\": {\"expression\": \"value * 2\"}}")
      ])
    }
    var reader = MemberReader(value, what: "an operator", keys: Self.besides + map.keys.compactMap(\.text))
    id = reader.string("id")
    label = reader.string("label")
    if let word = reader.string("onError") {
      let policies = ErrorPolicy.allCases.map(\.rawValue)
      onError = ErrorPolicy(rawValue: word)
      if onError == nil, let problem = FieldKind.choice(policies).problem(with: .string(word), field: "onError") {
        reader.append(problem.prefixed(by: JSONPointer(["onError"])))
      }
    }
    extensions = reader.extensions
    let names = map.keys.compactMap(\.text).filter { !Self.besides.contains($0) && !$0.hasPrefix("x-") }
    do throws(Diagnostics) {
      self.operator = try Operator.read(names, from: map)
    } catch {
      reader.append(error)
      throw reader.diagnostics
    }
    try reader.diagnostics.throwErrors()
  }

  /// The operator as JSON.
  public var value: Value {
    var writer = MemberWriter()
    writer.add("id", id)
    writer.add("label", label)
    writer.add(self.operator.definition.spec.name, self.operator.fields)
    writer.add("onError", onError?.rawValue)
    writer.add(extensions)
    return writer.value
  }
}

extension Value {
  /// The text, if it is one.
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
