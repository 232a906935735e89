import StreamCore
import StreamEditing
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// Resolving the marks of a merge gives the merge in favor of a side.
@Suite struct ConflictResolutionTests {
  // MARK: Lists

  /// Operators of the base and of both sides, the merge in favor of theirs, and the places of the marks.
  struct Example: Sendable, CustomStringConvertible {
    let description: String
    let base: String
    let ours: String
    let theirs: String
    let favored: String
    let places: [String]
  }

  static let examples = [
    Example(
      description: "an addition of each side at one place, and a removal", base: "m f1", ours: "d1 m#b",
      theirs: "f2 d2", favored: "f2 d2 d1", places: ["/operators"]),
    Example(
      description: "an element that one side removes stands behind an element that the other side moves",
      base: "d1 f1 f2 m f3", ours: "d1#a f2 f1", theirs: "d1 f3 f1 f2 m#b", favored: "d1#a f2 f1 m#b",
      places: ["/operators/3"]),
    Example(
      description: "each side removes the neighbor that the other side changes", base: "m f1 d1", ours: "m d1#a",
      theirs: "m f1#b", favored: "m f1#b", places: ["/operators/1", "/operators/1"]),
    Example(
      description: "neighbors that one side removes and the other changes", base: "m f1 d1 f2", ours: "m f2",
      theirs: "m f1#a d1#b f2", favored: "m f1#a d1#b f2", places: ["/operators/1", "/operators/1"]),
    Example(
      description: "one side removes all that the other side changes", base: "m f1", ours: "", theirs: "m#a f1#b",
      favored: "m#a f1#b", places: ["/operators/0", "/operators/0"]),
  ]

  private static let operators = [
    "m": #""map": {"expression": "value"}"#, "f1": #""filter": {"expression": "value > 1"}"#,
    "f2": #""filter": {"expression": "value > 2"}"#, "f3": #""filter": {"expression": "value > 3"}"#,
    "d1": #""debounce": {"seconds": 1}"#, "d2": #""debounce": {"seconds": 2}"#,
  ]

  /// `f1#a` is the filter `f1` with the label `a`.
  private static func file(_ letters: String) throws -> Value {
    let texts = try letters.split(separator: " ").map { word in
      let parts = word.split(separator: "#").map(String.init)
      let text = try #require(operators[parts[0]])
      return parts.count > 1 ? #"{\#(text), "label": "\#(parts[1])"}"# : "{\(text)}"
    }
    return try json(#"{"stream": [{"value": 1}], "operators": [\#(texts.joined(separator: ","))]}"#)
  }

  @Test("Resolving all marks of a list for a side gives the merge in favor of it", arguments: examples)
  func lists(_ example: Example) throws {
    let (base, ours, theirs) = try (Self.file(example.base), Self.file(example.ours), Self.file(example.theirs))
    let merge = try StreamMerge(base: base, ours: ours, theirs: theirs)
    let favored = try StreamMerge(base: base, ours: ours, theirs: theirs, favoring: .theirs)
    let expected = try Self.file(example.favored)
    #expect(favored.value == expected)
    #expect(merge.conflicts.map(\.mark.place.description) == example.places)
    #expect(favored.markedValue == merge.markedValue)
    let resolved = try ConflictResolution(of: merge.markedValue, favoring: .theirs).value
    #expect(resolved == expected)
    let kept = try ConflictResolution(of: merge.markedValue, favoring: .ours).value
    #expect(kept == merge.value)
  }

  @Test("A pointer inside a list with one mark finds no conflict, and after the mark of the list none is left")
  func oneMark() throws {
    let (base, ours, theirs) = try (Self.file("m f1"), Self.file("d1 m#b"), Self.file("f2 d2"))
    let marked = try StreamMerge(base: base, ours: ours, theirs: theirs).markedValue
    #expect(throws: Diagnostics.self) {
      try ConflictResolution(of: marked, favoring: .theirs, at: JSONPointer(["operators", "1"]))
    }
    let resolved = try ConflictResolution(of: marked, favoring: .theirs, at: JSONPointer(["operators"]))
    let expected = try Self.file("f2 d2 d1")
    #expect(resolved.left == [])
    #expect(resolved.value == expected)
  }

  @Test("A version that replaces a place takes the marks inside the place with it")
  func marksInside() throws {
    let file = try json(
      #"""
      {"stream": [], "operators": [{"map": {"expression": "1"}}], "x-conflict": [
        {"at": "/operators", "ours": [{"map": {"expression": "1"}}], "theirs": []},
        {"at": "/operators/0/map/expression", "ours": "1", "theirs": "2"}]}
      """#)
    let resolved = try ConflictResolution(of: file, favoring: .theirs, at: JSONPointer(["operators"]))
    #expect(resolved.left == [])
    let outer = try ConflictResolution(of: file, favoring: nil, at: JSONPointer(["operators", "0"]))
    let all = try ConflictResolution(of: outer.value, favoring: .theirs)
    let expected = try json(#"{"stream": [], "operators": []}"#)
    #expect(resolved.value == expected)
    #expect(all.value == expected)
  }

  @Test("A mark whose version does not fit the file is refused, and an unresolved mark is kept")
  func staleMarks() throws {
    for mark in [
      #""at": "/operators/3", "ours": 1, "theirs": 2"#, #""at": "/operators/2", "theirs": 2"#,
      #""at": "/operators/x", "theirs": 2"#, #""at": "/operators/1", "ours": 1"#, #""at": "/name/a", "theirs": 2"#,
      #""at": "/streams/a", "ours": 1"#, #""at": "/name", "members": true, "theirs": {}"#, #""at": "", "ours": 1"#,
    ] {
      let file = try json(
        #"""
        {"name": "a", "description": "b", "stream": [], "operators": [{"count": {}}], "x-conflict": [
          {\#(mark)}, {"at": "/description", "ours": "b", "theirs": "c"}]}
        """#)
      let error = #expect(throws: Diagnostics.self) { try ConflictResolution(of: file, favoring: .theirs) }
      #expect(error?.all.map(\.code) == [.patchFailed], "\(mark)")
      let other = try ConflictResolution(of: file, favoring: .theirs, at: JSONPointer(["description"]))
      #expect(other.value.member("description") == "c", "\(mark)")
      #expect(other.left == [try StreamModel.ConflictMark.all(in: file)[0]], "\(mark)")
    }
  }

  // MARK: Properties

  static let count = PropertyCount.cases(byDefault: 400)
  static let blocks = UInt64(4)

  @Test(
    "Marks resolve to the favored merge, at once and one by one, and hold all that a side has", arguments: 0..<blocks)
  func random(_ block: UInt64) throws {
    var (conflicts, listMarks) = (0, 0)
    for seed in stride(from: block, to: Self.count, by: Int(Self.blocks)) {
      let edits = RandomEdits(seed: seed)
      let merge = try StreamMerge(base: edits.base, ours: edits.ours, theirs: edits.theirs)
      let favored = try StreamMerge(base: edits.base, ours: edits.ours, theirs: edits.theirs, favoring: .theirs)
      let text = JSONWriter.compact(merge.markedValue)
      let lost = edits.news.filter { !text.contains($0) }
      #expect(lost == [], "seed \(seed): \(text)")
      guard !merge.conflicts.isEmpty else {
        #expect(favored == merge, "seed \(seed)")
        continue
      }
      conflicts += merge.conflicts.count
      listMarks += merge.conflicts.count { if case .list? = $0.mark.ours { true } else { false } }
      let marked = merge.markedValue
      #expect(favored.markedValue == marked, "seed \(seed)")
      let ours = try ConflictResolution(of: marked, favoring: .ours).value
      #expect(ours == merge.value, "seed \(seed): \(text)")
      let theirs = try ConflictResolution(of: marked, favoring: .theirs).value
      #expect(theirs == favored.value, "seed \(seed): \(text)")
      let single = try Self.oneByOne(marked, seed: seed)
      #expect(single == favored.value, "seed \(seed), one by one: \(text)")
    }
    #expect(conflicts > Int(Self.count) / 16 && listMarks > Int(Self.count) / 200)
  }

  /// Takes theirs at each mark, one after another.
  private static func oneByOne(_ marked: Value, seed: UInt64) throws -> Value {
    var generator = SeededGenerator(seed: seed)
    var file = marked
    while let mark = try StreamModel.ConflictMark.all(in: file).randomElement(using: &generator) {
      file = try ConflictResolution(of: file, favoring: .theirs, at: mark.place).value
    }
    return file
  }

  // MARK: Earlier marks

  @Test("A merge refuses files with the marks of an earlier merge", arguments: StreamMerge.Side.allCases)
  func markedTwice(_ side: StreamMerge.Side) throws {
    let (base, ours, theirs) = try (Self.file("f1"), Self.file("f2"), Self.file("f3"))
    let marked = try StreamMerge(base: base, ours: ours, theirs: theirs).markedValue
    let error = #expect(throws: Diagnostics.self) {
      try StreamMerge(base: base, ours: side == .ours ? marked : ours, theirs: side == .ours ? theirs : marked)
    }
    #expect(error?.all.map(\.code) == [.unresolvedConflict])
    #expect(error?.all.map(\.pointer.description) == ["/operators/0/filter/expression"])
  }

  // MARK: Long lists

  /// A long list that both sides have edited.
  enum LongList: String, CaseIterable, Sendable {
    case oursRemoves, theirsRemoves, bothChange, bothAdd, oneAdds, oneMoves, bothAddAtOnePlace

    var hasConflicts: Bool { self != .oneAdds && self != .oneMoves }

    func files(_ count: Int) -> (base: Value, ours: Value, theirs: Value) {
      func list(_ numbers: some Sequence<Int>, _ label: String = "a") -> Value {
        .list(numbers.map { ["id": .string("o\($0)"), "label": .string(label), "map": ["expression": "value"]] })
      }
      let (base, ours, theirs): (Value, Value, Value) =
        switch self {
        case .oursRemoves: (list(0..<count), [], list(0..<count, "b"))
        case .theirsRemoves: (list(0..<count), list(0..<count, "b"), [])
        case .bothChange: (list(0..<count), list(0..<count, "b"), list(0..<count, "c"))
        case .bothAdd: ([], list(0..<count, "b"), list(0..<count, "c"))
        case .oneAdds: (list([0]), list([0], "b"), list(0..<count))
        case .oneMoves: (list(0..<count), list((0..<count).reversed()), list(0..<count, "b"))
        case .bothAddAtOnePlace: ([], list(0..<count), list(count..<2 * count))
        }
      return (["operators": base], ["operators": ours], ["operators": theirs])
    }
  }

  @Test("Merging long lists takes time in proportion to their length", arguments: LongList.allCases)
  func growth(_ list: LongList) throws {
    let exponent = try Growth.exponent(around: 1_000, preparing: list.files) { base, ours, theirs in
      let merge = try StreamMerge(base: base, ours: ours, theirs: theirs)
      #expect(merge.conflicts.isEmpty == !list.hasConflicts)
    }
    #expect(exponent < 1.5)
  }

  @Test(
    "Resolving the marks of long lists takes time in proportion to their length",
    arguments: LongList.allCases.filter(\.hasConflicts))
  func resolutionGrowth(_ list: LongList) throws {
    let exponent = try Growth.exponent(
      around: 500,
      preparing: { size in
        let (base, ours, theirs) = list.files(size)
        return try StreamMerge(base: base, ours: ours, theirs: theirs)
      }
    ) { merge in
      _ = try ConflictResolution(of: merge.markedValue, favoring: .theirs)
    }
    #expect(exponent < 1.5)
  }
}
