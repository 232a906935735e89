internal import StreamCore
internal import StreamFiles
internal import StreamSharing
internal import Synchronization

/// The source of the keys that a hub signs with.
protocol HubKeys: Sendable {
  /// The state of the source, which differs when there are other keys.
  var stamp: [String: FileStamp] { get }

  /// Reads the keys of a repository's roles, that of the root excepted.
  func read(for repository: Repository) -> HubKeyReading
}

/// The keys that a hub has for a repository.
struct HubKeyReading: Sendable {
  var keys: [SigningKey] = []
  /// Whether the hub has, or has had, keys for the snapshot or the timestamp. Without any, it serves what others publish.
  var isMeantToSign = false
  /// The reason why a key is not used; nil if there is none.
  var problem: TrustError?
}

/// The keys in a folder, which may be replaced while the hub runs: `streamhub keys rotate`, or a copy.
final class WatchedKeys: HubKeys {
  private struct State {
    let folder: KeyFolder
    /// The keys that were read, by path, so that each is decrypted once.
    var known: [String: (stamp: FileStamp, key: SigningKey)] = [:]
    var isMeantToSign = false
    var lock: ProcessLock?
  }

  private let path: String
  private let passphraseFile: String?
  private let repository: String
  private let state: Mutex<State>

  /// - Parameters:
  ///   - path: The folder of the keys, which may not exist.
  ///   - passphraseFile: A file whose first line is their passphrase.
  ///   - repository: The folder of the repository: one hub signs it.
  init(_ path: String, passphraseFile: String?, signing repository: String) {
    self.path = path
    self.passphraseFile = passphraseFile
    self.repository = repository
    state = Mutex(State(folder: KeyFolder(path: path, passphrases: PassphraseReader(file: passphraseFile))))
  }

  /// Stops asking for passphrases.
  func detach() { state.withLock { $0.folder.passphrases.isAttended = false } }

  var stamp: [String: FileStamp] {
    let names = (try? Directory.names(in: path)) ?? []
    let files = names.map { Path.join(path, $0) } + [passphraseFile].compactMap(\.self)
    return Dictionary(files.compactMap { file in FileStamp(file).map { (file, $0) } }) { first, _ in first }
  }

  func read(for repository: Repository) -> HubKeyReading {
    state.withLock { state in
      var reading = HubKeyReading()
      do throws(TrustError) {
        reading.keys = try keys(of: repository, &state, &reading.problem)
        if !reading.keys.isEmpty, state.lock == nil { state.lock = try takeLock() }
      } catch {
        (reading.keys, reading.problem) = ([], error)
      }
      reading.isMeantToSign = state.isMeantToSign
      return reading
    }
  }

  private static let online = [RoleName.snapshot.rawValue, RoleName.timestamp.rawValue]

  private func keys(
    of repository: Repository, _ state: inout State, _ problem: inout TrustError?
  ) throws(TrustError) -> [SigningKey] {
    guard Directory.isDirectory(path) else {
      state.known = [:]
      return []
    }
    var (ids, onlineIDs) = (Set<String>(), Set<String>())
    for role in repository.roleNames where role != RoleName.root.rawValue {
      let keys = try repository.authority(of: role).ids
      ids.formUnion(keys)
      if Self.online.contains(role) { onlineIDs.formUnion(keys) }
    }
    var found: [String: (stamp: FileStamp, key: SigningKey)] = [:]
    for entry in try state.folder.entries {
      // A key that was replaced shows as well that this hub signs.
      if Self.online.contains(where: { Path.name(of: entry.path).hasPrefix($0 + "-") }) { state.isMeantToSign = true }
      guard entry.mayBe(ids), let stamp = FileStamp(entry.path) else { continue }
      if let known = state.known[entry.path], known.stamp == stamp {
        found[entry.path] = known
        continue
      }
      do throws(TrustError) {
        found[entry.path] = (stamp, try state.folder.passphrases.open(entry.path))
      } catch {
        problem = problem ?? error
      }
    }
    state.known = found
    let keys = found.values.map(\.key).filter { ids.contains($0.id) }
    if keys.contains(where: { onlineIDs.contains($0.id) }) { state.isMeantToSign = true }
    return keys
  }

  private func takeLock() throws(TrustError) -> ProcessLock {
    let path = Path.join(repository, ".lock")
    let lock: ProcessLock?
    do throws(SystemError) {
      lock = try ProcessLock.take(path)
    } catch {
      throw TrustError(.storage, repository, error.diagnostic(writing: path).message)
    }
    guard let lock else { throw TrustError(.storage, repository, "another hub signs the repository in this folder") }
    return lock
  }
}
