import CEL
import Testing

/// The information about expressions for an editor.
@Suite struct ExpressionHelpTests {
  static let environment: ExpressionEnvironment = ExpressionEnvironment(variables: [
    Variable("value", .record([RecordField("tags", .list(.string)), RecordField("at", .timestamp)])),
    Variable("math", .int), Variable("open", .dyn),
  ])

  private func help(_ text: String) -> ExpressionHelp { ExpressionHelp(CELExpression(text), in: Self.environment) }

  static let completed: [(String, [String])] = [
    ("", ["value", "math", "open"]), ("value.", ["tags", "at"]), ("(value).", ["tags", "at"]),
    ("{'a': value}.a.", ["tags", "at"]), ("[value][0].", ["tags", "at"]), ("open ? value.", ["tags", "at"]),
    ("size(value.tags) + value.", ["tags", "at"]), ("value.tags.map(t, t).filter(u, u.", ["contains"]),
    ("value.tags.map(t, [t]).exists(u, u.exists(v, v.", ["contains"]),
    ("value.tags.exists(t, t == 'a' && ", ["t", "value"]),
    ("value.tags.exists(t, value.tags.exists(u, ", ["u", "t", "value"]),
    ("value.tags.transformList(i, t, ", ["t", "i", "value"]), ("cel.bind(n, value, n.", ["tags", "at"]),
    ("optional.of(value).", ["tags", "at", "hasValue"]), ("[1, value.tags.exists(t, t.", ["contains"]),
    // Half a list and half a map.
    ("[value.", ["tags"]), ("{'k': value.", ["tags"]), ("!value.", ["tags"]), ("-math + value.", ["tags"]),
    ("value.tags[", ["value"]), ("strings.", ["quote"]), ("'text.", []), ("1 ", ["in"]), ("12", []),
    ("value.)", ["in"]),
  ]

  @Test("Possible continuations are offered, the nearest first", arguments: completed)
  func isCompleted(_ text: String, _ expected: [String]) {
    let names = help(text).candidates(at: text.utf8.count).all.map(\.name)
    if expected.isEmpty { #expect(names == []) }
    #expect(Array(names.prefix(expected.count)) == expected, "\(text)")
  }

  @Test("Behind the name of a variable come its members, though functions begin with the same name")
  func namespaces() {
    let names = help("math.").candidates(at: 5).all.map(\.name)
    #expect(!names.contains("greatest"))
    let others = ExpressionHelp("math.", in: ExpressionEnvironment()).candidates(at: 5).all.map(\.name)
    #expect(others.contains("greatest"))
    #expect(!others.contains("exists"))
    #expect(help("math.abs(1)").part(at: 6) == nil)
    #expect(ExpressionHelp("math.abs(1)", in: ExpressionEnvironment()).part(at: 6)?.text == "math.abs")
  }

  @Test("Methods are those of the type, all of them where the type is not known")
  func methods() {
    let ofTimestamp = Set(help("value.at.").candidates(at: 9).all.map(\.name))
    #expect(ofTimestamp.contains("getHours") && !ofTimestamp.contains("startsWith") && !ofTimestamp.contains("map"))
    let ofAnything = Set(help("open.").candidates(at: 5).all.map(\.name))
    #expect(ofAnything.isSuperset(of: ofTimestamp) && ofAnything.contains("startsWith") && ofAnything.contains("map"))
  }

  @Test("The text before and after the cursor is replaced")
  func replaced() {
    #expect(help("value.ta + 1").candidates(at: 7).replaced == 6..<8)
    #expect(help("value").candidates(at: 0).replaced == 0..<5)
  }

  static let known: [(String, Int, String)] = [
    ("value.tags", 2, "value: {tags: list(string), at: timestamp}"), ("value.tags", 7, "tags: list(string)"),
    ("value.tags.exists(t, t == 'a')", 21, "t: string"), ("value.tags.exists(t, t == 'a')", 13, "exists: bool"),
    ("value.tags.map(t, [t])", 12, "map: list(list(string))"), ("value.tags[0]", 10, "[: string"),
    ("size(value.tags) > 1", 0, "size: int"), ("size(value.tags) > 1", 17, ">: bool"), ("'text'", 1, "'text': string"),
    ("!open", 0, "!: bool"), ("open ? 1 : 2", 5, "?: int"),
    ("value.nothing", 8, "nothing: dyn"), ("value +", 0, "value: nothing"),
  ]

  @Test("A word or a sign is known by its type", arguments: known)
  func isKnown(_ text: String, _ offset: Int, _ expected: String) throws {
    let part = try #require(help(text).part(at: offset))
    #expect("\(part.text): \(part.type.map { "\($0)" } ?? "nothing")" == expected)
  }

  @Test("Every function and macro is described, wherever it appears")
  func isComplete() {
    for entry in FunctionCatalogue.entries() where entry.name.first?.isLetter == true && entry.name != "in" {
      let signature = entry.signatures.first { !$0.isMember } ?? entry.signatures[0]
      let text = signature.isMember ? "x.\(entry.name)()" : "\(entry.name)()"
      let part = ExpressionHelp(CELExpression(text), in: ExpressionEnvironment()).part(at: text.utf8.count - 3)
      #expect(part?.summary == entry.summary, "\(text)")
      #expect(part?.forms.isEmpty == false)
    }
    for macro in FunctionCatalogue.macros {
      let text = (macro.isMember ? macro.name == "bind" ? "cel." : "x." : "") + macro.name + "()"
      let part = ExpressionHelp(CELExpression(text), in: ExpressionEnvironment()).part(at: text.utf8.count - 3)
      #expect(part?.summary != nil, "\(text)")
    }
  }

  @Test("No text and no place is too much")
  func anything() {
    let pieces = [
      "value", ".", "tags", "(", ")", "[", "]", "{", "}", ",", "exists", "x", "'", "\"", "1", "?", ":", "+", "é", " ",
    ]
    var state: UInt64 = 7
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    for _ in 0..<3_000 {
      let text = (0..<random(14)).map { _ in pieces[random(pieces.count)] }.joined()
      let offset = random(text.utf8.count + 3) - 1
      let (replaced, _) = help(text).candidates(at: offset)
      #expect(replaced.lowerBound >= 0 && replaced.upperBound <= text.utf8.count)
      if let part = help(text).part(at: offset) { #expect(part.range.contains(offset) || part.range.upperBound > 0) }
    }
    let deep = String(repeating: "(", count: 50_000)
    #expect(!help(deep).candidates(at: 50_000).all.isEmpty)
  }
}
