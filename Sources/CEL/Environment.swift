/// How the number types meet in arithmetic and comparisons.
public enum Numbers: Hashable, Sendable {
  /// `int`, `uint` and `double` mix; where two types differ the result is a double. `int / int` stays an integer.
  case mixed
  /// CEL as its specification has it: both sides are of one type.
  case strict
}

/// What an expression may cost.
public struct Limits: Hashable, Sendable {
  /// How deep expressions nest, in levels of the syntax tree. Default 250.
  public var depth: Int
  /// The longest text of an expression, in UTF-8 bytes. Default 100,000.
  public var bytes: Int
  /// Steps of one evaluation: nodes evaluated within loops, and work that grows with the data. A step stands for at most
  /// 10 ns of work. Default 10,000,000. Exceeding it is `budgetExceeded`.
  public var budget: Int
  /// The longest string or byte sequence that an evaluation may make, in bytes. Default 10,000,000.
  public var stringBytes: Int
  /// The longest list that an evaluation may make, in elements. Default 10,000,000.
  public var listCount: Int

  public init(
    depth: Int = 250, bytes: Int = 100_000, budget: Int = 10_000_000, stringBytes: Int = 10_000_000,
    listCount: Int = 10_000_000
  ) {
    self.depth = depth
    self.bytes = bytes
    self.budget = budget
    self.stringBytes = stringBytes
    self.listCount = listCount
  }
}

/// A name that an expression may use, with the type of its values.
public struct Variable: Hashable, Sendable {
  public let name: String
  public let type: CELType

  public init(_ name: String, _ type: CELType = .dyn) {
    self.name = name
    self.type = type
  }
}

/// What an expression is checked and planned against.
public struct Environment: Sendable {
  /// The names; their order is the order of an activation's slots.
  public internal(set) var variables: [Variable]
  public var numbers: Numbers
  /// The namespace in which names are looked up first, as `com.example`; empty for none.
  public var container: String
  public var limits: Limits
  /// Whether `has`, `all`, `map` and the like are macros, or plain functions.
  public var macrosEnabled = true
  /// Whether types and names are checked; without, mistakes show when the expression runs.
  public var checksEnabled = true
  /// Whether `cel.block` and its companions are macros too, as cel-spec's tests of optimizers need it.
  package var blocksEnabled = false
  /// Functions of the host, which expressions may call like those of the library; of two with one name these count.
  public var declaredFunctions: [FunctionDeclaration] = []

  /// What is told of the branches that are taken; nil, the default, for nothing.
  public var branches: BranchRecorder?

  public init(
    variables: [Variable] = [], numbers: Numbers = .mixed, container: String = "", limits: Limits = Limits()
  ) {
    self.variables = variables
    self.numbers = numbers
    self.container = container
    self.limits = limits
  }

  var macros: MacroTable { blocksEnabled ? .withBlocks : .standard }
}
