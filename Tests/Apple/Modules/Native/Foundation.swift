// The only part of Foundation that the lower layers use, for macOS as the target of the compiler.
public protocol LocalizedError: Error {
  var errorDescription: String? { get }
}

public struct Date: Hashable, Comparable, Codable, Sendable {
  public static let distantPast = Date(timeIntervalSince1970: -62_135_769_600)

  public var timeIntervalSince1970: Double

  public init(timeIntervalSince1970: Double) { self.timeIntervalSince1970 = timeIntervalSince1970 }

  public static func < (left: Date, right: Date) -> Bool { left.timeIntervalSince1970 < right.timeIntervalSince1970 }
}

public struct URL: Hashable, Codable, Sendable {
  public var absoluteString: String

  public init?(string: String) { absoluteString = string }
}

public struct Data: Hashable, Codable, Sendable, Sequence {
  private var bytes: [UInt8]

  public init<Bytes: Sequence>(_ bytes: Bytes) where Bytes.Element == UInt8 { self.bytes = Array(bytes) }

  public func makeIterator() -> [UInt8].Iterator { bytes.makeIterator() }
}

public struct Decimal: Hashable, Codable, Sendable, CustomStringConvertible {
  public var description: String

  public init(_ value: Int64) { description = String(value) }
  public init(_ value: UInt64) { description = String(value) }
  public init?(string: String) { description = string }
}
