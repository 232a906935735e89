internal import StreamCore

extension DeepStack {
  /// Bytes of stack that a level of a nested expression takes at most. Measured: 24 KB where the compiler does not
  /// optimize, where `bytesPerLevel` counts; a tenth of that elsewhere.
  private static let bytesPerLevel = _isDebugAssertConfiguration() ? 32 * 1024 : 6 * 1024

  /// The result of `body`, whose recursion goes `levels` deep, while the caller waits.
  @inline(__always)
  package static func run<Output, Failure: Error>(
    levels: Int, _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    try run(needing: (max(levels, 0) + 2) * bytesPerLevel, body)
  }

  /// How deep the parser's recursion may go for this text, at most: what brackets and conditionals can nest. Chains of
  /// operators, members and signs are read in loops.
  static func nesting(of text: [UInt8]) -> Int {
    var open = 0
    var deepest = 0
    var conditionals = 0
    for byte in text {
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        open += 1
        deepest = max(deepest, open)
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): open -= 1
      case UInt8(ascii: "?"): conditionals += 1
      default: break
      }
    }
    return deepest + conditionals
  }
}
