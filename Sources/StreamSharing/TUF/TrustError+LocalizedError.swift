#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Foundation's `localizedDescription` would otherwise be the name of the type.
extension TrustError: LocalizedError {
  public var errorDescription: String? { description }
}
