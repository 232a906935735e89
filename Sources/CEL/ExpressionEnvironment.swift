internal import StreamCore

/// The rule for mixing number types in arithmetic and comparisons.
public enum Numbers: Hashable, Sendable {
  /// `int`, `uint` and `double` mix; the result of two different types is a double. `int / int` stays an integer.
  case mixed
  /// The rule of the CEL specification: both operands have the same type.
  case strict
}

/// Limits on the size and the cost of an expression.
public struct ExpressionLimits: Hashable, Sendable {
  /// Maximum nesting of an expression, in levels of the syntax tree. Default 250.
  public var depth: Int
  /// Maximum length of an expression's text, in UTF-8 bytes. Default 100,000.
  public var bytes: Int
  /// Maximum number of steps of an evaluation: nodes evaluated in loops, and work that grows with the data. A step is
  /// at most 10 ns of work. Default 10,000,000. Exceeding it fails with `budgetExceeded`.
  public var budget: Int
  /// Maximum length of a string or byte sequence that an evaluation creates, in bytes. Default 10,000,000.
  public var stringBytes: Int
  /// Maximum length of a list that an evaluation creates, in elements. Default 10,000,000.
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

/// A variable of expressions, with the type of its values.
public struct Variable: Hashable, Sendable {
  public let name: String
  public let type: CELType
  /// Whether its value distinguishes the streams that are started for keys or events.
  package let isDistinct: Bool

  public init(_ name: String, _ type: CELType = .dyn) { self.init(name, type, isDistinct: false) }

  package init(_ name: String, _ type: CELType, isDistinct: Bool) {
    self.name = name
    self.type = type
    self.isDistinct = isDistinct
  }
}

/// The variables, functions and rules that an expression is checked and planned against.
public struct ExpressionEnvironment: Sendable {
  /// The variables, in the order of an activation's slots.
  public package(set) var variables: [Variable]
  public var numbers: Numbers
  /// Namespace in which names are resolved first, such as `com.example`; empty for none.
  public var container: String
  public var limits: ExpressionLimits
  /// Whether `has`, `all`, `map` and the like are macros instead of plain functions.
  public var macrosEnabled = true
  /// Whether types and names are checked. Without checks, such errors occur during evaluation.
  public var checksEnabled = true
  /// Whether `cel.block` and its companions are macros too, as the optimizer tests of cel-spec require.
  package var blocksEnabled = false
  /// Functions of the host program. They take precedence over functions of the library with the same name.
  public var declaredFunctions: [FunctionDeclaration] = []
  /// Values by name, which are planned as literals. A variable of the same name takes precedence.
  package var constants: any NamedConstants = [String: Value]()

  /// Whether the result becomes a value of a stream, which has no optionals: an optional in it becomes its value, or null
  /// if it has none.
  package var unwrapsOptionals = false

  /// The origin of the numbers of `random()`. By default there are none.
  package var random = RandomSource.noSeed

  /// Records the branches taken; nil, the default, records nothing.
  public var branches: BranchRecorder?

  public init(
    variables: [Variable] = [], numbers: Numbers = .mixed, container: String = "",
    limits: ExpressionLimits = ExpressionLimits()
  ) {
    self.variables = variables
    self.numbers = numbers
    self.container = container
    self.limits = limits
  }

  var macros: MacroTable { blocksEnabled ? .withBlocks : .standard }
}
