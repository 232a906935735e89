internal import ArgumentParser
internal import CEL
internal import StreamCore
internal import StreamRuntime

/// `streamrun eval EXPR`: the value of an expression.
struct Evaluate: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "eval",
    abstract: "Prints the value of an expression as JSON.",
    discussion: """
      Examples:
        streamrun eval '1 + 2'
        streamrun eval 'value.map(x, x * 2)' --value '[1, 2, 3]'
        streamrun eval 'a + size(b)' --set a=1 --set 'b="text"'
      """)

  @Argument(help: "The expression, in CEL.")
  var expression: String

  @Option(help: ArgumentHelp("What 'value' is.", valueName: "json"))
  var value: String?

  @Option(help: ArgumentHelp("What another name is.", valueName: "name=json"))
  var set: [NamedArgument] = []

  @Option(help: "How the value is printed: json, or text (a string as it is).")
  var format = ReportFormat.json

  @OptionGroup var appearance: AppearanceOptions

  private static let file = "<expression>"

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let variables = try variables(console)
    let text = ExpressionText(expression, file: Self.file)
    console.remember(text.source)
    let plan = try text.plan(over: variables.map { Variable($0.name, .of($0.value)) })
    let activation = Activation(slotCount: variables.count)
    for (slot, variable) in variables.enumerated() { activation.set(variable.value, at: slot) }
    activation.now = LiveClock().origin
    do throws(EvaluationError) {
      print(try plan.evaluate(activation), on: console)
      return ExitCode.good
    } catch {
      console.report(text.locate(Diagnostic(error.code, error.message, part: .text(error.range))))
      return ExitCode.failed
    }
  }

  /// The names and their values; a name that is given twice is a mistake.
  private func variables(_ console: Console) throws(Diagnostics) -> [(name: String, value: Value)] {
    var variables: [(name: String, value: Value)] = []
    var problems = Diagnostics()
    if let value {
      let file = "--value"
      console.remember(SourceText(file: file, text: value))
      do throws(Diagnostics) {
        variables.append(("value", try JSONDocument(reading: value, file: file).value))
      } catch {
        problems.append(contentsOf: error)
      }
    }
    for argument in set {
      console.remember(SourceText(file: "--set \(argument.name)", text: argument.text))
      if variables.contains(where: { $0.name == argument.name }) {
        problems.append(Diagnostic(.invalidArgument, "'\(argument.name)' is given twice"))
        continue
      }
      do throws(Diagnostics) {
        variables.append((argument.name, try argument.json(option: "--set").value))
      } catch {
        problems.append(contentsOf: error)
      }
    }
    try problems.throwErrors()
    return variables
  }

  private func print(_ value: Value, on console: Console) {
    if format == .text, case .string(let text) = value {
      console.output.appendLine(text)
    } else {
      console.output.appendLine(JSONWriter.compact(value))
    }
  }
}
