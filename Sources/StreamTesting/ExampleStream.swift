public import StreamCore
public import StreamKit
public import StreamRuntime

/// An example of an operator or a source as a whole stream: what its documentation says, ready to run.
public struct ExampleStream: Sendable, CustomStringConvertible {
  /// The operator or source.
  public let name: String
  /// The example's own title.
  public let title: String
  /// Whether it is a source, which stands at another place of a stream.
  public let isSource: Bool
  public let example: OperatorExample
  /// What runs it. Default a host that takes every function and every hook.
  public var host: Host

  public init(_ example: OperatorExample, of name: String, isSource: Bool, host: Host = .any) {
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

  /// Those that run.
  public static let running: [ExampleStream] = all.filter(\.isRunning)

  /// Those that are refused.
  public static let refused: [ExampleStream] = all.filter { !$0.isRunning }

  /// The examples of an operator of a host's own, on a host that has it.
  public static func examples(of type: any OperatorFields.Type) -> [ExampleStream] {
    let host = Host(functions: .any, hooks: .any, operators: [type])
    return type.spec.examples.map { ExampleStream($0, of: type.spec.name, isSource: false, host: host) }
  }

  /// Whether the example runs; else it is refused.
  var isRunning: Bool { if case .marbles = example.outcome { true } else { false } }

  public var description: String { "\(name): \(title)" }

  /// The names of the inputs that the example may refer to: the upstream is `a`.
  private static let inputNames = ["a", "b", "c", "d"]

  /// The JSON of the operator or source alone.
  public func fields() throws(Diagnostics) -> Value {
    try JSONDocument(reading: Array(example.json.utf8), file: "example").value
  }

  /// The stream around the operator or source; `fields` in its place where that is given.
  public func stream(_ fields: Value? = nil) throws(Diagnostics) -> Value {
    let inputs = Value.map(ValueMap(Self.inputNames.map { (.string($0), .map(ValueMap())) }))
    let fields: Value = if let fields { fields } else { try self.fields() }
    if isSource { return ["inputs": inputs, "source": fields] }
    return ["inputs": inputs, "source": ["input": ["name": "a"]], "operators": [fields]]
  }

  /// Where the operator or source stands in the stream.
  public var place: JSONPointer { JSONPointer(isSource ? ["source"] : ["operators", "0"]) }

  public func pipeline() throws(Diagnostics) -> Pipeline {
    try StreamModel(json: stream()).compile(options)
  }

  /// How the example is compiled.
  package var options: CompileOptions {
    var options = CompileOptions(files: ValueFilesInMemory.examples, host: host)
    guard !isRunning else { return options }
    // What is refused may be so because a host has no functions and no hooks.
    options.host.functions = .only([])
    options.host.hooks = .only([])
    return options
  }

  /// What comes in, a history for each input in the order of their names.
  public func inputs() throws(Diagnostics) -> [History] {
    guard case .marbles(let inputs, _) = example.outcome else { return [] }
    var histories: [History] = []
    for diagram in inputs { histories.append(try history(diagram)) }
    return histories
  }

  /// What must come out.
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
