internal import ArgumentParser

/// An amount of memory or text, as arguments write it: `500kB`, `10MB`, `1GB`, or a number of bytes.
struct ByteCount: ExpressibleByArgument, Hashable, Sendable, CustomStringConvertible {
  /// At least 1.
  let bytes: Int

  private static let units: [(name: String, bytes: Int)] = [
    ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000), ("B", 1),
  ]

  init(_ bytes: Int) { self.bytes = max(bytes, 1) }

  init?(argument: String) {
    let unit = Self.units.first { argument.lowercased().hasSuffix($0.name.lowercased()) }
    let digits = argument.dropLast(unit?.name.count ?? 0)
    guard let number = Double(digits), number.isFinite else { return nil }
    let bytes = (number * Double(unit?.bytes ?? 1)).rounded()
    guard bytes >= 1, bytes <= 1e18 else { return nil }
    self.bytes = Int(bytes)
  }

  /// As in `1.2GB`, to a tenth.
  var description: String {
    let unit = Self.units.first { bytes >= $0.bytes } ?? ("B", 1)
    let tenths = bytes / (unit.bytes / min(10, unit.bytes))
    guard unit.bytes > 1 else { return "\(bytes)B" }
    return "\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)") + unit.name
  }

  var defaultValueDescription: String { description }
}
