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
  /// Whether it stands in for one that could not be read, so that the others are checked.
  private(set) var isUnreadable = false

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

  static let besides = ["id", "label", "onError"]

  /// The operator that a JSON object describes, as far as it can be read, and all that is wrong with it.
  static func read(_ value: Value) -> (PlacedOperator, Diagnostics) {
    DeepStack.run { readPlainly(value) ?? readMembers(of: value) }
  }

  private static func readMembers(of value: Value) -> (PlacedOperator, Diagnostics) {
    var placed = PlacedOperator(.drop(Operator.Drop(count: 0)))
    guard case .map(let map) = value else {
      placed.isUnreadable = true
      let problem = Diagnostic(
        .wrongType, "expected an operator, which is an object; found \(value.describedType)",
        help: "write it as {\"map\": {\"expression\": \"value * 2\"}}")
      return (placed, Diagnostics([problem]))
    }
    var reader = MemberReader(map)
    placed.id = reader.string("id")
    placed.label = reader.string("label")
    if let word = reader.string("onError") {
      let policies = ErrorPolicy.allCases.map(\.rawValue)
      placed.onError = ErrorPolicy(rawValue: word)
      if placed.onError == nil,
        let problem = FieldKind.choice(policies).problem(with: .string(word), field: "onError")
      {
        reader.append(problem.prefixed(by: JSONPointer(["onError"])))
      }
    }
    placed.extensions = reader.extensions
    var names: [String] = []
    for case .string(let key) in map.keys where !besides.contains(key) && !key.hasPrefix("x-") { names.append(key) }
    do throws(Diagnostics) {
      placed.operator = try Operator.read(names, from: map)
    } catch {
      placed.isUnreadable = true
      reader.append(error)
    }
    return (placed, reader.diagnostics)
  }

  /// An operator with nothing beside its name, as most are; nil for any other value.
  ///
  /// NB: an operator with errors is read once, too. Its fields may hold streams; if each level of nested streams were
  /// read again for its errors, the time would double with each level.
  private static func readPlainly(_ value: Value) -> (PlacedOperator, Diagnostics)? {
    guard case .map(let map) = value, map.count == 1, case .string(let name) = map.keys[0],
      let entry = Operator.entry(named: name)
    else { return nil }
    do throws(Diagnostics) {
      return (PlacedOperator(try entry.read(map.slots[0])), Diagnostics())
    } catch {
      return (unreadable, error.prefixed(by: JSONPointer([name])))
    }
  }

  /// Stands in for an operator that could not be read.
  private static var unreadable: PlacedOperator {
    var placed = PlacedOperator(.drop(Operator.Drop(count: 0)))
    placed.isUnreadable = true
    return placed
  }

  /// The operator as JSON.
  public var value: Value { DeepStack.run { makeValue() } }

  private func makeValue() -> Value {
    var writer = MemberWriter()
    writer.add("id", id)
    writer.add("label", label)
    writer.add(self.operator.name, self.operator.fields)
    writer.add("onError", onError?.rawValue)
    writer.add(extensions)
    return writer.value
  }
}

extension Value {
  /// The text, if it is one.
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
