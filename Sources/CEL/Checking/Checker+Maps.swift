import StreamCore

extension Checker {
  /// Returns the result type of a function on maps: a record if all keys are known; nil for other functions and
  /// arguments.
  func mapResult(_ form: FunctionForm, _ arguments: [Syntax.ID]) -> CELType? {
    guard let target = arguments.first else { return nil }
    let type = types[target]
    if case .without = form, type.isOpen, arguments.count > 2 {
      return arguments.dropFirst().allSatisfy { isKeys(types[$0], single: false) } ? .map(.dyn, .dyn) : nil
    }
    guard type.isMap else { return nil }
    switch form {
    case .merge where arguments.count == 2:
      guard types[arguments[1]].isMap else { return nil }
      return merged(type, types[arguments[1]])
    case .without where arguments.count > 1:
      guard arguments.dropFirst().allSatisfy({ isKeys(types[$0], single: arguments.count == 2) }) else { return nil }
      guard case .record(let fields) = type, let names = names(Array(arguments.dropFirst())) else { return type.asMap }
      return .record(fields.filter { !names.contains($0.name) })
    case .rename where arguments.count == 2:
      guard types[arguments[1]].isMap else { return nil }
      guard case .record(let fields) = type, let names = renaming(arguments[1]) else {
        return merged(type.asMap, types[arguments[1]], keepsValues: true)
      }
      let renamed = fields.map { RecordField(names[$0.name] ?? $0.name, $0.type, isOptional: $0.isOptional) }
      return Set(renamed.map(\.name)).count == renamed.count ? .record(renamed) : type.asMap
    default: return nil
    }
  }

  /// Returns the type of a map with the entries of another, or with its values as keys.
  private func merged(_ type: CELType, _ other: CELType, keepsValues: Bool = false) -> CELType {
    if !keepsValues, case .record(let fields) = type, case .record(let others) = other {
      var result = fields
      let places = Dictionary(fields.enumerated().map { ($1.name, $0) }) { first, _ in first }
      for field in others {
        if let place = places[field.name] {
          // The entry of a map that may lack it may stay unchanged.
          result[place] =
            field.isOptional
            ? result[place].with(result[place].type.joined(with: field.type)) : field
        } else {
          result.append(field)
        }
      }
      return CELType.record(result).limited
    }
    guard case .map(let key, let value) = type.asMap, case .map(let otherKey, let otherValue) = other.asMap else {
      return .map(.dyn, .dyn)
    }
    return keepsValues
      ? .map(key.joined(with: otherValue), value) : .map(key.joined(with: otherKey), value.joined(with: otherValue))
  }

  /// Whether a type may be that of a key, or of the list of all keys.
  private func isKeys(_ type: CELType, single: Bool) -> Bool {
    switch type {
    case .dyn, .undetermined, .bool, .int, .uint, .string: true
    case .list: single
    default: false
    }
  }

  /// Returns the strings that the arguments, or a list, spell; nil if any is not a literal.
  private func names(_ arguments: [Syntax.ID]) -> Set<String>? {
    var parts = arguments
    if arguments.count == 1 {
      switch syntax.nodes[arguments[0]] {
      case .list(let elements): parts = elements
      case .literal(.list(let elements)):
        let names = elements.compactMap { if case .string(let name) = $0 { name } else { nil } }
        return names.count == elements.count ? Set(names) : nil
      default: break
      }
    }
    let names = parts.compactMap { if case .literal(.string(let name)) = syntax.nodes[$0] { name } else { nil } }
    return names.count == parts.count ? Set(names) : nil
  }

  /// Returns the new names by old ones; nil if any is not a literal.
  private func renaming(_ argument: Syntax.ID) -> [String: String]? {
    guard case .map(let keys, let values) = syntax.nodes[argument] else { return nil }
    var result: [String: String] = [:]
    for (key, value) in zip(keys, values) {
      guard case .literal(.string(let old)) = syntax.nodes[key], case .literal(.string(let new)) = syntax.nodes[value]
      else { return nil }
      result[old] = new
    }
    return result
  }
}
