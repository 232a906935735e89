import StreamCore
import StreamEditing
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// Two versions of a file brought together.
@Suite struct StreamMergeTests {
  /// Operators of the base, of both sides, and of the result; nil for a conflict.
  struct Example: Sendable, CustomStringConvertible {
    let description: String
    let base: String
    let ours: String
    let theirs: String
    let merged: String?

    init(_ description: String, _ base: String, _ ours: String, _ theirs: String, _ merged: String?) {
      self.description = description
      self.base = base
      self.ours = ours
      self.theirs = theirs
      self.merged = merged
    }
  }

  /// Letters stand for operators: `f2` is a filter of another limit than `f1`.
  static let examples = [
    Example("each changes another operator", "f1 d1", "f2 d1", "f1 d2", "f2 d2"),
    Example("both make the same change", "f1 d1", "f2 d1", "f2 d1", "f2 d1"),
    Example("both change one field", "f1", "f2", "f3", nil),
    Example("each adds at another place", "f1 d1", "c f1 d1", "f1 d1 u", "c f1 d1 u"),
    Example("both add the same", "f1", "f1 c", "f1 c", "f1 c"),
    Example("both add at one place", "f1", "f1 c", "f1 u", nil),
    Example("one removes, the other leaves it", "f1 d1 c", "f1 c", "f1 d1 c u", "f1 c u"),
    Example("one removes, the other changes it", "f1 d1", "f1", "f1 d2", nil),
    Example("both remove", "f1 d1", "f1", "f1", "f1"),
    Example("one moves, the other changes it", "f1 d1 c", "d1 c f1", "f2 d1 c", "d1 c f2"),
    Example("one moves, the other moves another", "f1 d1 c u t", "d1 f1 c u t", "f1 d1 c t u", "d1 f1 c t u"),
    Example("both move it alike", "f1 d1 c", "d1 c f1", "d1 c f1", "d1 c f1"),
    Example("both move it, not alike", "f1 d1 c u", "d1 c f1 u", "d1 c u f1", nil),
    Example("what stood between two additions is moved away", "f1 d1 t", "f1 c d1 t", "u d1 t f1", nil),
    Example("both add the same, not at one place", "f1 d1", "c f1 d1", "f1 d1 c", nil),
    Example("both add the same, and one moves another", "f1 d1 u t", "f1 c d1 u t", "f1 c d1 t u", "f1 c d1 t u"),
    Example("one only writes it otherwise", "f1 d1", "f2 d1s", "f1s d2", "f2 d2"),
    Example("one becomes another operator", "f1 d1", "u d1", "f1 d2", "u d2"),
    Example("both become others", "f1", "u", "c", nil),
    Example("all of it is taken away", "f1 d1", "", "f1 d1", ""),
    Example("where there were none", "", "f1", "", "f1"),
  ]

  private static let operators = [
    "f1": #"{"filter": {"expression": "value > 1"}}"#, "f2": #"{"filter": {"expression": "value > 2"}}"#,
    "f1s": #"{"filter": {"expression": "(value>1)"}}"#, "d1s": #"{"debounce": {"seconds": 1.0}}"#,
    "f3": #"{"filter": {"expression": "value > 3"}}"#, "d1": #"{"debounce": {"seconds": 1}}"#,
    "d2": #"{"debounce": {"seconds": 2}}"#, "c": #"{"count": {}}"#, "u": #"{"unwrap": {}}"#, "t": #"{"toResult": {}}"#,
  ]

  private static func file(_ letters: String) throws -> Value {
    let operators = letters.split(separator: " ").compactMap { Self.operators[String($0)] }
    return try json(#"{"stream": [{"value": 1}], "operators": [\#(operators.joined(separator: ","))]}"#)
  }

  @Test("Results of a merge", arguments: examples)
  func merging(_ example: Example) throws {
    let (base, ours, theirs) = try (Self.file(example.base), Self.file(example.ours), Self.file(example.theirs))
    let merge = try StreamMerge(base: base, ours: ours, theirs: theirs)
    let mirrored = try StreamMerge(base: base, ours: theirs, theirs: ours)
    #expect(merge.conflicts.isEmpty == (example.merged != nil))
    #expect(mirrored.conflicts.isEmpty == (example.merged != nil))
    guard let merged = example.merged else { return }
    let expected = try Self.file(merged)
    #expect(merge.value == expected)
    #expect(mirrored.value == expected)
  }

  @Test("Members of all kinds are merged, each for itself")
  func members() throws {
    let base = try json(#"{"name": "a", "requires": ["map"], "inputs": {"i": {}}, "stream": []}"#)
    let ours = try json(
      #"{"name": "b", "requires": ["map", "scan"], "inputs": {"i": {}, "j": {}}, "stream": [], "x-a": 1}"#)
    let theirs = try json(
      #"""
      {"name": "a", "description": "d", "requires": ["count"], "inputs": {"i": {"type": "int"}, "k": {}},
       "streams": {"s": {"stream": []}}, "source": {"empty": {}}}
      """#)
    let expected = try json(
      #"""
      {"name": "b", "description": "d", "requires": ["scan", "count"],
       "inputs": {"i": {"type": "int"}, "j": {}, "k": {}}, "streams": {"s": {"stream": []}},
       "source": {"empty": {}}, "x-a": 1}
      """#)
    let merge = try StreamMerge(base: base, ours: ours, theirs: theirs)
    #expect(merge.conflicts == [])
    #expect(merge.value == expected)
  }

  @Test("Definitions, parameters and types are merged one by one, and their operators too")
  func definitions() throws {
    func file(_ parameters: String, _ types: String, _ first: String, _ second: String, _ more: String) throws -> Value
    {
      try json(
        "{\"parameters\": {\(parameters)}, \"definitions\": {\"d\": {\"operators\": [{\"map\": {\"expression\": \"\(first)\"}},"
          + " {\"filter\": {\"expression\": \"\(second)\"}}]}\(more)}, \"types\": {\(types)}, \"stream\": []}")
    }
    let (n, m) = (#""n": {"type": "int"}"#, #""m": {"type": "int", "default": 1}"#)
    let merge = try StreamMerge(
      base: file(n, #""A": "int""#, "value", "true", ""),
      ours: file("\(n), \(m)", #""A": "int", "B": "string""#, "value + 1", "true", ""),
      theirs: file(
        #""n": {"type": "int", "default": 2}"#, #""A": "double""#, "value", "value > 1",
        #", "e": {"operators": []}"#))
    #expect(merge.conflicts == [])
    #expect(
      merge.value
        == (try file(
          #""n": {"type": "int", "default": 2}, "# + m, #""A": "double", "B": "string""#, "value + 1", "value > 1",
          #", "e": {"operators": []}"#)))
  }

  // MARK: Marks

  /// A marked file is invalid only because of its conflicts. If all are resolved for one side, the result equals a
  /// merge in favor of that side.
  private func checkMarks(of base: Value, _ ours: Value, _ theirs: Value, _ title: String) throws {
    let merge = try StreamMerge(base: base, ours: ours, theirs: theirs)
    #expect((merge.markedValue == merge.value) == merge.conflicts.isEmpty, "\(title)")
    guard !merge.conflicts.isEmpty else { return }
    let error = #expect(throws: Diagnostics.self) { try StreamModel(json: merge.markedValue) }
    let marks = error?.all.filter { $0.code == .unresolvedConflict } ?? []
    #expect(marks.count == merge.conflicts.count, "\(title)")
    // A text with marks is the text of a file, too.
    let file = try JSONDocument(reading: JSONWriter.pretty(merge.markedValue), file: "f.json").value
    #expect(try StreamModel.ConflictMark.all(in: file) == merge.conflicts.map(\.mark), "\(title)")
    let asItStands = try ConflictResolution(of: file, favoring: nil)
    #expect(asItStands.value == merge.value, "\(title)")
    #expect(asItStands.count == merge.conflicts.count && asItStands.left.isEmpty, "\(title)")
    for side in StreamMerge.Side.allCases {
      let resolved = try ConflictResolution(of: file, favoring: side)
      let expected = try StreamMerge(base: base, ours: ours, theirs: theirs, favoring: side)
      #expect(
        Self.withoutEmpty(resolved.value) == Self.withoutEmpty(expected.value),
        """
        \(title), favoring \(side)
        marked:   \(JSONWriter.compact(file))
        resolved: \(JSONWriter.compact(resolved.value))
        expected: \(JSONWriter.compact(expected.value))
        """)
    }
  }

  /// A list that is empty and one that does not exist mean the same.
  private static func withoutEmpty(_ value: Value) -> Value {
    guard case .map(let map) = value else { return value }
    return .map(
      ValueMap(
        map.pairs.filter { $0.1 != .list([]) && $0.1 != .map(ValueMap()) }.map { ($0, withoutEmpty($1)) }))
  }

  @Test("Conflicts are marked, and resolved by taking a side", arguments: examples)
  func marks(_ example: Example) throws {
    let (base, ours, theirs) = try (Self.file(example.base), Self.file(example.ours), Self.file(example.theirs))
    try checkMarks(of: base, ours, theirs, example.description)
    try checkMarks(of: base, theirs, ours, example.description + ", mirrored")
  }

  @Test("Conflicts of random files are marked, and resolved by taking a side")
  func randomMarks() throws {
    var conflicts = 0
    for seed in 0..<PropertyCount.cases(byDefault: 100) {
      var random = RandomModel(seed: seed)
      let base = random.model()
      let (ours, theirs) = (random.variant(of: base), random.variant(of: base))
      try checkMarks(of: base.json, ours.json, theirs.json, "seed \(seed)")
      conflicts += try StreamMerge(base: base.json, ours: ours.json, theirs: theirs.json).conflicts.count
    }
    #expect(conflicts > 5)
  }

  @Test("Conflicts are resolved one by one, wherever the others move to meanwhile")
  func oneByOne() throws {
    let base = try Self.file("f1 d1 c t")
    let (ours, theirs) = try (Self.file("f2 d1 c t"), Self.file("f3 d1 c t"))
    var changed = ours
    // Ours has removed the second operator, which theirs has changed.
    changed = try JSONPatch(json(#"[{"op": "remove", "path": "/operators/1"}]"#)).applied(to: changed)
    let other = try JSONPatch(json(#"[{"op": "replace", "path": "/operators/1/debounce/seconds", "value": 2}]"#))
      .applied(to: theirs)
    let marked = try StreamMerge(base: base, ours: changed, theirs: other).markedValue
    #expect(
      try StreamModel.ConflictMark.all(in: marked).map(\.place.description) == [
        "/operators/0/filter/expression", "/operators/1",
      ])
    let first = try ConflictResolution(of: marked, favoring: .theirs, at: JSONPointer(["operators", "1"]))
    #expect(first.count == 1)
    #expect(first.left.map(\.place.description) == ["/operators/0/filter/expression"])
    let second = try ConflictResolution(
      of: first.value, favoring: .theirs, at: JSONPointer(["operators", "0"]))
    #expect(second.left.isEmpty)
    #expect(second.value == (try Self.file("f3 d2 c t")))
    let none = #expect(throws: Diagnostics.self) {
      try ConflictResolution(of: first.value, favoring: .ours, at: JSONPointer(["operators", "1"]))
    }
    #expect(none?.all.first?.message == "there is no conflict at '/operators/1'")
    #expect(throws: Diagnostics.self) { try ConflictResolution(of: second.value, favoring: nil) }
  }

  @Test("An invalid mark is reported")
  func wrongMarks() throws {
    for mark in [#"3"#, #"[3]"#, #"[{}]"#, #"[{"at": "x"}]"#, #"[{"at": "", "mine": 1}]"#] {
      let file = try json(#"{"stream": [], "x-conflict": \#(mark)}"#)
      let error = #expect(throws: Diagnostics.self) { try StreamModel(json: file) }
      #expect(error?.all.first?.pointer.tokens.first == "x-conflict")
      #expect(throws: Diagnostics.self) { try ConflictResolution(of: file, favoring: nil) }
    }
  }

  @Test("A conflict has the three values and their places; a side can be favored")
  func conflict() throws {
    let (base, ours, theirs) = try (Self.file("c f1"), Self.file("f2"), Self.file("c f3"))
    let merge = try StreamMerge(base: base, ours: ours, theirs: theirs)
    let conflict = try #require(merge.conflicts.first)
    #expect(merge.conflicts.count == 1)
    #expect(conflict.message == "operator 1 (filter), expression: both sides have changed it to different values")
    #expect(conflict.base?.pointer.description == "/operators/1/filter/expression")
    #expect(conflict.ours?.pointer.description == "/operators/0/filter/expression")
    #expect(conflict.theirs?.value == "value > 3")
    #expect(merge.value == ours)
    let other = try StreamMerge(base: base, ours: ours, theirs: theirs, favoring: .theirs)
    let expected = try Self.file("f3")
    #expect(other.value == expected)
  }

  @Test("Fields that cannot be combined are a conflict of the operator")
  func fields() throws {
    func file(_ fields: String) throws -> Value {
      try json(#"{"stream": [], "operators": [{"output": {\#(fields)}}]}"#)
    }
    let merge = try StreamMerge(
      base: file(#""from": 1"#), ours: file(#""from": 5"#), theirs: file(#""from": 1, "through": 2"#))
    #expect(
      merge.conflicts.map(\.message) == ["operator 1 (output): the operator's fields are no longer compatible"])
  }

  @Test("Parts that both sides empty are removed")
  func emptied() throws {
    let (base, ours, theirs) = try (Self.file("f1 c"), Self.file("c"), Self.file("f1"))
    let merge = try StreamMerge(base: base, ours: ours, theirs: theirs)
    #expect(merge.conflicts == [])
    let expected = try json(#"{"stream": [{"value": 1}]}"#)
    #expect(merge.value == expected)
  }

  @Test("Tests of both sides are kept, wherever they are added")
  func tests() throws {
    func file(_ names: [String]) throws -> Value {
      let tests = names.map { #"{"name": "\#($0)", "expect": {"values": []}}"# }
      return try json(#"{"stream": [], "tests": [\#(tests.joined(separator: ","))]}"#)
    }
    let merge = try StreamMerge(base: file(["a"]), ours: file(["a", "b"]), theirs: file(["a", "c"]))
    let expected = try file(["a", "b", "c"])
    #expect(merge.conflicts == [])
    #expect(merge.value == expected)
  }
}
