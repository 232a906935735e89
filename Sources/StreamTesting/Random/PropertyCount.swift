internal import CLibrary

/// The number of random cases for a property.
package enum PropertyCount {
  /// Whether this is a long run, for which `PROPERTIES` is set: tests then take all combinations of their cases.
  package static var isLong: Bool { getenv("PROPERTIES") != nil }

  /// Returns the value of the environment variable `PROPERTIES`, for long runs in release builds; else `byDefault`.
  package static func cases(byDefault: UInt64) -> UInt64 {
    getenv("PROPERTIES").flatMap { UInt64(String(cString: $0)) } ?? byDefault
  }
}
