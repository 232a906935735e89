internal import StreamCore

/// An operator of a stream: what is done with the values.
public enum Operator: Hashable, Sendable {
  case map(Map)
  case compactMap(CompactMap)
  case scan(Scan)
  case reduce(Reduce)
  case flatMap(FlatMap)
  case collect(Collect)
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
  case count(Count)
  case delay(Delay)
  case debounce(Debounce)
  case zip(Zip)
  case combineLatest(CombineLatest)
  case merge(Merge)
  case append(Append)
  case prepend(Prepend)

  /// The fields, whichever operator it is.
  public var definition: any OperatorDefinition {
    switch self {
    case .map(let fields): fields
    case .compactMap(let fields): fields
    case .scan(let fields): fields
    case .reduce(let fields): fields
    case .flatMap(let fields): fields
    case .collect(let fields): fields
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
    case .count(let fields): fields
    case .delay(let fields): fields
    case .debounce(let fields): fields
    case .zip(let fields): fields
    case .combineLatest(let fields): fields
    case .merge(let fields): fields
    case .append(let fields): fields
    case .prepend(let fields): fields
    }
  }

  /// Every operator there is, by family.
  public static let table: [OperatorEntry<Operator>] = [
    OperatorEntry(.transform, Operator.map),
    OperatorEntry(.transform, Operator.compactMap),
    OperatorEntry(.transform, Operator.scan),
    OperatorEntry(.transform, Operator.reduce),
    OperatorEntry(.transform, Operator.flatMap),
    OperatorEntry(.transform, Operator.collect),
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
    OperatorEntry(.summarise, Operator.count),
    OperatorEntry(.time, Operator.delay),
    OperatorEntry(.time, Operator.debounce),
    OperatorEntry(.combine, Operator.zip),
    OperatorEntry(.combine, Operator.combineLatest),
    OperatorEntry(.combine, Operator.merge),
    OperatorEntry(.combine, Operator.append),
    OperatorEntry(.combine, Operator.prepend),
  ]

  /// The fields as JSON.
  var fields: Value { definition.json }

  /// The operator that stands under one of these names in an object; there must be just one.
  static func read(_ names: [String], from map: ValueMap) throws(Diagnostics) -> Operator {
    guard let name = names.first, names.count == 1, let fields = map[name] else {
      throw Diagnostics([notOne(names)])
    }
    guard let entry = table.first(where: { $0.spec.name == name }) else {
      throw Diagnostics([unknown(name)])
    }
    do throws(Diagnostics) {
      return try entry.read(fields)
    } catch {
      throw error.prefixed(by: JSONPointer([name]))
    }
  }

  private static func unknown(_ name: String) -> Diagnostic {
    let near = suggestion(for: name)
    return Diagnostic(
      .unknownOperator, "there is no operator '\(name)'", at: JSONPointer([name]), part: .key,
      help: near.map { "did you mean '\($0)'?" } ?? "'streamrun operators' lists them all")
  }

  /// The operator that was probably meant by a name that there is not.
  public static func suggestion(for name: String) -> String? {
    oldNames[name] ?? nearestName(to: name, among: table.map(\.spec.name))
  }

  /// What other libraries call ours.
  private static let oldNames = [
    "dropFirst": "drop", "skip": "drop", "take": "prefix", "distinctUntilChanged": "removeDuplicates",
    "mergeMap": "flatMap", "concat": "append", "startWith": "prepend", "toArray": "collect", "where": "filter",
    "select": "map", "debounceTime": "debounce", "fold": "reduce",
  ]

  private static func notOne(_ names: [String]) -> Diagnostic {
    if let second = names.dropFirst().first {
      return Diagnostic(
        .notOneOperator,
        "an operator object has one operator; found \(names.map { "'\($0)'" }.joined(separator: " and "))",
        at: JSONPointer([second]), part: .key, help: "make them objects of their own, one after the other")
    }
    return Diagnostic(
      .notOneOperator, "an operator object has one operator as its key; found none",
      help: "write it as {\"map\": {\"expression\": \"value * 2\"}}")
  }
}

/// What operators are listed under.
public enum OperatorFamily: String, Sendable, CaseIterable {
  case source, transform, select, summarise, time, combine
}

/// A row of a table of operators or sources: what is known of one of them, and how its fields are read.
public struct OperatorEntry<Kind: Sendable>: Sendable {
  public let family: OperatorFamily
  public let spec: OperatorSpec
  let read: @Sendable (Value) throws(Diagnostics) -> Kind

  init<Fields: FieldsDefinition>(_ family: OperatorFamily, _ make: @escaping @Sendable (Fields) -> Kind) {
    self.family = family
    spec = Fields.spec
    read = { value throws(Diagnostics) in make(try Fields.read(value)) }
  }
}
