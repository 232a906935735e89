import StreamCore

/// A macro: the parser replaces its calls by their expansion.
struct Macro: Sendable {
  /// Returns the expansion; nil to leave the call unchanged.
  typealias Expansion =
    @Sendable (inout Parser, _ target: Syntax.ID?, _ arguments: [Syntax.ID], Range<Int>) throws(Parser.Stop)
    -> Syntax.ID?

  let name: String
  /// Number of arguments; a call with another number is an ordinary call.
  let argumentCount: Int
  /// Whether the macro is called with a target, after a dot.
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
  static let all: [Macro] = standard + twoVariables + optionals + bindings + folding
}

/// Macros by name.
struct MacroTable: Sendable {
  private let table: [String: [Macro]]

  init(_ macros: [Macro]) { table = Dictionary(grouping: macros, by: \.name) }

  func macro(_ name: String, argumentCount: Int, isMember: Bool) -> Macro? {
    table[name]?.first { $0.argumentCount == argumentCount && $0.isMember == isMember }
  }

  static let standard = MacroTable(Macro.all)
  /// The table that includes the macros used only by cel-spec's tests of optimizers.
  static let withBlocks = MacroTable(Macro.all + Macro.blocks)
}

extension Parser {
  /// The accumulator's name in every loop; no user can write it.
  static let accumulator = "@result"

  func accumulatorName() -> Syntax.Node { .name(Self.accumulator, isAbsolute: false) }

  /// Returns the name that a macro's argument is; throws if it is not a plain name.
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
