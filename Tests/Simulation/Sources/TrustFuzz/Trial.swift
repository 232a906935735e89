import RepositoryFiles
import StreamCore
import StreamSharing

/// One client that reads hostile files, and the check of what it says.
struct Trial {
  private(set) var refusal: TrustError?
  /// A rule that the client breaks; nil if it breaks none.
  private(set) var problem: String?
  /// Targets that could not be chosen or read.
  private(set) var refusedTargets = 0

  init(_ attempt: Attempt, _ world: World) async {
    let store = MemoryFiles(attempt.store)
    let targets = MemoryFiles(attempt.targets)
    do throws(TrustError) {
      var client = try RepositoryClient(metadata: MemoryFiles(attempt.metadata), store: store, now: World.now)
      try await client.refresh()
      // The delegated role is read with its targets.
      for path in ["fraud.json", "team/alarm.json"] { await choose(path, &client, targets, attempt, world) }
      _ = try await client.paths()
      _ = try await client.streams()
    } catch {
      refusal = error
      check(error)
    }
    checkStore(store, attempt, world)
  }

  private mutating func choose(
    _ path: String, _ client: inout RepositoryClient, _ targets: MemoryFiles, _ attempt: Attempt, _ world: World
  ) async {
    for (id, build) in [("a", 1), ("b", 2)] as [(String, Int64)] {
      do throws(TrustError) {
        let selection = try await client.select(
          path, for: SharingClient(id: id, attributes: ValueMap([("build", .int(build))])), providing: { _ in true })
        let bytes = try await client.read(selection.target, from: targets)
        if bytes.count != selection.target.length { problem = "a target has another length than the signed one" }
        if !attempt.isSigned, !world.honestTargets.contains(bytes) {
          problem = "a target has bytes that nobody has signed"
        }
      } catch {
        refusedTargets += 1
        check(error)
      }
    }
  }

  private mutating func check(_ error: TrustError) {
    if error.subject.isEmpty || error.reason.isEmpty { problem = "a refusal without a subject or a reason: \(error)" }
    if error.description.utf8.count > 20_000 { problem = "a refusal of \(error.description.utf8.count) bytes" }
  }

  /// Without signatures of the owners, a client trusts what it trusted, or what the honest repository has or had, and no
  /// older version.
  private mutating func checkStore(_ store: MemoryFiles, _ attempt: Attempt, _ world: World) {
    for (role, bytes) in store.files where bytes != attempt.store[role] {
      if let before = attempt.store[role], Self.version(of: bytes) < Self.version(of: before) {
        problem = "the client goes back to an older '\(role)'"
      }
      guard !attempt.isSigned, World.roles.contains(role), !world.honestMetadata.contains(bytes) else { continue }
      // White space and the order of members are not signed.
      if JSONTree(checking: bytes)?["signed"]?.canonicalBytes
        != JSONTree(reading: world.bytes(role))["signed"]?.canonicalBytes
      {
        problem = "the client trusts a '\(role)' that its owners have not signed"
      }
    }
  }

  private static func version(of bytes: [UInt8]) -> Int64 {
    guard case .literal(let text)? = JSONTree(checking: bytes)?["signed"]?["version"] else { return 0 }
    return Int64(text) ?? 0
  }
}
