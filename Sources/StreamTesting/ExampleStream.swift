public import StreamCore
public import StreamEngine
public import StreamKit

/// A documented example of an operator or a source as a complete stream, ready to run.
public struct ExampleStream: Sendable, CustomStringConvertible {
  /// The name of the operator or source.
  public let name: String
  /// The title of the example.
  public let title: String
  /// Whether it is a source.
  public let isSource: Bool
  public let example: OperatorSpec.Example
  /// The host that runs it. Default a host that accepts every function and every hook.
  public var host: StreamHost

  public init(_ example: OperatorSpec.Example, of name: String, isSource: Bool, host: StreamHost = .any) {
    self.example = example
    self.host = host
    self.name = name
    title = example.title
    self.isSource = isSource
  }

  /// The examples of every operator and every source.
  public static let all: [ExampleStream] =
    Source.table.flatMap { entry in
      entry.spec.examples.map { ExampleStream($0, of: entry.spec.name, isSource: true) }
    }
    + Operator.table.flatMap { entry in
      entry.spec.examples.map { ExampleStream($0, of: entry.spec.name, isSource: false) }
    }

  /// The examples that run.
  public static let running: [ExampleStream] = all.filter(\.isRunning)

  /// The examples that are rejected.
  public static let refused: [ExampleStream] = all.filter { !$0.isRunning }

  /// Returns the examples of a host's operator, on a host that provides it.
  public static func examples(of type: any OperatorDefinition.Type) -> [ExampleStream] {
    let host = StreamHost(functions: .any, hooks: .any, operators: [type])
    return type.spec.examples.map { ExampleStream($0, of: type.spec.name, isSource: false, host: host) }
  }

  /// Whether the example runs; else it is refused.
  var isRunning: Bool { if case .marbles = example.outcome { true } else { false } }

  public var description: String { "\(name): \(title)" }

  /// The names of the inputs that the example may refer to: the upstream is `a`.
  private static let inputNames = ["a", "b", "c", "d"]

  /// Returns the JSON of the operator or source alone.
  public func fields() throws(Diagnostics) -> Value {
    try JSONDocument(reading: Array(example.json.utf8), file: "example").value
  }

  /// Returns the stream that contains the operator or source, optionally with replaced `fields`.
  public func stream(_ fields: Value? = nil) throws(Diagnostics) -> Value {
    let inputs = Value.map(ValueMap(Self.inputNames.map { (.string($0), .map(ValueMap())) }))
    let fields: Value = if let fields { fields } else { try self.fields() }
    if isSource { return ["inputs": inputs, "source": fields] }
    return ["inputs": inputs, "source": ["input": ["name": "a"]], "operators": [fields]]
  }

  /// Location of the operator or source in the stream.
  public var place: JSONPointer { JSONPointer(isSource ? ["source"] : ["operators", "0"]) }

  public func pipeline() throws(Diagnostics) -> Pipeline {
    try StreamModel(json: stream()).compile(options)
  }

  /// The options for compiling the example.
  package var options: CompileOptions {
    var options = CompileOptions(files: ValueFilesInMemory.examples, host: host)
    guard !isRunning else { return options }
    // An example may be rejected because a host has no functions and no hooks.
    options.host.functions = .only([])
    options.host.hooks = .only([])
    return options
  }

  /// Returns a history for each input, in the order of their names.
  public func inputs() throws(Diagnostics) -> [History] {
    guard case .marbles(let inputs, _) = example.outcome else { return [] }
    var histories: [History] = []
    for diagram in inputs { histories.append(try history(diagram)) }
    return histories
  }

  /// Returns the expected output.
  public func output() throws(Diagnostics) -> History {
    guard case .marbles(_, let output) = example.outcome else { return History() }
    return try history(output)
  }

  private func history(_ diagram: String) throws(Diagnostics) -> History {
    do throws(Diagnostic) {
      return try Marbles(diagram, values: example.values).history()
    } catch {
      throw Diagnostics([error])
    }
  }
}
