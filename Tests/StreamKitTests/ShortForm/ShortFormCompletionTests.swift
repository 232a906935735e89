import StreamCore
import Testing

@testable import StreamKit

/// The completions of a one-liner while it is written.
@Suite struct ShortFormCompletionTests {
  /// Texts, the begun word, and what is offered first.
  static let offered: [(String, String, [String])] = [
    ("coun", "coun", ["count("]), ("filter(value > 1) | coun", "coun", ["count("]),
    ("filt", "filt", ["filter("]), ("tim", "tim", ["timeout("]),
    ("filter(value > 1)|tim", "tim", ["timeout("]), ("filter(value > 1) ", "", ["| "]),
    ("filter(value > 1)", "", [" | "]), ("window(sec", "sec", ["seconds: "]),
    ("debounce(1, onF", "onF", ["onFinish: "]), ("debounce(1, onFinish: ", "", ["drop", "flush"]),
    ("debounce(1, onFinish: fl", "fl", ["flush"]), ("debounce(1, ", "", ["stream: ", "onFinish: "]),
    ("scan(ac", "ac", ["acc"]), ("scan(acc + va", "va", ["value"]), ("filter(value.starts", "starts", ["startsWith("]),
    ("filter(value.a > 1 || val", "val", ["value"]), ("map({\"m\": va", "va", ["value"]),
    ("map({\"m\": value.m}) | removeD", "removeD", ["removeDuplicates("]),
    ("removeDuplicates(b", "b", ["by: "]), ("groupBy(value.k, (su", "su", ["sum("]),
    ("merge(tim", "tim", ["timer("]), ("merge((tim", "tim", ["timer("]),
    ("merge((timer(1, cou", "cou", ["count: "]), ("merge((timer(1) | coun", "coun", ["count("]),
    ("[1, 2, 3] | coun", "coun", ["count("]), ("timer(1, count: 5) | sc", "sc", ["scan("]),
  ]

  @Test("The word at the end is completed", arguments: offered)
  func completed(_ text: String, _ word: String, _ expected: [String]) {
    let (start, all) = ShortForm.completions(after: text)
    #expect(String(decoding: Array(text.utf8)[start...], as: UTF8.self) == word)
    #expect(Array(all.map(\.text).prefix(expected.count)) == expected)
  }

  @Test(
    "Nothing is offered within a literal, or behind an error",
    arguments: ["filter('va", "map(1) 5 va", "\u{0}", "filter(value))) | co"])
  func nothing(_ text: String) { #expect(ShortForm.completions(after: text).all.isEmpty) }

  @Test("Every operator and source is offered, and its name with its arguments is read")
  func all() {
    let names = Set(ShortForm.completions(after: "").all.map { $0.text.prefix { $0 != "(" } }.map(String.init))
    let specs = Operator.table.map(\.spec) + Source.table.map(\.spec) + [StreamModel.Partition.spec]
    #expect(names == Set(specs.map(\.name)))
    for spec in Operator.table.map(\.spec) {
      for field in spec.parts.fields {
        let offered = ShortForm.completions(after: "\(spec.name)(\(field.name)").all.map(\.text)
        #expect(offered.contains("\(field.name): "), "\(spec.name) \(field.name)")
      }
    }
  }

  @Test("Any beginning of a one-liner has an answer, and the word is within it")
  func prefixes() {
    let texts = [
      #"filter(value.mag >= 4.5) | map({"m": value.mag, 'n': [1, (2)]}) | groupBy(value.k, (sum(value.n) | last()), limit: 3)"#,
      "merge((timer(1.5, count: 5) | scan(acc + value)), b) | debounce(1, onFinish: flush) | removeDuplicates(by: value.x)",
      String(repeating: "merge((timer(1) | ", count: 100),
    ]
    for text in texts {
      for end in text.indices {
        let part = String(text[..<end])
        #expect(ShortForm.completions(after: part).start <= part.utf8.count)
      }
    }
  }
}
