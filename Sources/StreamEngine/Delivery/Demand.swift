/// The number of values a subscriber is ready to receive. Demand is additive; unlimited demand stays unlimited.
///
/// ```swift
/// execution.request(Demand(2))
/// ```
public struct Demand: Hashable, Comparable, Sendable, Codable {
  /// The number of requested values; `Int.max` means unlimited.
  public private(set) var count: Int

  /// Creates a demand for a number of values; a negative number counts as 0.
  public init(_ count: Int) { self.count = max(0, count) }

  public static let none = Demand(0)
  public static let unlimited = Demand(.max)

  public var isUnlimited: Bool { count == .max }

  public static func < (lhs: Demand, rhs: Demand) -> Bool { lhs.count < rhs.count }

  public static func + (lhs: Demand, rhs: Demand) -> Demand {
    let (sum, overflow) = lhs.count.addingReportingOverflow(rhs.count)
    return Demand(overflow ? .max : sum)
  }

  public static func += (lhs: inout Demand, rhs: Demand) { lhs = lhs + rhs }

  /// Multiplies a demand for groups by the number of values per group.
  public static func * (lhs: Demand, rhs: Int) -> Demand {
    let (product, overflow) = lhs.count.multipliedReportingOverflow(by: rhs)
    return Demand(overflow ? .max : product)
  }

  /// Consumes one value of the demand. Returns false if there is none.
  public mutating func takeOne() -> Bool {
    if count == .max { return true }
    if count == 0 { return false }
    count -= 1
    return true
  }

  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Int.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(count)
  }
}
