import StreamCore
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// The short form of streams, which `-e` takes.
@Suite struct ShortFormTests {
  /// One-liners in their canonical form, and the JSON that they are short for.
  static let pairs: [(String, String)] = [
    (
      #"filter(value.mag >= 4.5) | map({"m": value.mag}) | count()"#,
      #"{"inputs":{"input":{}},"source":{"input":{"name":"input"}},"operators":[{"filter":{"expression":"value.mag >= 4.5"}},{"map":{"expression":"{\"m\": value.mag}"}},{"count":{}}]}"#
    ),
    (
      "range(1, 5) | map(value * 2)",
      #"{"source":{"range":{"from":1,"through":5}},"operators":[{"map":{"expression":"value * 2"}}]}"#
    ),
    (
      "input(a) | merge(b, (range(1, 3) | delay(0.5)))",
      #"{"inputs":{"a":{},"b":{}},"source":{"input":{"name":"a"}},"operators":[{"merge":{"with":["b",{"source":{"range":{"from":1,"through":3}},"operators":[{"delay":{"seconds":0.5}}]}]}}]}"#
    ),
    (
      "[1, {\"a\": [true, null]} | delay(1), \"x\"]",
      #"{"stream":[{"value":1},{"value":{"a":[true,null]},"operators":[{"delay":{"seconds":1}}]},{"value":"x"}]}"#
    ),
    (
      "groupBy(value.user, (scan(acc + value.n, initialValue: 0) | last()), limit: 100)",
      #"{"inputs":{"input":{}},"source":{"input":{"name":"input"}},"operators":[{"groupBy":{"key":"value.user","operators":[{"scan":{"initialValue":0,"expression":"acc + value.n"}},{"last":{}}],"limit":100}}]}"#
    ),
    (
      "input(a) | partition(value.k, time: value.t, lateness: 2, late: drop) | count()",
      #"{"inputs":{"a":{}},"source":{"input":{"name":"a"}},"partition":{"key":"value.k","time":"value.t","lateness":2,"late":"drop"},"operators":[{"count":{}}]}"#
    ),
    (
      "input(input)",
      #"{"inputs":{"input":{}},"source":{"input":{"name":"input"}}}"#
    ),
    (
      "just('a' + \"b|c)\")", #"{"source":{"just":{"expression":"'a' + \"b|c)\""}}}"#
    ),
    ("just(expression: 'text')", #"{"source":{"just":{"expression":"'text'"}}}"#),
    ("just(expression: 5)", #"{"source":{"just":{"expression":"5"}}}"#),
    ("just({\"a\": 1.0})", #"{"source":{"just":{"value":{"a":1.0}}}}"#),
    (
      "timer(0.1, count: 3) | debounce(stream: (just(1)), onFinish: flush)",
      #"{"source":{"timer":{"every":0.1,"count":3}},"operators":[{"debounce":{"stream":{"source":{"just":{"value":1}}},"onFinish":"flush"}}]}"#
    ),
    (
      "never() | zip(a, names: [x, \"a b\"]) | share(resetOnFinish: true, resetWhenUnused: b)",
      #"{"inputs":{"a":{},"b":{}},"source":{"never":{}},"operators":[{"zip":{"with":["a"],"names":["x","a b"]}},{"share":{"resetOnFinish":true,"resetWhenUnused":"b"}}]}"#
    ),
    (
      "input(a) | acme.smooth(factor: 0.5, \"of x\": [1], onError: skip) | map(value, id: total, label: \"A sum\")",
      #"{"inputs":{"a":{}},"source":{"input":{"name":"a"}},"operators":[{"acme.smooth":{"factor":0.5,"of x":[1]},"onError":"skip"},{"map":{"expression":"value"},"id":"total","label":"A sum"}]}"#
    ),
    (
      "map(value.x == 1 || value.y ? 'a' : [1, 2].map(x, {'k': x})[0].k)",
      #"{"inputs":{"input":{}},"source":{"input":{"name":"input"}},"operators":[{"map":{"expression":"value.x == 1 || value.y ? 'a' : [1, 2].map(x, {'k': x})[0].k"}}]}"#
    ),
    ("[]", #"{"stream":[]}"#),
    (
      "retryWhen(()) | window(()) | print(label: \"a, b\")",
      #"{"inputs":{"input":{}},"source":{"input":{"name":"input"}},"operators":[{"retryWhen":{"operators":[]}},{"window":{"operators":[]}},{"print":{"label":"a, b"}}]}"#
    ),
  ]

  private func value(of text: String) throws -> Value {
    try ShortForm.document(of: SourceText(file: "-e", text: text)).value
  }

  @Test("A one-liner is short for a stream file", arguments: pairs)
  func reads(_ text: String, _ json: String) throws {
    #expect(JSONWriter.compact(try value(of: text)) == json)
  }

  @Test("A model is printed in its canonical short form", arguments: pairs)
  func writes(_ text: String, _ json: String) throws {
    // An array of operators that needs elements is refused by the model.
    guard let model = try? StreamModel(parsing: json) else { return }
    let printed = try ShortForm.text(of: model)
    #expect(printed == (text.contains("print(label") ? text.replacing("label: ", with: "") : text))
  }

  /// Other spellings, with the canonical one.
  static let spellings: [(String, String)] = [
    ("count", "count()"), ("  filter( value>1 )|count  ", "filter(value>1) | count()"),
    ("filter(expression: value > 1)", "filter(value > 1)"), ("range(through: 5, from: 1)", "range(1, 5)"),
    ("merge(range(1, 3), b | map(1))", ""), ("merge(range(1, 3) | map(1), b)", "merge((range(1, 3) | map(1)), b)"),
    ("merge(with: [b, (never)])", "merge(b, (never()))"), ("debounce(300ms)", "debounce(0.3)"),
    ("debounce(5us)", "debounce(5e-06)"), ("debounce(7MIN)", "debounce(420)"),
    ("delay(2m)", "delay(120)"), ("input('a b') | print('it''s')", ""),
    ("print('it\\'s \"x\"')", "print(\"it's \\\"x\\\"\")"),
    ("groupBy(value, count())", "groupBy(value, (count()))"), ("switchMap(just(outer))", "switchMap((just(outer)))"),
    ("range(1, 5) |\n  map(value)", "range(1, 5) | map(value)"), ("switchMap([1, 2])", "switchMap(([1, 2]))"),
    ("throttle(1, edges: \"leading\")", "throttle(1, edges: leading)"),
    ("map( value // twice\n * 2 )", "map(value // twice\n * 2)"),
    ("map(value * 2 // twice\n)", "map(value * 2)"),
  ]

  @Test("Other spellings become the canonical one", arguments: spellings)
  func normalizes(_ text: String, _ canonical: String) throws {
    guard !canonical.isEmpty else {
      #expect(throws: Diagnostics.self) { try value(of: text) }
      return
    }
    let printed = try ShortForm.text(of: StreamModel(json: try value(of: text)))
    #expect(printed == canonical)
    #expect(try ShortForm.text(of: StreamModel(json: try value(of: printed))) == printed)
  }

  /// Parts without a short form, and their places.
  static let unsayable: [(String, String)] = [
    (#""source":{"just":{"value":1}},"name":"x""#, "/name"),
    (#""source":{"just":{"value":1}},"tests":[{"name":"a","expect":{"values":[1]}}]"#, "/tests"),
    (#""source":{"just":{"value":1}},"x-note":1"#, "/x-note"),
    (#""source":{"just":{"value":1}},"format":1"#, "/format"),
    (#""source":{"just":{"value":1,"x-note":1}}"#, "/source/just/x-note"),
    (#""source":{"x-note":1,"just":{"value":1}}"#, "/source/x-note"),
    (#""streams":{"b":{"source":{"just":{"value":1}}}},"source":{"stream":{"name":"b"}}"#, "/streams"),
    (#""inputs":{"a":{"type":"int"}},"source":{"input":{"name":"a"}}"#, "/inputs/a/type"),
    (#""inputs":{"a":{"initialValue":0}},"source":{"input":{"name":"a"}}"#, "/inputs/a/initialValue"),
    (#""inputs":{"a":{},"b":{}},"source":{"input":{"name":"a"}}"#, "/inputs/b"),
    (#""source":{"just":{"value":1}},"operators":[{"map":{"expression":" value"}}]"#, "/operators/0/map/expression"),
    (
      #""source":{"just":{"value":1}},"operators":[{"map":{"expression":"value // x"}}]"#,
      "/operators/0/map/expression"
    ),
    (#""source":{"just":{"value":1}},"operators":[{"x-note":1,"count":{}}]"#, "/operators/0/x-note"),
    (#""source":{"just":{"value":1}},"operators":[{"count":{"x-note":1}}]"#, "/operators/0/count/x-note"),
    (#""source":{"just":{"value":1}},"operators":[{"label":"a","print":{}}]"#, "/operators/0/label"),
    (#""source":{"just":{"value":1}},"operators":[{"acme.x":{"id":1}}]"#, "/operators/0/acme.x/id"),
    (#""source":{"just":{"value":1}},"operators":[{"acme.x":5}]"#, "/operators/0"),
    (#""stream":[{"value":1,"x-a":1}]"#, "/stream/0/x-a"),
    (
      #""source":{"just":{"value":1}},"operators":[{"merge":{"with":[{"name":"n","source":{"never":{}}}]}}]"#,
      "/operators/0/merge/with/0/name"
    ),
    (#""inputs":{"a":{}},"outputs":{"o":{"stream":"a"}}"#, "/outputs"),
  ]

  @Test("A part without a short form is refused at its place", arguments: unsayable)
  func refuses(_ members: String, _ place: String) throws {
    let model = try StreamModel(parsing: "{\(members)}")
    let error = #expect(throws: Diagnostic.self) { try ShortForm.text(of: model) }
    #expect(error?.pointer.description == place)
    #expect(error?.message.hasSuffix("has no short form") == true)
  }

  @Test("Every operator and source has a short form: the examples of the catalogue")
  func catalogue() throws {
    var count = 0
    for spec in Source.table.map(\.spec) + Operator.table.map(\.spec) {
      for example in spec.examples {
        guard case .marbles = example.outcome else { continue }
        let part = try JSONDocument(reading: example.json, file: "example").value
        let isSource = Source.table.contains { $0.spec.name == spec.name }
        let json: Value = isSource ? ["source": part] : ["source": ["input": ["name": "a"]], "operators": [part]]
        let model = try StreamModel(json: ShortFormModels.declaringInputs(json))
        let text = try ShortForm.text(of: model)
        #expect(try StreamModel(json: value(of: text)) == model, "\(text)")
        count += 1
      }
    }
    #expect(count > 250)
  }

  @Test("Names of sources and operators differ, and no field but 'label' of print is named as a member beside it")
  func names() {
    let sources = Set(Source.table.map(\.spec.name))
    #expect(sources.isDisjoint(with: Operator.table.map(\.spec.name)))
    for spec in Operator.table.map(\.spec) where spec.name != "print" {
      #expect(Set(spec.fields.map(\.name)).isDisjoint(with: ["id", "label", "onError"]), "\(spec.name)")
    }
  }

  @Test("Random models are read from their short form as they were", arguments: 0..<10)
  func random(_ part: Int) throws {
    let count = PropertyCount.isLong ? 10_000 : 200
    var models = ShortFormModels(seed: UInt64(part))
    var texts: Set<String> = []
    for _ in 0..<count {
      let model = models.next()
      let text = try ShortForm.text(of: model)
      let copy = try StreamModel(json: value(of: text))
      #expect(copy == model, "\(text)")
      #expect(try ShortForm.text(of: copy) == text)
      texts.insert(text)
    }
    #expect(texts.count > count / 2)
  }
}
