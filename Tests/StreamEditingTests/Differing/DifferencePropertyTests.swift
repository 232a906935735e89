import StreamCore
import StreamEditing
import StreamKit
import StreamTesting
import Testing

/// Properties of any two files. `PROPERTIES=100000` checks more of them.
@Suite struct DifferencePropertyTests {
  static let count = PropertyCount.cases(byDefault: 160)

  /// Two files: any two, or two versions of one.
  private static func pair(_ seed: UInt64) -> (StreamModel, StreamModel) {
    var random = RandomModel(seed: seed &* 7919)
    let first = random.model()
    return (first, seed % 4 == 0 ? random.model() : random.variant(of: first))
  }

  @Test("A patch makes the new file of the old one; a file does not differ from itself")
  func patches() throws {
    var merged = 0
    for seed in 0..<Self.count {
      let (old, new) = Self.pair(seed)
      let diff = StreamDiff(from: old, to: new)
      let patched = try diff.patch.applied(to: old.json)
      #expect(patched == new.json, "seed \(seed)")
      let read = try JSONPatch(diff.patch.value)
      #expect(read == diff.patch, "seed \(seed)")
      #expect(diff.isEmpty == (old.json == new.json), "seed \(seed)")
      let same = StreamDiff(from: old, to: old)
      #expect(same.isEmpty && same.patch.isEmpty, "seed \(seed)")
      if let patch = try? diff.mergePatch() {
        merged += 1
        let outcome = patch.applied(to: old.json)
        #expect(outcome == new.json, "seed \(seed)")
      }
    }
    #expect(merged > Int(Self.count) / 2)
  }

  @Test("A patch is done to the text of a file, and undone")
  func texts() throws {
    for seed in 0..<Self.count / 10 {
      let (old, new) = Self.pair(seed)
      let text = JSONWriter.pretty(old.json)
      var editor = StreamEditor(try JSONDocument(reading: text, file: "old.json"))
      try editor.apply(StreamDiff(from: old, to: new).patch)
      #expect(editor.document.value == new.json, "seed \(seed)")
      editor.undo()
      #expect(editor.text == text, "seed \(seed)")
    }
  }

  @Test("Every change of behavior is reported as one")
  func behavior() {
    for seed in 0..<Self.count / 2 {
      let (old, new) = Self.pair(seed)
      guard StreamDiff(from: old, to: new).effect ?? .noBehavior == .noBehavior else { continue }
      #expect(old.behaviorID == new.behaviorID, "seed \(seed)")
    }
  }

  @Test("Changes of one side are taken, and equal changes of both sides")
  func merges() throws {
    var agreed = 0
    for seed in 0..<Self.count / 2 {
      let (base, other) = Self.pair(seed)
      let (old, new) = (base.json, other.json)
      #expect(try StreamMerge(base: old, ours: old, theirs: new).value == new, "seed \(seed)")
      #expect(try StreamMerge(base: old, ours: new, theirs: old).value == new, "seed \(seed)")
      #expect(try StreamMerge(base: old, ours: new, theirs: new).value == new, "seed \(seed)")
      // The other side has changed something that has nothing to do with it.
      let label = Value.map(ValueMap([("x-side", "other")]))
      let beside = MergePatch(label).applied(to: old)
      let merge = try StreamMerge(base: old, ours: new, theirs: beside)
      #expect(merge.conflicts == [], "seed \(seed)")
      #expect(merge.value == MergePatch(label).applied(to: new), "seed \(seed)")
      // Two versions of one file: whose side is whose makes no difference.
      var random = RandomModel(seed: seed &* 104_729)
      let third = random.variant(of: base).json
      let first = try StreamMerge(base: old, ours: new, theirs: third)
      let second = try StreamMerge(base: old, ours: third, theirs: new)
      #expect(first.conflicts.isEmpty == second.conflicts.isEmpty, "seed \(seed)")
      guard first.conflicts.isEmpty, second.conflicts.isEmpty else { continue }
      agreed += 1
      #expect(Self.withoutOrderOfTests(first.value) == Self.withoutOrderOfTests(second.value), "seed \(seed)")
    }
    #expect(agreed > Int(Self.count) / 40)
  }

  /// Tests in the order of their texts: that of the file means nothing.
  private static func withoutOrderOfTests(_ file: Value) -> Value {
    guard case .map(let map) = file, case .list(let tests)? = map["tests"] else { return file }
    let sorted = tests.sorted { JSONWriter.compact($0) < JSONWriter.compact($1) }
    return MergePatch(.map(ValueMap([("tests", .list(sorted))]))).applied(to: file)
  }
}
