#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Foundation's `localizedDescription` would otherwise be the name of the type.
extension Diagnostic: LocalizedError {
  public var errorDescription: String? { description }
}

/// Foundation's `localizedDescription` would otherwise be the name of the type.
extension Diagnostics: LocalizedError {
  public var errorDescription: String? { description }
}
