/// How many values a downstream is ready to receive: adds up, and unlimited stays unlimited.
public struct Demand: Hashable, Comparable, Sendable, Codable {
  /// The number asked for; `Int.max` is unlimited.
  public private(set) var count: Int

  /// A demand for this many values, 0 or more.
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

  /// The demand of groups of this many values.
  public static func * (lhs: Demand, rhs: Int) -> Demand {
    let (product, overflow) = lhs.count.multipliedReportingOverflow(by: rhs)
    return Demand(overflow ? .max : product)
  }

  /// Takes one value off the demand, if there is any; says whether there was.
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
