internal import StreamCore
internal import StreamKit

/// The catalog as a Markdown page, stored as `Documentation/Operators.md`.
struct CataloguePage {
  let entries: [CatalogueEntry]

  private static let title = "# Operators and sources"

  private static let introduction = """
    The program generates this text from the tables with which it reads stream files.

    A source is the value of the key `source`; an operator is an element of an array `operators`, such as
    `{"debounce": {"seconds": 0.25}}`. Fields are optional unless they are marked *required*. A field of type *stream*
    takes the name of a stream or of an input, or a whole model.

    The examples are marble diagrams. Time runs from left to right, and each character is one frame of a millisecond: `-`
    is a frame without events, a letter is a value (its own text, unless the lines below the diagram define it), `|` is
    the completion and `#` a failure. `(ab)` is a group of events at one instant, drawn as wide as it is written; `[ab]`
    is a group that takes one frame. `in` is the upstream (`a`, `b`, `c` for several inputs), and `out` is the output of
    the operator. An example that is refused shows the error's code and its location. Every example is a test.
    """

  /// All families on one page: contents, then the sections.
  var text: String {
    var parts = [Self.title, Self.introduction, "## Contents"]
    for (family, members) in families {
      parts.append("[\(family.title)](#\(Self.anchor(family.title))): \(family.purpose)")
      parts.append(Self.contents(members, on: ""))
    }
    for (family, members) in families {
      parts.append("## \(family.title)")
      parts += members.map { Self.section($0) }
    }
    return parts.joined(separator: "\n\n")
  }

  /// The pages of the documentation, by file name: the index, then a page for each family.
  var files: [(name: String, text: String)] {
    let index =
      [
        Self.title, Self.introduction,
        """
        [Semantics](Semantics.md) has the rules that hold for all operators, and [Format](Format.md#tests) the syntax of
        marble diagrams. `streamrun operators NAME` prints the section of one operator.
        """,
      ]
      + families.flatMap { family, members in
        [
          "## \(family.title)", "\(Markdown.sentence(family.purpose)) [Fields and examples](\(family.file))",
          Self.contents(members, on: family.file),
        ]
      }
    let pages = families.map { family, members in
      let parts =
        [
          "# \(family.title)", Markdown.sentence(family.purpose),
          "[Operators and sources](Operators.md) lists the other families, and explains how to read the examples.",
          Self.contents(members, on: ""),
        ] + members.map { Self.section($0, heading: "##") }
      return (family.file, parts.joined(separator: "\n\n"))
    }
    return [("Operators.md", index.joined(separator: "\n\n"))] + pages
  }

  private var families: [(family: OperatorFamily, members: [CatalogueEntry])] {
    OperatorFamily.allCases.map { family in (family, entries.filter { $0.family == family }) }
      .filter { !$0.1.isEmpty }
  }

  /// A table of names and summaries; `page` is the page that the names link to.
  private static func contents(_ members: [CatalogueEntry], on page: String) -> String {
    Markdown.table(
      ["name", "summary"],
      members.map { ["[`\($0.name)`](\(page)#\(anchor($0.name)))", Markdown.cell($0.summary)] })
  }

  /// The section of one operator or source.
  static func section(_ entry: CatalogueEntry, heading: String = "###") -> String {
    var parts = ["\(heading) \(entry.spec.name)", entry.spec.summary]
    if !entry.spec.fields.isEmpty {
      parts.append(
        Markdown.table(
          ["field", "type", ""],
          entry.spec.fields.map { field in
            ["`\(field.name)`", Markdown.cell(kind(of: field, in: entry.spec)), Markdown.cell(field.text)]
          }))
    }
    if let memory = entry.memory { parts.append("Keeps \(memory).") }
    if let work = entry.spec.work { parts.append(work) }
    parts += entry.spec.examples.map(example)
    return parts.joined(separator: "\n\n")
  }

  private static func kind(of field: FieldSpec, in spec: OperatorSpec) -> String {
    var text = spec.expectation(of: field)
    if case .expression(let variables) = field.kind {
      // A name in parentheses represents names that the file defines.
      let names = variables.map { $0.hasPrefix("(") ? "the \($0.filter(\.isLetter))" : "`\($0)`" }
        .joined(separator: ", ")
      text = names.isEmpty ? "an expression" : "an expression over \(names)"
    }
    return field.isRequired ? "\(text); *required*" : text
  }

  private static func example(_ example: OperatorSpec.Example) -> String {
    var lines = ["```text", example.json]
    switch example.outcome {
    case .marbles(let inputs, let output):
      for (index, input) in inputs.enumerated() {
        lines.append("\(CatalogueEntry.inputName(index, of: inputs))   \(input)")
      }
      lines.append("out  \(output)")
      for (symbol, value) in example.values.sorted(by: { $0.key < $1.key }) {
        lines.append("\(symbol) = \(JSONWriter.compact(value))")
      }
    case .rejects(let code, let pointer):
      lines.append("error \(code.rawValue) (\(code)) at \(pointer)")
    }
    lines.append("```")
    let title = if case .rejects = example.outcome { "rejected: \(example.title)" } else { example.title }
    return "\(Markdown.sentence(title)):\n\n" + lines.joined(separator: "\n")
  }

  /// Returns the anchor of a heading.
  private static func anchor(_ heading: String) -> String {
    heading.lowercased().map { $0 == " " ? "-" : String($0) }.joined()
  }
}

extension OperatorFamily {
  /// The heading, which is also the title of the family's page. No operator and no source has the same name.
  fileprivate var title: String {
    switch self {
    case .source: "Sources"
    case .transform: "Transforming values"
    case .select: "Selecting values"
    case .summarize: "Summarizing values"
    case .time: "Time and rate"
    case .combine: "Combining and sharing streams"
    case .failures: "Failures and repetition"
    case .watch: "Watching a stream"
    }
  }

  /// The family's page in the documentation.
  var file: String {
    switch self {
    case .source: "Sources.md"
    case .transform: "TransformOperators.md"
    case .select: "SelectOperators.md"
    case .summarize: "SummarizeOperators.md"
    case .time: "TimeOperators.md"
    case .combine: "CombineOperators.md"
    case .failures: "FailureOperators.md"
    case .watch: "WatchOperators.md"
    }
  }

  /// One sentence about the family, which follows a colon.
  fileprivate var purpose: String {
    switch self {
    case .source: "the origins of values."
    case .transform: "operators that replace values by others, or start a stream for each value."
    case .select: "operators that publish some of the values."
    case .summarize: "operators that publish one result about all values."
    case .time: "operators that delay values or limit their rate."
    case .combine: "operators that join several streams, or share one between subscribers."
    case .failures: "operators that handle failures and empty streams, or subscribe again."
    case .watch: "operators that report events and publish them unchanged."
    }
  }
}
