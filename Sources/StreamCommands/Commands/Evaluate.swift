internal import ArgumentParser
internal import CEL
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// `streamrun eval EXPR`: the value of an expression.
struct Evaluate: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "eval",
    abstract: "Prints the value of an expression as JSON.",
    discussion: """
      On a terminal, its type and cost are printed on standard error.

      Examples:
        streamrun eval '1 + 2'
        streamrun eval 'value.map(x, x * 2)' --value '[1, 2, 3]'
        streamrun eval 'a + size(b)' --set a=1 --set 'b="text"'
        streamrun eval 'value.z > 0.25' --value '{"z": 0.5}' --explain
        streamrun eval 'random()' --seed 7
      """)

  @Argument(help: "The expression, in CEL.")
  var expression: String

  @Option(help: ArgumentHelp("The value of 'value'.", valueName: "json"))
  var value: String?

  @Option(help: ArgumentHelp("The value of another variable.", valueName: "name=json"))
  var set: [NamedArgument] = []

  @Option(help: ArgumentHelp("Seed of random(). Its numbers differ by the variable 'index'.", valueName: "integer"))
  var seed: Int?

  @Option(help: "Output format: json, or text (prints a string as it is).")
  var format = ReportFormat.json

  @Flag(help: "Prints the value, its type, its cost, and the plan of each part of the expression.")
  var explain = false

  @OptionGroup var values: ValueOptions
  @OptionGroup var appearance: AppearanceOptions

  private static let file = "<expression>"

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let variables = try variables(console)
    let text = ExpressionText(expression, file: Self.file)
    console.remember(text.source)
    let declared = variables.map { Variable($0.name, .of($0.value)) }
    let plan = try text.plan(over: declared, seed: seed)
    let environment = ExpressionText.environment(over: declared, seed: seed)
    for remark in CELExpression(expression).remarks(in: environment) { console.report(text.locate(remark)) }
    if explain { try tell(CELExpression(expression), in: environment, on: console) }
    let activation = Activation(slotCount: variables.count)
    for (slot, variable) in variables.enumerated() { activation.set(variable.value, at: slot) }
    activation.now = LiveClock().origin
    let result: Value
    do throws(EvaluationError) {
      result = try plan.evaluate(activation)
    } catch {
      let values = Dictionary(variables.map { ($0.name, $0.value) }) { first, _ in first }
      let help = CELExpression(expression).help(for: error.code, error.message, at: error.range, with: values)
      console.report(text.locate(Diagnostic(error.code, error.message, part: .text(error.range), help: help)))
      return ExitCode.failed
    }
    guard try show(result, on: console) else {
      console.report(.tooLongValue(values.maxValue))
      return ExitCode.failed
    }
    if !explain, console.isAttended { console.say("\(plan.resultType), \(plan.cost)") }
    return ExitCode.good
  }

  /// Prints the value of the expression. Returns false if it is too long.
  private func show(_ result: Value, on console: Console) throws(Diagnostics) -> Bool {
    var text: [UInt8] = []
    let extent = JSONWriter.append(result, to: &text, upTo: values.maxValue.bytes)
    guard extent.isWhole else { return false }
    if let name = extent.repeatedName { throw Diagnostics([JSONWriter.repeated(name)]) }
    if explain {
      console.output.appendLine("value  \(String(decoding: text, as: UTF8.self))")
    } else if format == .text, case .string(let string) = result {
      console.output.append(raw: string + "\n")
    } else {
      console.output.append(raw: String(decoding: text, as: UTF8.self) + "\n")
    }
    if extent.hasNonFinite { console.reportNonFinite() }
    return true
  }

  /// Returns the variables with their values. A duplicate name is an error.
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
      console.remember(argument.source(option: "--set"))
      if variables.contains(where: { $0.name == argument.name }) {
        problems.append(Diagnostic(.invalidArgument, "'\(argument.name)' is given twice"))
        continue
      }
      guard case .variable(argument.name)? = try? CELExpression(argument.name).tree() else {
        problems.append(
          Diagnostic(
            .invalidArgument, "'\(argument.name)' is not a valid variable name in an expression",
            help: "a name consists of letters, digits and '_', and does not begin with a digit"))
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

  /// Prints the type, the cost, and the tree with the type and the plan of each part.
  private func tell(
    _ expression: CELExpression, in environment: ExpressionEnvironment, on console: Console
  ) throws(Diagnostics) {
    let explanation = try expression.explanation(in: environment)
    console.output.appendLine("type   \(explanation.plan.resultType)")
    console.output.appendLine("cost   \(explanation.plan.cost)")
    let texts = explanation.parts.map { String(repeating: "  ", count: $0.depth) + $0.text }
    let types = explanation.parts.map { "\($0.type)" }
    let widths = (texts.map(\.count).max() ?? 0, types.map(\.count).max() ?? 0)
    for (index, part) in explanation.parts.enumerated() {
      console.output.appendLine(
        "part   \(texts[index].padded(to: widths.0))  \(types[index].padded(to: widths.1))  \(part.step)")
    }
  }
}

extension String {
  /// The text with spaces after it, up to a width.
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
