internal import StreamCore
internal import StreamKit

/// The catalogue as a page of Markdown: what `Documentation/Operators.md` is.
struct CataloguePage {
  let entries: [CatalogueEntry]

  private static let introduction = """
    # Operators and sources

    Made by `streamrun operators --format markdown` from the tables that the program itself reads; a test keeps it so.
    `streamrun operators NAME` tells the same of one of them.

    A source stands under `source`, an operator in a list `operators`: `{"debounce": {"seconds": 0.25}}`. A field without
    *required* may be left out. A *stream* in a field is the name of a stream or of an input, or a whole model in place.
    What holds for all of them stands in [Semantics.md](Semantics.md).

    The pictures show time from left to right, a character a frame of a millisecond: `-` nothing happens, a letter is a
    value (what it stands for is said below the picture, else it stands for its own text), `|` the end, `#` a failure,
    `(ab)` one instant, drawn over as many frames as it has characters, `[ab]` one instant of one frame; all of it stands
    in [Format.md](Format.md#tests). `in` is what comes in, or `a`, `b`, `c` where there are several inputs; `out` is what
    comes out. What is refused is shown with the code of the error and its place.
    Every example is a test.
    """

  /// The whole page: contents, then family by family.
  var text: String {
    let families = OperatorFamily.allCases.map { family in (family, entries.filter { $0.family == family }) }
      .filter { !$0.1.isEmpty }
    var parts = [Self.introduction, "## Contents"]
    for (family, members) in families {
      parts.append("[\(family.title)](#\(Self.anchor(family.title))): \(family.purpose)")
      let rows = members.map {
        "| [`\($0.spec.name)`](#\(Self.anchor($0.spec.name))) | \(Self.cell($0.spec.summary)) |"
      }
      parts.append((["| name | does |", "| --- | --- |"] + rows).joined(separator: "\n"))
    }
    for (family, members) in families {
      parts.append("## \(family.title)")
      parts += members.map(Self.section)
    }
    return parts.joined(separator: "\n\n")
  }

  /// All that is known of one operator or source.
  static func section(_ entry: CatalogueEntry) -> String {
    var parts = ["### \(entry.spec.name)", entry.spec.summary]
    if !entry.spec.fields.isEmpty {
      let rows = entry.spec.fields.map { field in
        "| `\(field.name)` | \(cell(kind(of: field, in: entry.spec))) | \(cell(field.text)) |"
      }
      parts.append((["| field | holds | |", "| --- | --- | --- |"] + rows).joined(separator: "\n"))
    }
    if let memory = entry.memory { parts.append("Keeps \(memory).") }
    if let work = entry.spec.work { parts.append(work) }
    parts += entry.spec.examples.map(example)
    return parts.joined(separator: "\n\n")
  }

  private static func kind(of field: FieldSpec, in spec: OperatorSpec) -> String {
    var text = spec.expectation(of: field)
    if case .expression(let variables) = field.kind {
      // A name in parentheses stands for what the file itself names.
      let names = variables.map { $0.hasPrefix("(") ? "the \($0.filter(\.isLetter))" : "`\($0)`" }
        .joined(separator: ", ")
      text = names.isEmpty ? "an expression" : "an expression over \(names)"
    }
    return field.isRequired ? "\(text); *required*" : text
  }

  private static func example(_ example: OperatorExample) -> String {
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
    let title = if case .rejects = example.outcome { "refused, \(example.title)" } else { example.title }
    return "\(sentence(title)):\n\n" + lines.joined(separator: "\n")
  }

  private static func sentence(_ title: String) -> String { title.prefix(1).uppercased() + title.dropFirst() }

  /// A text that does not end the cell of a table.
  private static func cell(_ text: String) -> String {
    String(text.flatMap { $0 == "|" ? ["\\", "|"] : [$0] })
  }

  /// The anchor that a heading is given.
  private static func anchor(_ heading: String) -> String {
    heading.lowercased().map { $0 == " " ? "-" : String($0) }.joined()
  }
}

extension OperatorFamily {
  /// The heading. No operator and no source has the same name.
  fileprivate var title: String {
    switch self {
    case .source: "Sources"
    case .transform: "Transforming"
    case .select: "Selecting"
    case .summarize: "Summarizing"
    case .time: "Time and rate"
    case .combine: "Combining and sharing"
    case .failures: "Failures and repetition"
    case .watch: "Watching"
    }
  }

  /// What those of the family are for, after a colon.
  fileprivate var purpose: String {
    switch self {
    case .source: "where values come from."
    case .transform: "values become other values, or start streams of their own."
    case .select: "some values pass, others do not."
    case .summarize: "many values become one, at the end or as soon as it is known."
    case .time: "when values come out."
    case .combine: "several streams become one, or one is heard by several."
    case .failures: "what becomes of a failure, of an end without values, and of an end as such."
    case .watch: "what passes is told, and nothing changes."
    }
  }
}
