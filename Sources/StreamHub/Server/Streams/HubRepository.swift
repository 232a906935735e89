internal import StreamConsole
internal import StreamCore
internal import StreamSharing

/// The repository behind a hub. All methods but `check` are called on one queue, one after the other.
protocol HubRepository: AnyObject, Sendable {
  /// Reads the streams as they are now, though other publishers may have changed them.
  func streams() throws(TrustError) -> [HubStream]

  /// The file of a version.
  func bytes(of name: StreamName, version: Int) throws(TrustError) -> [UInt8]

  /// Checks a file that is about to be published, and runs its tests. Called on a queue of its own.
  ///
  /// - Parameter bounds: The bounds of all tests together; a file that exceeds them is refused.
  func check(_ file: PublishedFile, of name: StreamName, within bounds: TestBounds) -> HubCheck

  /// The difference between two versions by meaning.
  func difference(of name: StreamName, from: Int, to: Int) throws(TrustError) -> Value

  /// Publishes a file that has passed the check.
  ///
  /// - Returns: The version, and whether it is a new one.
  func publish(_ publication: HubPublication, now: Int64) throws(TrustError) -> (version: Int, isNew: Bool)

  /// Makes a candidate stable, or changes its percentage.
  ///
  /// - Parameters:
  ///   - version: nil for the newest candidate.
  ///   - percent: nil to make it stable.
  func promote(_ name: StreamName, version: Int?, percent: Int?, now: Int64) throws(TrustError) -> Int

  /// Ends the rollout of a candidate.
  ///
  /// - Parameter version: nil for the newest candidate.
  func halt(_ name: StreamName, version: Int?, reason: String, now: Int64) throws(TrustError) -> Int

  /// Publishes the content of an earlier version as a new one.
  func rollback(_ name: StreamName, to version: Int, notes: String?, now: Int64) throws(TrustError) -> Int

  /// Checks a change of a stream that a publisher has signed, apart from the content of its files.
  ///
  /// - Returns: The files that it adds.
  func review(_ change: SignedChange, of name: StreamName, now: Int64) throws(TrustError) -> [PublishedFile]

  /// Signs the snapshot and the timestamp of a change that was reviewed.
  func accept(_ change: SignedChange, now: Int64) throws(TrustError)

  /// Signs the snapshot and the timestamp again if they expire soon.
  ///
  /// - Returns: Whether they were signed.
  func renewIfNeeded(now: Int64) throws(TrustError) -> Bool

  /// The expirations of all roles. May be called on any queue.
  var expirations: [RoleExpiration] { get }

  /// The version of the newest timestamp. May be called on any queue.
  var timestampVersion: Int64 { get }

  /// The roles whose keys are at hand. May be called on any queue.
  var keyState: HubKeyState { get }
}

/// The outcome of the check of a file.
struct HubCheck: Sendable {
  var diagnostics = Diagnostics()
  var failedTests: [FailedTest] = []

  struct FailedTest: Hashable, Sendable {
    let name: String
    /// The differences from the expectation.
    let differences: [String]
  }

  /// The reason of a refusal, for people; nil if the file can be published.
  var refusal: String? {
    if diagnostics.hasErrors { return diagnostics.all.first { $0.severity == .error }?.message }
    return failedTests.first.map { "the test '\($0.name)' fails: \($0.differences.first ?? "")" }
  }
}

/// A file that is published, as a request states it.
struct HubPublication: Sendable {
  let name: StreamName
  let bytes: [UInt8]
  /// The values of its parameters.
  var parameters: [String: Value] = [:]
  var notes: String?
  /// nil to publish it for all clients.
  var rollout: Rollout?
}
