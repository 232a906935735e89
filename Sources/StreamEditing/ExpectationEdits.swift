internal import CEL
public import StreamCore
public import StreamKit

extension TestOutcome {
  /// Returns the edits that change the test's expectation to the actual output. Only values that differ are edited; nil
  /// if the output cannot be written as an expectation.
  public func updatingEdits(in document: JSONDocument) -> [StreamEdit]? {
    guard let newExpectation else { return nil }
    let place = pointer.appending("expect")
    guard let old = document.value[place] else { return nil }
    return Self.edits(from: old, to: newExpectation, at: place)
  }

  /// More elements than these are not edited one by one.
  private static let singleEdits = 20

  private static func edits(from old: Value, to new: Value, at pointer: JSONPointer) -> [StreamEdit] {
    if old.isEqual(to: new) { return [] }
    switch (old, new) {
    case (.map(let before), .map(let after)):
      return edits(from: before, to: after, at: pointer)
    case (.list(let before), .list(let after)) where !before.isEmpty && max(before.count, after.count) <= singleEdits:
      return edits(from: before.elements, to: after.elements, at: pointer)
    default: return [.set(pointer, JSONFragment(new))]
    }
  }

  private static func edits(from old: ValueMap, to new: ValueMap, at pointer: JSONPointer) -> [StreamEdit] {
    var edits: [StreamEdit] = []
    for case .string(let key) in old.keys where new[key] == nil { edits.append(.remove(pointer.appending(key))) }
    for case (.string(let key), let value) in new.pairs {
      let place = pointer.appending(key)
      edits += old[key].map { Self.edits(from: $0, to: value, at: place) } ?? [.set(place, JSONFragment(value))]
    }
    return edits
  }

  private static func edits(from old: [Value], to new: [Value], at pointer: JSONPointer) -> [StreamEdit] {
    var edits: [StreamEdit] = []
    for index in old.indices.reversed() where index >= new.count { edits.append(.remove(pointer.appending(index))) }
    for (index, value) in new.enumerated() {
      let place = pointer.appending(index)
      edits +=
        index < old.count
        ? Self.edits(from: old[index], to: value, at: place) : [.insert(place, JSONFragment(value))]
    }
    return edits
  }
}
