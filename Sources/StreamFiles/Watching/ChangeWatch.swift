package import StreamCore
package import StreamEngine
package import StreamKit

/// Detects that a running stream has a new version: a file that changed, or a publication.
package protocol ChangeWatch: AnyObject {
  /// Watches these files, and no others: those that are new as they are now.
  func watch(_ paths: [String])

  /// Nanoseconds until `hasChanged` is to be called again.
  var untilNextLook: Int64 { get }

  /// A file that is readable while there is a new version; nil if only `hasChanged` finds out.
  var signal: FileDescriptor? { get }

  /// Whether there is a new version since this was true last. Looks if it is time to.
  func hasChanged() -> Bool

  /// Whether there is anything to run at the moment.
  var exists: Bool { get }

  /// The trial of the version that is about to run; nil if it needs none.
  var trial: SwapTrial? { get }

  /// The version that was checked last, in messages, such as `version 7`; nil if versions have no numbers.
  var label: String? { get }

  /// The values of parameters that come with the version that was checked last.
  var parameters: [String: Value] { get }

  /// Reports the outcome of a change: whether it runs, and why not.
  func tell(_ outcome: Result<Void, Diagnostics>)

  /// Reports the failure with which the run ends.
  func noteEnd(_ failure: StreamFailure)
}

extension ChangeWatch {
  package var trial: SwapTrial? { nil }
  package var label: String? { nil }
  package var parameters: [String: Value] { [:] }
  package var signal: FileDescriptor? { nil }
  package func tell(_ outcome: Result<Void, Diagnostics>) {}
  package func noteEnd(_ failure: StreamFailure) {}
}
