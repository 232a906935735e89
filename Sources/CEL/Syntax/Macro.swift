import StreamCore

/// A call that the parser replaces by other syntax.
struct Macro: Sendable {
  /// Makes the replacement, or nil to leave the call as it is.
  typealias Expansion =
    @Sendable (inout Parser, _ target: Syntax.ID?, _ arguments: [Syntax.ID], Range<Int>) throws(Parser.Stop)
    -> Syntax.ID?

  let name: String
  /// How many arguments it takes; with another number the call is an ordinary one.
  let argumentCount: Int
  /// Whether it is written after a dot.
  let isMember: Bool
  let summary: String
  let expand: Expansion

  init(
    _ name: String, _ argumentCount: Int, isMember: Bool = true, _ summary: String, _ expand: @escaping Expansion
  ) {
    self.name = name
    self.argumentCount = argumentCount
    self.isMember = isMember
    self.summary = summary
    self.expand = expand
  }

  /// All macros of the language and its extensions.
  static let all: [Macro] = standard + twoVariables + optionals + bindings
}

/// Macros by name.
struct MacroTable: Sendable {
  private let table: [String: [Macro]]

  init(_ macros: [Macro]) { table = Dictionary(grouping: macros, by: \.name) }

  func macro(_ name: String, argumentCount: Int, isMember: Bool) -> Macro? {
    table[name]?.first { $0.argumentCount == argumentCount && $0.isMember == isMember }
  }

  static let standard = MacroTable(Macro.all)
  /// With the macros that only cel-spec's tests of optimizers use.
  static let withBlocks = MacroTable(Macro.all + Macro.blocks)
}

extension Parser {
  /// The accumulator's name in every loop; no user can write it.
  static let accumulator = "@result"

  func accumulatorName() -> Syntax.Node { .name(Self.accumulator, isAbsolute: false) }

  /// The plain name that a macro's argument must be.
  mutating func loopVariable(_ argument: Syntax.ID, of macro: String) throws(Stop) -> String {
    if case .name(let name, isAbsolute: false) = syntax.nodes[argument] { return name }
    throw fail(
      Diagnostic(
        .invalidMacro, "the first argument of '\(macro)' must be a name for the element, not an expression",
        part: .text(syntax.ranges[argument]), help: "write \(macro)(x, …) with x in the other argument"))
  }

  mutating func addCall(_ function: String, _ arguments: [Syntax.ID], _ range: Range<Int>) throws(Stop) -> Syntax.ID {
    try add(.call(function: function, target: nil, arguments: arguments), range)
  }

  mutating func addAccumulator(_ range: Range<Int>) throws(Stop) -> Syntax.ID {
    try add(accumulatorName(), range)
  }
}
