import StreamCore
import StreamKit
import StreamTools
import TestSupport
import Testing

/// Parameters, definitions, types and outputs by their names.
@Suite struct DeclaredNameTests {
  static let file = #"""
    {"parameters": {"quiet": {"type": "double", "default": 5, "description": "Silence."}, "n": {"type": "int", "default": 3}, "mode": {"type": {"enum": ["drop", "flush"]}, "default": "drop"}},
     "types": {"Point": {"x": "double"}},
     "definitions": {"smooth": {"description": "Smooths.", "parameters": {"window": {"type": "int"}, "quiet": {"type": "double", "default": 1}}, "operators": [{"nwise": {"count": {"parameter": "window"}}}, {"map": {"expression": "value.map(quietly, quietly.x * quiet + double(window))"}}]}},
     "inputs": {"a": {"type": "Point"}, "l": {"type": "list(Point?)"}},
     "source": {"input": {"name": "a"}},
     "operators": [{"debounce": {"seconds": {"parameter": "quiet"}}}, {"scan": {"initialValue": {"parameter": "n"}, "expression": "acc"}}, {"apply": {"definition": "smooth", "window": {"parameter": "n"}}}, {"filter": {"expression": "value.exists(n, n > quiet) || index > n"}}•],
     "tests": [{"name": "t", "parameters": {"quiet": 1, "n": 2}, "inputs": {"a": {"values": []}}, "expect": {"values": []}}]}
    """#

  /// The file with the cursor before the n-th occurrence of a piece.
  private func marked(_ piece: String, _ number: Int = 0) -> MarkedText {
    let text = Self.file.filter { $0 != "•" }
    let places = text.ranges(of: piece)
    return MarkedText(text[..<places[number].lowerBound] + "¦" + text[places[number].lowerBound...])
  }

  /// The file with further operators that contain the cursor.
  private func adding(_ operators: String, loader: (any StreamLoader)? = nil) -> MarkedText {
    MarkedText(String(Self.file.flatMap { $0 == "•" ? ", \(operators)" : String($0) }), loader: loader)
  }

  /// Places, and the number of places of the same name.
  static let names: [(String, Int, String, Int)] = [
    ("\"quiet\": {", 0, "quiet", 4), ("\"quiet\"}", 0, "quiet", 4), ("quiet) ||", 0, "quiet", 4),
    ("\"quiet\": 1", 0, "quiet", 4), ("\"quiet\": {", 1, "quiet", 2), ("quiet + double", 0, "quiet", 2),
    ("window)", 0, "window", 4), ("\"window\": {\"par", 0, "window", 4), ("\"n\"}, \"expr", 0, "n", 5),
    ("n\"}}", 0, "n", 5), ("\"smooth\", ", 0, "smooth", 2), ("Point\"}", 0, "Point", 3), ("Point?", 0, "Point", 3),
  ]

  @Test("A name leads to its declaration, and all its places are found", arguments: names)
  func places(_ piece: String, _ number: Int, _ name: String, _ count: Int) throws {
    let text = marked(piece, number)
    let definition = try #require(text.document.definition(at: text.offset), "\(piece)")
    #expect(text.text(definition) == "\"\(name)\"")
    let references = text.document.references(at: text.offset)
    #expect(references.count == count, "\(piece)")
    for reference in references {
      #expect(text.document.references(at: reference.lowerBound) == references, "\(text.text(reference))")
      #expect(text.text(reference).filter { $0 != "\"" } == name)
    }
  }

  @Test("Renaming changes all places, in expressions and types without quotation marks")
  func rename() throws {
    for (piece, number, name, new) in [
      ("quiet) ||", 0, "quiet", "calm"), ("window)", 0, "window", "width"), ("\"smooth\", ", 0, "smooth", "a b"),
      ("Point?", 0, "Point", "Spot"), ("\"n\"}, \"expr", 0, "n", "count2"),
    ] {
      let text = marked(piece, number)
      #expect(text.document.renamable(at: text.offset)?.name == name)
      let edits = try text.document.rename(at: text.offset, to: new)
      let renamed = MarkedText.text(text.document.text.bytes, after: edits)
      #expect(renamed != String(decoding: text.document.text.bytes, as: UTF8.self))
      #expect(problems(renamed).count == problems(Self.file.filter { $0 != "•" }).count, "\(new)")
      // Renaming leads back to the old text.
      let back = MarkedText(renamed)
      let again = try back.document.rename(at: edits[0].range.lowerBound, to: name)
      #expect(MarkedText.text(back.document.text.bytes, after: again).utf8.elementsEqual(text.document.text.bytes))
    }
  }

  /// New names that would change the meaning.
  static let refused: [(String, Int, String, String)] = [
    ("\"quiet\": {", 0, "n", "there already is a parameter 'n'"),
    ("\"quiet\": {", 0, "a", "there already is an input 'a'"), ("\"quiet\": {", 0, "a b", "is not a name"),
    ("\"quiet\": {", 0, "value", "cannot name a parameter"),
    ("quiet + double", 0, "quietly", "already has another meaning"),
    ("window)", 0, "quiet", "there already is a parameter"), ("Point\"}", 0, "point", "begins with a capital letter"),
    ("\"window\": {", 0, "mode", ""),
  ]

  @Test("A name that would mean something else is refused", arguments: refused)
  func isRefused(_ piece: String, _ number: Int, _ new: String, _ message: String) {
    let text = marked(piece, number)
    do {
      _ = try text.document.rename(at: text.offset, to: new)
      #expect(message == "", "\(new) was taken")
    } catch {
      #expect(message != "" && error.message.contains(message), "\(error.message)")
    }
  }

  static let files = FilesInMemory(files: [
    "in.json": #"""
    {"parameters": {"factor": {"type": "double", "default": 2, "description": "Multiplies."}, "unit": {"type": "string"}},
     "inputs": {"x": {"type": "double"}, "y": {}}, "source": {"input": {"name": "x"}}, "operators": []}
    """#,
    "outs.json":
      #"{"inputs": {"x": {}}, "outputs": {"big": {"stream": "x", "type": "int"}, "small": {"stream": "x"}}}"#,
  ])

  /// Operators, and what is offered at the cursor.
  static let offered: [(String, [String])] = [
    (#"{"debounce": {"seconds": {"parameter": "¦"}}}"#, ["quiet", "n"]),
    (#"{"debounce": {"seconds": ¦}}"#, ["quiet", "n"]),
    (#"{"debounce": {"seconds": {¦}}}"#, ["parameter"]),
    (#"{"debounce": {"seconds": 1, "onFinish": {"parameter": "¦"}}}"#, ["mode"]),
    (#"{"debounce": {"seconds": 1, "onFinish": ¦}}"#, ["drop", "flush", "mode"]),
    (#"{"collect": {"count": {"parameter": "¦"}}}"#, ["n"]),
    (#"{"scan": {"initialValue": {"parameter": "¦"}}}"#, ["quiet", "n", "mode"]),
    (#"{"apply": {¦}}"#, ["definition", "file"]), (#"{"apply": {"definition": "¦"}}"#, ["smooth"]),
    (#"{"apply": {"definition": "smooth", ¦}}"#, ["window", "quiet"]),
    (#"{"apply": {"definition": "smooth", "window": 2, ¦}}"#, ["quiet"]),
    (#"{"apply": {"definition": "smooth", "quiet": ¦}}"#, ["1", "quiet", "n"]),
    (#"{"apply": {"file": "in.json", ¦}}"#, ["factor", "unit", "inputs"]),
    (#"{"merge": {"with": [{"source": {"stream": {"file": "in.json", "inputs": {¦}}}}]}}"#, ["x", "y"]),
    (#"{"merge": {"with": [{"source": {"stream": {"file": "in.json", "inputs": {"x": "¦"}}}}]}}"#, ["a", "l"]),
    (#"{"merge": {"with": [{"source": {"stream": {"file": "in.json", "parameters": {¦}}}}]}}"#, ["factor", "unit"]),
    (#"{"merge": {"with": [{"source": {"stream": {"file": "outs.json", "output": "¦"}}}]}}"#, ["big", "small"]),
    (#"{"filter": {"expression": "¦"}}"#, ["value", "index", "quiet", "n", "mode"]),
  ]

  @Test("The names that fit are offered", arguments: offered)
  func isOffered(_ operators: String, _ expected: [String]) {
    let labels = adding(operators, loader: Self.files).labels
    #expect(Array(labels.prefix(expected.count)) == expected, "\(operators)")
    if !operators.contains("expression"), !labels.contains("parameter") { #expect(labels == expected) }
  }

  @Test("Within a definition its own parameters come first, and expressions have the types of its first use")
  func withinDefinition() {
    let text = MarkedText(
      #"""
      {"parameters": {"p": {"type": "int", "default": 1}}, "definitions": {"d": {"parameters": {"q": {"type": "int"}},
       "operators": [{"map": {"expression": "value.¦"}}, {"collect": {"count": {"parameter": "q"}}}]}},
       "inputs": {"a": {"type": {"mag": "double"}}}, "source": {"input": {"name": "a"}},
       "operators": [{"apply": {"definition": "d", "q": 3}}]}
      """#)
    #expect(text.labels.first == "mag")
    let inner = MarkedText(
      #"""
      {"parameters": {"p": {"default": 1}}, "definitions": {"d": {"parameters": {"q": {"type": "int"}},
       "operators": [{"collect": {"count": {"parameter": "¦"}}}]}}, "stream": []}
      """#)
    #expect(inner.labels == ["q", "p"])
  }

  /// Places, and pieces of the information there.
  static let told: [(String, Int, [String])] = [
    ("\"quiet\"}", 0, ["**Parameter `quiet`**: `double`", "Silence.", "Default `5`."]),
    ("quiet) ||", 0, ["**Parameter `quiet`**: `double`"]), ("quiet + double", 0, ["Default `1`."]),
    ("\"window\": {\"par", 0, ["**Parameter `window`**: `int`", "required"]),
    ("\"smooth\", ", 0, ["**Definition `smooth`**", "Smooths.", "- `window`: `int` (required)", "`nwise` → `map`"]),
    ("Point?", 0, ["**Type `Point`**: `{x: double}`"]),
    ("n > quiet", 0, ["n: "]),
  ]

  @Test("A name has the description of its declaration", arguments: told)
  func isTold(_ piece: String, _ number: Int, _ pieces: [String]) {
    let text = marked(piece, number)
    let hover = text.document.hover(at: text.offset)
    for piece in pieces { #expect(hover?.text.contains(piece) == true, "\(piece) in \(hover?.text ?? "nothing")") }
  }

  @Test("Names of another file have its descriptions, and lead to it")
  func otherFiles() {
    for (operators, piece) in [
      (#"{"apply": {"file": "in.json", "¦factor": 2}}"#, "Multiplies."),
      (#"{"merge": {"with": [{"source": {"stream": {"file": "in.json", "inputs": {"¦x": "a"}}}}]}}"#, "**Input `x`**"),
    ] {
      let text = adding(operators, loader: Self.files)
      #expect(text.document.hover(at: text.offset)?.text.contains(piece) == true)
      #expect(text.document.fileReference(at: text.offset) == "in.json")
    }
    let apply = adding(#"{"apply": {"file": "¦in.json"}}"#)
    #expect(apply.document.fileReference(at: apply.offset) == "in.json")
    #expect(apply.document.fileReferences.map(\.path) == ["in.json"])
  }

  @Test("Outputs are offered where a test expects their values, and lead to their declarations")
  func outputs() throws {
    let start = #"{"inputs": {"a": {}}, "outputs": {"big": {"stream": "a"}, "small": {"stream": "a"}}, "#
    #expect(MarkedText(start + #""tests": [{"name": "t", "expect": {"outputs": {¦}}}]}"#).labels == ["big", "small"])
    let use = MarkedText(start + #""tests": [{"name": "t", "expect": {"outputs": {"¦big": {"values": []}}}}]}"#)
    #expect(use.document.references(at: use.offset).count == 2)
  }

  @Test("Parameters, types and definitions with their operators are parts of a file")
  func symbols() {
    let symbols = marked("\"quiet\"").document.symbols
    #expect(symbols.map(\.kind).prefix(5) == [.parameter, .parameter, .parameter, .type, .definition])
    #expect(symbols[4].children.map(\.name) == ["window", "quiet", "nwise", "map"])
    #expect(symbols.first { $0.name == "apply" }?.detail == "smooth")
  }

  @Test("The clock of an input, types and enumerations are offered and described")
  func declarations() {
    #expect(MarkedText(#"{"inputs": {"a": {"time": {¦}}}}"#).labels.prefix(3) == ["expression", "unit", "lateness"])
    let time =
      #"{"parameters": {"p": {"default": 1}}, "inputs": {"a": {"type": {"t": "int"}, "time": {"expression": "¦"}}}}"#
    #expect(MarkedText(time).labels.prefix(2) == ["value", "p"])
    let types = #"{"types": {"Point": {"x": "int"}}, "inputs": {"a": {"type": "¦"}}}"#
    #expect(MarkedText(types).labels.prefix(2) == ["Point", "any"])
    #expect(MarkedText(#"{"inputs": {"a": {"type": {¦}}}}"#).labels == ["enum"])
    let choice = MarkedText(#"{"types": {"P": {"¦enum": ["a"]}}}"#)
    #expect(choice.document.hover(at: choice.offset)?.text.contains("values of an enumeration") == true)
    let lateness = MarkedText(#"{"inputs": {"a": {"time": {"expression": "1", "late¦ness": 2}}}}"#)
    #expect(lateness.document.hover(at: lateness.offset)?.text.contains("out of order") == true)
  }
}
