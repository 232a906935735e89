import RepositoryFiles
import StreamSharing

/// The outcomes of refreshes, each computed once by the real client.
///
/// A refresh depends on the client's trusted metadata, the files that its edge serves, its time, and the request that is
/// lost. Clients that agree in these share the outcome.
final class RefreshTable {
  struct Outcome {
    let stored: UInt16
    let targets: UInt16
    /// nil if the refresh succeeded.
    let refusal: TrustError.Kind?
    /// The client after the refresh, to choose with.
    let client: RepositoryClient?
    let requestCount: Int
  }

  /// Trusted metadata of a client.
  struct Stored {
    let files: [String: [UInt8]]
    let root: Int
    let timestamp: Int
    /// The first expiration among all roles.
    let expiration: Int64
  }

  struct Key: Hashable {
    let stored: UInt16
    let view: View
    let passed: Int
    /// Index of the request that is lost; 15 for none.
    let lost: Int

    static let noneLost = 15

    var number: Int { ((Int(stored) << 24 | view.number) << 8 | passed) << 4 | lost }
  }

  private let origin: Origin
  private let views: Views
  private(set) var stored: [Stored] = []
  private var storedNumbers: [[String: [UInt8]]: UInt16] = [:]
  private var targetsNumbers: [[UInt8]: UInt16] = [:]
  private var fileNumbers: [String: Int] = [:]
  private var outcomeNumbers: [Int: Int32] = [:]
  private(set) var outcomes: [Outcome] = []
  /// Selections by targets role and version.
  var selections: [Int: Selection] = [:]
  private var downloads: [Int: TrustError.Kind?] = [:]

  init(_ origin: Origin, _ views: Views) throws {
    self.origin = origin
    self.views = views
    let store = MemoryFiles()
    try RepositoryClient.trust(origin.root, in: store)
    _ = try number(of: store.files)
  }

  /// The parts of an outcome that most refreshes need, beside each other in memory.
  struct Requests {
    let stored: UInt16
    let targets: UInt16
    /// Index among the kinds of refusal; nil if the refresh succeeded.
    let refusal: Int?
    let count: Int
    let files: [Int]
  }

  private var requests: [Requests] = []

  func requests(of outcome: Int) -> Requests { requests[outcome] }

  /// The number of an outcome that is known.
  func known(_ key: Key) -> Int? { outcomeNumbers[key.number].map(Int.init) }

  /// Refreshes a client.
  func outcome(_ key: Key) async throws -> Int {
    if let known = known(key) { return known }
    let store = MemoryFiles(stored[Int(key.stored)].files)
    let metadata = MemoryFiles(
      try views.files(of: key.view).metadata, losing: key.lost == Key.noneLost ? nil : key.lost)
    var refusal: TrustError.Kind?
    var refreshed: RepositoryClient?
    do throws(TrustError) {
      var client = try RepositoryClient(metadata: metadata, store: store, now: origin.time(ofPassed: key.passed))
      try await client.refresh()
      refreshed = client
    } catch {
      guard !error.subject.isEmpty, !error.reason.isEmpty else { throw Violation("a refusal gives no reason") }
      refusal = error.kind
    }
    let files = store.files
    let outcome = Outcome(
      stored: try number(of: files), targets: targetsNumber(files["targets"] ?? []), refusal: refusal,
      client: refreshed, requestCount: metadata.reads.count)
    outcomes.append(outcome)
    requests.append(
      Requests(
        stored: outcome.stored, targets: outcome.targets, refusal: refusal.map(Simulation.index),
        count: outcome.requestCount, files: metadata.reads.filter(Self.isKept).map(fileNumber)))
    outcomeNumbers[key.number] = Int32(outcomes.count - 1)
    return outcomes.count - 1
  }

  /// Roots are asked for before they exist, and timestamps change.
  private static func isKept(_ path: String) -> Bool { path != "timestamp.json" && !path.hasSuffix(".root.json") }

  /// The number of a file, for what edges keep.
  func fileNumber(_ path: String) -> Int {
    if let number = fileNumbers[path] { return number }
    fileNumbers[path] = fileNumbers.count
    return fileNumbers.count - 1
  }

  private func targetsNumber(_ bytes: [UInt8]) -> UInt16 {
    if bytes.isEmpty { return 0 }
    if let number = targetsNumbers[bytes] { return number }
    targetsNumbers[bytes] = UInt16(targetsNumbers.count + 1)
    return UInt16(targetsNumbers.count)
  }

  /// Numbers trusted metadata. Each file has to be one that the publisher has published.
  private func number(of files: [String: [UInt8]]) throws -> UInt16 {
    if let number = storedNumbers[files] { return number }
    for (role, bytes) in files where !origin.published.contains(bytes) {
      throw Violation("a client trusts metadata of '\(role)' that the publisher has not published")
    }
    let number = UInt16(stored.count)
    stored.append(
      Stored(
        files: files, root: Self.version(of: files["root"]), timestamp: Self.version(of: files["timestamp"]),
        expiration: files.values.map(Origin.expiration).min() ?? 0))
    storedNumbers[files] = number
    return number
  }

  private static func version(of bytes: [UInt8]?) -> Int {
    guard let bytes, case .literal(let text)? = JSONTree(reading: bytes)["signed"]?["version"] else { return 0 }
    return Int(text) ?? 0
  }

  // MARK: Targets

  /// Reads a chosen file from an edge. Returns the refusal; nil if the file may run.
  func download(_ selection: Selection, by client: RepositoryClient, from view: View) async throws -> TrustError.Kind? {
    let version = selection.publication.version
    let key = view.number << 8 | version
    if let known = downloads[key] { return known }
    var refusal: TrustError.Kind?
    do throws(TrustError) {
      let bytes = try await client.read(selection.target, from: try files(view))
      guard bytes == origin.versions[version] else { throw TrustError(.storage, "", "") }
    } catch {
      guard error.kind != .storage else { throw Violation("a client takes bytes that the publisher has not published") }
      refusal = error.kind
    }
    downloads[key] = .some(refusal)
    return refusal
  }

  private func files(_ view: View) throws(TrustError) -> MemoryFiles {
    guard let files = try? views.files(of: view) else { throw TrustError(.storage, "", "") }
    return files.targets
  }
}
