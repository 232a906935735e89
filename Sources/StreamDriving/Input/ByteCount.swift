/// An amount of memory or text, as arguments write it: `500kB`, `10MB`, `1GB`, or a number of bytes.
package struct ByteCount: Hashable, Sendable, CustomStringConvertible {
  /// The default limit on the memory of a program that runs streams.
  package static let standardMemory = ByteCount(1_000_000_000)
  /// The default limit on the length of a printed value.
  package static let standardValue = ByteCount(10_000_000)

  /// At least 1.
  package let bytes: Int

  private static let units: [(name: String, bytes: Int)] = [
    ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000), ("B", 1),
  ]

  package init(_ bytes: Int) { self.bytes = max(bytes, 1) }

  package init?(argument: String) {
    let unit = Self.units.first { argument.lowercased().hasSuffix($0.name.lowercased()) }
    let digits = argument.dropLast(unit?.name.count ?? 0)
    guard let number = Double(digits), number.isFinite else { return nil }
    let bytes = (number * Double(unit?.bytes ?? 1)).rounded()
    guard bytes >= 1, bytes <= 1e18 else { return nil }
    self.bytes = Int(bytes)
  }

  /// As in `1.2GB`, rounded to the nearest tenth.
  package var description: String {
    // Half a tenth of the smaller unit below it, an amount is rounded up to the unit: 999,950 bytes are 1MB.
    guard let unit = Self.units.first(where: { bytes >= $0.bytes - $0.bytes / 20_000 }), unit.bytes > 1 else {
      return "\(bytes)B"
    }
    let (whole, rest) = bytes.quotientAndRemainder(dividingBy: unit.bytes / 10)
    let tenths = whole + (rest >= unit.bytes / 20 ? 1 : 0)
    return "\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)") + unit.name
  }
}
