internal import StreamCore

extension DeepStack {
  /// Maximum number of stack bytes for a nesting level of an expression. Measured: 24 KB in unoptimized builds, where
  /// `bytesPerLevel` matters; a tenth of that in optimized builds.
  private static let bytesPerLevel = _isDebugAssertConfiguration() ? 32 * 1024 : 6 * 1024

  /// Runs `body`, which recurses `levels` deep, on a stack that is large enough; the caller waits for the result.
  @inline(__always)
  package static func run<Output, Failure: Error>(
    levels: Int, _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    try run(needing: (max(levels, 0) + 2) * bytesPerLevel, body)
  }

  /// Returns an upper bound of the parser's recursion depth for an expression, from its brackets and conditionals. Chains
  /// of operators, members and signs are read in loops.
  static func nesting(of text: [UInt8]) -> Int {
    // NB: A closing bracket in a string or comment closes nothing. A text that may contain one counts as a text without
    // closing brackets.
    let mayHideBrackets = text.contains { "'\"/".utf8.contains($0) }
    var open = 0
    var deepest = 0
    var conditionals = 0
    for byte in text {
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        open += 1
        deepest = max(deepest, open)
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): open -= mayHideBrackets ? 0 : 1
      case UInt8(ascii: "?"): conditionals += 1
      default: break
      }
    }
    return deepest + conditionals
  }
}
