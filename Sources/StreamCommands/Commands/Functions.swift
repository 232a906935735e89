internal import ArgumentParser
internal import CEL
internal import StreamConsole
internal import StreamCore
internal import StreamDriving

/// `streamrun functions`: lists and describes what an expression can call.
struct Functions: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "functions",
    abstract: "Lists the functions of expressions, or describes one of them.",
    discussion: """
      Examples:
        streamrun functions
        streamrun functions substring
        streamrun functions math.greatest
        streamrun functions --format json
        streamrun functions --format markdown
      """)

  @Argument(
    help: "The name of a function, a macro or an operator.",
    completion: .list(FunctionReference.all.map(\.name).filter { $0.first?.isLetter == true }))
  var name: String?

  @Option(help: "Output format: text, json or markdown.")
  var format = ReferenceFormat.text

  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let all = FunctionReference.all
    let chosen = name.map { name in all.filter { $0.name == name } } ?? all
    if let name, chosen.isEmpty {
      throw Diagnostics(
        .unknownFunction, "there is no function '\(name)'",
        help: FunctionReference.help(for: name) ?? "'streamrun functions' lists them all")
    }
    console.printReference(chosen, isWhole: name == nil, page: FunctionPage.text, format)
    return ExitCode.good
  }
}

extension FunctionReference: ReferenceEntry {
  var chapter: String { family.rawValue }
  var summary: String { summaries.first ?? "" }

  var text: String {
    var lines = ["\(name) (\(family.rawValue))"] + summaries.map { "  \($0)." }
    if !signatures.isEmpty { lines += ["", "Forms"] + signatures.map { "  \($0)" } }
    lines += ["", "Examples"] + examples.map { "  \($0.expression)  →  \($0.result)" }
    return lines.joined(separator: "\n")
  }

  var json: Value {
    [
      "name": .string(name),
      "family": .string(family.rawValue),
      "summary": .string(summaries.joined(separator: ". ")),
      "forms": .list(signatures.map(Value.string)),
      "examples": .list(
        examples.map { ["expression": .string($0.expression), "result": .string($0.result)] }),
    ]
  }

  var section: String {
    var parts = ["### `\(name)`", summaries.map { "\($0)." }.joined(separator: " ")]
    if !signatures.isEmpty { parts.append("```text\n" + signatures.joined(separator: "\n") + "\n```") }
    parts.append("```cel\n" + examples.map { "\($0.expression) → \($0.result)" }.joined(separator: "\n") + "\n```")
    return parts.joined(separator: "\n\n")
  }
}

/// The page of functions, stored in the documentation of CEL.
enum FunctionPage {
  static let name = "Functions.md"

  static let text: String = {
    var parts = [
      "# Functions",
      """
      Everything that an expression can call.

      The program generates this page from the tables with which it checks and evaluates expressions. A form shows the
      types of the arguments and of the result: `string.size() -> int` is called as `'text'.size()`. Numbers of
      different types mix in operators and functions of numbers, and the result is then a double. Each line with an arrow
      has an expression and its result, and is a test. [Expressions](Expressions.md) introduces the language;
      `streamrun functions NAME` prints the section of one function.
      """,
    ]
    let families = FunctionFamily.allCases.map { family in
      (family, FunctionReference.all.filter { $0.family == family })
    }
    for (family, members) in families {
      parts.append("## \(Markdown.sentence(family.rawValue))")
      parts.append(
        Markdown.table(["name", "result"], members.map { ["`\(Markdown.cell($0.name))`", Markdown.cell($0.summary)] }))
      parts += members.map(\.section)
    }
    return parts.joined(separator: "\n\n")
  }()
}
