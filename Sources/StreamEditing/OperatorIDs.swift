@_spi(Engine) internal import StreamCore
internal import StreamKit

/// Assigns ids to operators that have state and no id: the operator's name, with a number if the id is taken.
struct OperatorIDs {
  private var taken: Set<String> = []
  private var numbers: [String: Int] = [:]

  /// - Parameter document: the file whose ids are taken.
  init(of document: JSONDocument) { collect(document.value, .stream) }

  /// Returns the id for an operator of the file; nil if it already has one or needs none.
  mutating func next(for json: Value) -> String? {
    let (placed, problems) = PlacedOperator.read(json)
    guard placed.id == nil, !problems.hasErrors, placed.operator.definition.keepsState else { return nil }
    let name = placed.operator.name
    while true {
      let number = numbers[name, default: 0] + 1
      numbers[name] = number
      let id = number == 1 ? name : "\(name)-\(number)"
      if taken.insert(id).inserted { return id }
    }
  }

  /// Notes the ids of all operators within a value.
  private mutating func collect(_ value: Value, _ shape: FileShape) {
    switch value {
    case .list(let items): for item in items { collect(item, shape.element) }
    case .map(let map):
      let shape = if case .list(let element) = shape { element } else { shape }
      if case .placedOperator = shape, case .string(let id)? = map["id"] { taken.insert(id) }
      for case (.string(let name), let member) in map.pairs { collect(member, shape.member(name)) }
    default: break
    }
  }
}
