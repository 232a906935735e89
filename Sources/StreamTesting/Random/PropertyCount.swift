internal import CLibrary

/// How many random cases a property is tried on.
package enum PropertyCount {
  /// What the environment variable `PROPERTIES` says, as for a long run in release; else `byDefault`.
  package static func cases(byDefault: UInt64) -> UInt64 {
    getenv("PROPERTIES").flatMap { UInt64(String(cString: $0)) } ?? byDefault
  }
}
