import StreamCore
import StreamEditing
import StreamKit
import StreamTesting
import Testing

/// Properties of any two JSON documents, stream files or not.
@Suite struct AnyDocumentTests {
  static let count = PropertyCount.cases(byDefault: 1_500)

  /// A document with the members that streams have, put together without any sense.
  private static func document(_ random: inout SeededGenerator, depth: Int) -> Value {
    switch random.below(depth > 0 ? 9 : 5) {
    case 0: return .null
    case 1: return .int(Int64(random.below(3)))
    case 2: return .double(Double(random.below(3)))
    case 3: return .bool(random.happens(oneIn: 2))
    case 4: return .string(random.pick(["a", "b", "value + 1", ""]))
    case 5, 6: return .list((0..<random.below(5)).map { _ in document(&random, depth: depth - 1) })
    default:
      let names = [
        "id", "name", "operators", "stream", "streams", "source", "with", "map", "flatMap", "tests", "inputs", "value",
        "requires", "x-a", "a/b", "~", "",
      ]
      return .map(
        ValueMap((0..<random.below(5)).map { _ in (.string(random.pick(names)), document(&random, depth: depth - 1)) }))
    }
  }

  /// The document after some changes.
  private static func changed(_ value: Value, _ random: inout SeededGenerator) -> Value {
    switch value {
    case .list(var items) where !items.isEmpty:
      let place = random.below(items.count)
      switch random.below(5) {
      case 0: items.remove(at: place)
      case 1: items.insert(document(&random, depth: 2), at: place)
      case 2: items.insert(items.remove(at: place), at: random.below(items.count))
      default: items[place] = changed(items[place], &random)
      }
      return .list(items)
    case .map(let map) where !map.isEmpty:
      var pairs = map.pairs.map { ($0, $1) }
      let place = random.below(pairs.count)
      switch random.below(5) {
      case 0: pairs.remove(at: place)
      case 1: pairs[place].0 = .string(random.pick(["id", "map", "filter", "new"]))
      case 2: pairs.append((.string("y"), document(&random, depth: 1)))
      default: pairs[place].1 = changed(pairs[place].1, &random)
      }
      return .map(ValueMap(pairs))
    default: return document(&random, depth: 1)
    }
  }

  @Test("Patches make the second of the first, and a merge takes over what one side alone has changed")
  func any() throws {
    for seed in 0..<Self.count {
      var random = SeededGenerator(seed: seed)
      let old = Self.document(&random, depth: 5)
      var new = old
      for _ in 0..<random.below(6) { new = Self.changed(new, &random) }
      let patched = try JSONPatch(from: old, to: new).applied(to: old)
      #expect(patched == new, "seed \(seed)")
      #expect(JSONPatch(from: old, to: old).isEmpty, "seed \(seed)")
      #expect(JSONPatch(from: old, to: new).isEmpty == (old == new), "seed \(seed)")
      if let patch = try? MergePatch(from: old, to: new) {
        let outcome = patch.applied(to: old)
        #expect(outcome == new, "seed \(seed)")
      }
      #expect(try StreamMerge(base: old, ours: old, theirs: new).value == new, "seed \(seed)")
      #expect(try StreamMerge(base: old, ours: new, theirs: old).value == new, "seed \(seed)")
      #expect(try StreamMerge(base: old, ours: new, theirs: new).value == new, "seed \(seed)")
      // Both sides change something: no crash, and the favored side's version where they disagree on the whole.
      let other = Self.changed(old, &random)
      let merge = try StreamMerge(base: old, ours: new, theirs: other)
      let favored = try StreamMerge(base: old, ours: new, theirs: other, favoring: .theirs)
      #expect(merge.conflicts.isEmpty == favored.conflicts.isEmpty, "seed \(seed)")
      if merge.conflicts.isEmpty { #expect(merge.value == favored.value, "seed \(seed)") }
    }
  }
}
