public import StreamCore
public import StreamEngine

/// An operator in a list of operators, with the members beside its name.
///
/// ```swift
/// var total = PlacedOperator.scan(0, "acc + value")
/// total.id = "total"
/// ```
public struct PlacedOperator: StreamFilePart {
  /// An identifier for the operator's state and for comparing files.
  public var id: String?
  /// A label for people.
  public var label: String?
  public var `operator`: Operator
  /// The handling of a value that makes the operator fail. Default `fail`.
  public var onError: ErrorPolicy?
  /// Custom members, whose names begin with `x-`.
  public var extensions: ValueMap
  /// Custom members among the operator's fields. Those of a host's operator are in its `fields`.
  public var fieldExtensions: ValueMap
  /// Whether it is a placeholder for an operator that could not be read, so that the others are checked.
  private(set) var isUnreadable = false

  public init(
    _ operator: Operator, id: String? = nil, label: String? = nil, onError: ErrorPolicy? = nil,
    extensions: ValueMap = ValueMap(), fieldExtensions: ValueMap = ValueMap()
  ) {
    self.id = id
    self.label = label
    self.operator = `operator`
    self.onError = onError
    self.extensions = extensions
    self.fieldExtensions = fieldExtensions
  }

  package static let besides = ["id", "label", "onError"]

  public init(json: Value) throws(Diagnostics) { self = try Self.complete(Self.read(json)) }

  /// The operator that a JSON object describes, as far as it can be read, and all that is wrong with it.
  package static func read(_ value: Value) -> (PlacedOperator, Diagnostics) {
    DeepStack.run { readPlainly(value) ?? readMembers(of: value) }
  }

  private static func readMembers(of value: Value) -> (PlacedOperator, Diagnostics) {
    var placed = PlacedOperator(.drop(Operator.Drop(count: 0)))
    guard case .map(let map) = value else {
      placed.isUnreadable = true
      return (placed, Diagnostics([Operator.noObject(value)]))
    }
    var reader = MemberReader(map)
    placed.id = reader.string("id")
    placed.label = reader.string("label")
    if let word = reader.string("onError") {
      let policies = ErrorPolicy.allCases.map(\.rawValue)
      placed.onError = ErrorPolicy(rawValue: word)
      if placed.onError == nil,
        let problem = FieldSpec.Kind.choice(policies).problem(with: .string(word), field: "onError")
      {
        reader.append(problem.prefixed(by: JSONPointer(["onError"])))
      }
    }
    placed.extensions = reader.extensions
    var names: [String] = []
    for case .string(let key) in map.keys where !besides.contains(key) && !key.hasPrefix("x-") { names.append(key) }
    for problem in removeUnknownKeys(from: &names) { reader.append(problem) }
    do throws(Diagnostics) {
      placed.operator = try Operator.read(names, from: map)
      if !placed.operator.isCustom, let name = names.first {
        placed.fieldExtensions = extensions(amongFields: map[name])
      }
    } catch {
      placed.isUnreadable = true
      reader.append(error)
    }
    return (placed, reader.diagnostics)
  }

  /// Takes out the names that are meant for a member beside the operator, or for nothing that there is.
  private static func removeUnknownKeys(from names: inout [String]) -> [Diagnostic] {
    guard names.count > 1, names.contains(where: isOperator) else { return [] }
    var problems: [Diagnostic] = []
    names.removeAll { name in
      guard !isOperator(name) else { return false }
      let near = nearestName(to: name, among: besides)
      // A misspelled operator is still a second operator.
      if near == nil, Operator.suggestion(for: name) != nil { return false }
      problems.append(
        Diagnostic(
          .unknownKey, "unknown member '\(name)' beside an operator", at: JSONPointer([name]), part: .key,
          notes: ["known members: \(besides.joined(separator: ", "))"],
          help: near.map { "did you mean '\($0)'?" } ?? "remove it, or begin its name with x-"))
      return true
    }
    return problems
  }

  private static func isOperator(_ name: String) -> Bool {
    Operator.entry(named: name) != nil || Operator.Custom.isName(name) || name == Operator.Custom.applyName
  }

  private static func extensions(amongFields fields: Value?) -> ValueMap {
    if case .map(let map)? = fields { MemberReader(map).extensions } else { ValueMap() }
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
      let fields = map.slots[0]
      if Operator.Custom.hasReference(fields) {
        return (PlacedOperator(.custom(Operator.Custom(name: name, fields: fields))), Diagnostics())
      }
      let placed = PlacedOperator(try entry.read(fields), fieldExtensions: extensions(amongFields: fields))
      return (placed, Diagnostics())
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

  public var json: Value { DeepStack.run { makeValue() } }

  private func makeValue() -> Value {
    var writer = MemberWriter()
    writer.add("id", id)
    writer.add("label", label)
    writer.add(self.operator.name, self.operator.fields.adding(fieldExtensions))
    writer.add("onError", onError?.rawValue)
    writer.add(extensions)
    return writer.value
  }
}
