internal import CEL
internal import StreamCore

extension Value {
  /// Whether this value, from a stream file, stands for another one: they are equal, or `run` prints the other one in a
  /// way that reads as this one.
  ///
  /// JSON has no timestamps, durations, bytes, NaN, infinities and optionals, and all its keys are strings.
  func isPrinted(as actual: Value) -> Bool {
    if isEqual(to: actual) { return true }
    guard let expected = Self.text(of: self), let found = Self.text(of: actual) else { return false }
    if expected == found { return true }
    guard let expected = Self.value(in: expected), let found = Self.value(in: found) else { return false }
    return expected.isEqual(to: found)
  }

  /// Bytes of a text that is compared.
  private static let longestText = 10_000_000

  /// Returns what is printed of a value; nil if that is too long.
  private static func text(of value: Value) -> [UInt8]? {
    var bytes: [UInt8] = []
    return JSONWriter.append(value, to: &bytes, upTo: longestText).isWhole ? bytes : nil
  }

  private static func value(in text: [UInt8]) -> Value? { try? JSONDocument(reading: text, file: "").value }
}
