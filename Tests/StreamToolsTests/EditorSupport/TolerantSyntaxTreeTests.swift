import StreamCore
import StreamTesting
import Testing

@testable import StreamKit
@testable import StreamTools

/// The tree that is made of any text.
@Suite struct TolerantSyntaxTreeTests {
  @Test("The tree of valid JSON has the reader's values and places")
  func wellFormed() throws {
    for seed in 0..<PropertyCount.cases(byDefault: 100) {
      var random = RandomModel(seed: seed)
      let value = random.value(depth: 4)
      let text = random.text(of: value)
      let document = try JSONDocument(reading: text, file: "")
      let tree = TolerantSyntaxTree(Array(text.utf8))
      #expect(tree.value == document.value, "\(text)")
      for node in tree.nodes.indices {
        let pointer = tree.pointer(to: node)
        #expect(tree.nodes[node].range == document.range(of: pointer), "\(pointer) of \(text)")
        #expect(tree.nodes[node].key?.range == document.place(at: pointer)?.key, "\(pointer) of \(text)")
        #expect(tree.node(at: pointer) == node)
      }
    }
  }

  /// Texts with something missing, and what is made of them.
  static let broken: [(String, Value)] = [
    (#"{"a": 1, "b"#, ["a": 1]), (#"{"a": "#, ["a": .null]), (#"{"a": "te"#, ["a": "te"]),
    (#"{"a": [1, 2"#, ["a": [1, 2]]), (#"{"a": {"b": 1, "c": {"#, ["a": ["b": 1, "c": [:]]]),
    ("{\"a\": \"te\n, \"b\": 2}", ["a": "te", "b": 2]), (#"{"a": 1 "b": 2}"#, ["a": 1, "b": 2]),
    (#"{"a": "b": 2}"#, ["a": .null, "b": 2]), (#"{a: 1, "b": tru}"#, ["a": 1, "b": .null]),
    (#"[{"a": {"b": 1}, {"c": 2}]"#, [["a": ["b": 1]], ["c": 2]]), (#"{"a": [1}, "b": 2}"#, ["a": [1], "b": 2]),
    (#"{"a": 1}, "b": 2}"#, ["a": 1, "b": 2]), (#"]{"a": 1}"#, ["a": 1]), (#"[1,,2,]"#, [1, 2]),
    (#"{"a": "\ud83d\ude00\q\u12"}"#, ["a": "😀qu12"]), ("", .null), ("\u{FEFF}[1]", [1]),
  ]

  @Test("Missing parts are added", arguments: broken)
  func isMended(_ text: String, _ expected: Value) {
    let value = TolerantSyntaxTree(Array(text.utf8)).value
    #expect(value == expected)
  }

  @Test("However deep brackets nest, there is a tree")
  func deep() {
    let text = String(repeating: #"{"a":["#, count: 100_000)
    let tree = TolerantSyntaxTree(Array(text.utf8))
    #expect(tree.nodes.count == 200_000)
    guard case .map = tree.value else {
      Issue.record("the root is no object")
      return
    }
  }

  @Test("A place in a string is found in the string that stands for it, escapes and all")
  func escapes() {
    let bytes = Array(#""a\n\u00e9\ud83d\ude00b""#.utf8)
    let text = TolerantText(bytes, 0..<bytes.count, isClosed: true)
    #expect(text.text == "a\né😀b")
    #expect(text.range(of: 1..<2) == 2..<4)
    #expect(text.range(of: 2..<4) == 4..<10)
    #expect(text.range(of: 4..<8) == 10..<22)
    #expect(text.range(of: 8..<9) == 22..<23)
    #expect([1, 2, 4, 10, 22, 23].map(text.place) == [0, 1, 2, 4, 8, 9])
  }

  @Test("Places for the cursor are taken out of snippets, and what looks like one is kept")
  func snippets() {
    let texts = [
      (#"{ "a": "$1", "b": ${2:1.5} }"#, #"{ "a": "", "b": 1.5 }"#), (#""${1|x,y|}""#, #""x""#),
      (SnippetText.escaped(#""$schema": {\}"#), #""$schema": {\}"#), ("$12$", "$"), ("${1", ""),
    ]
    for (snippet, expected) in texts { #expect(SnippetText.plain(snippet) == expected, "\(snippet)") }
  }
}
