import Foundation
import RepositoryFiles
import StreamCore
import StreamSharing

/// The publisher's repository: a real one in a temporary folder, with its states after each change.
final class Origin {
  static let start: Int64 = 1_800_000_000
  static let name = "checkout/fraud"

  /// The files after a change. Old files stay, as on a server.
  struct Epoch {
    let timestamp: [UInt8]
    /// All other metadata so far.
    let metadata: [String: [UInt8]]
    let targets: [String: [UInt8]]
    let newestRoot: Int
  }

  private let folder: String
  private var publisher: RepositoryPublisher
  let name: StreamName
  /// The key of `targets` until its rotation. This key is stolen.
  let stolen: Signer
  private let seed: UInt64
  private(set) var epochs: [Epoch] = []
  /// All metadata that were ever published, byte by byte.
  private(set) var published: Set<[UInt8]> = []
  /// The files of the versions.
  private(set) var versions: [Int: [UInt8]] = [:]
  /// The expirations of all metadata, in the order of their publication.
  private(set) var expirations: [Int64] = []
  /// Indexes of `expirations` by time.
  private var expirationOrder: [Int] = []

  init(seed: UInt64) throws {
    self.seed = seed
    folder = NSTemporaryDirectory() + "sharing-simulation-\(UUID().uuidString)"
    name = try StreamName(Self.name)
    stolen = try Signer(seed: "\(seed) targets")
    var authorities: [RoleName: RoleAuthority] = [:]
    for role in RoleName.allCases {
      authorities[role] = RoleAuthority([try Signer(seed: "\(seed) \(role.rawValue)").key])
    }
    publisher = RepositoryPublisher(try Repository.create(in: folder, authorities: authorities, now: Self.start))
    try read()
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The first root, which apps ship with.
  var root: [UInt8] {
    guard let root = epochs[0].metadata["1.root.json"] else { preconditionFailure("a repository has a root") }
    return root
  }

  var epoch: Int { epochs.count - 1 }

  // MARK: Changes

  /// The file of a version.
  private static func file(_ version: Int) -> [UInt8] { Array("{\"stream\": [{\"value\": \(version)}]}".utf8) }

  func publish(_ version: Int, percent: Int? = nil, at now: Int) throws {
    let rollout = percent.map { Rollout(percent: $0, salt: "fraud-\(version)") }
    let draft = try Draft(name, Self.file(version), rollout: rollout)
    guard case .published(let publication) = try publisher.publish(draft, now: Self.start + Int64(now)),
      publication.version == version
    else { throw Violation("version \(version) was published under another number") }
    versions[version] = draft.bytes
    try read()
  }

  func promote(percent: Int?, at now: Int) throws {
    try publisher.promote(name, percent: percent, now: Self.start + Int64(now))
    try read()
  }

  func halt(reason: String, at now: Int) throws {
    try publisher.halt(name, reason: reason, now: Self.start + Int64(now))
    try read()
  }

  func rotateTargets(at now: Int) throws {
    var repository = publisher.repository
    try repository.rotate(
      [.targets: RoleAuthority([try Signer(seed: "\(seed) next targets").key])], now: Self.start + Int64(now))
    publisher = RepositoryPublisher(repository)
    try read()
  }

  func renew(at now: Int) throws {
    var repository = publisher.repository
    try repository.renew(now: Self.start + Int64(now))
    publisher = RepositoryPublisher(repository)
    try read()
  }

  private func read() throws {
    var metadata = try MemoryFiles.files(below: folder + "/metadata")
    guard let timestamp = metadata.removeValue(forKey: "timestamp.json") else {
      throw Violation("the repository has no timestamp")
    }
    let targets = try MemoryFiles.files(below: folder + "/targets")
    let roots = metadata.keys.count { $0.hasSuffix(".root.json") }
    epochs.append(Epoch(timestamp: timestamp, metadata: metadata, targets: targets, newestRoot: roots))
    let files = metadata.sorted { $0.key < $1.key }.map(\.value) + [timestamp]
    for bytes in files where published.insert(bytes).inserted {
      add(Self.expiration(of: bytes))
    }
  }

  // MARK: Expirations

  /// The expiration that metadata state, in seconds since 1970.
  static func expiration(of metadata: [UInt8]) -> Int64 {
    guard case .string(let text)? = JSONTree(reading: metadata)["signed"]?["expires"],
      let time = Timestamp(rfc3339: text)
    else { preconditionFailure("honest metadata expire") }
    return time.seconds
  }

  private func add(_ expiration: Int64) {
    guard !expirations.contains(expiration) else { return }
    expirations.append(expiration)
    expirationOrder = expirations.indices.sorted { expirations[$0] < expirations[$1] }
  }

  /// The last expiration that has passed at a time, as its index plus 1; 0 if none has.
  ///
  /// Between two expirations the time of a client changes nothing. New expirations do not change the index of an old one,
  /// and a time that is given the same index is on the same side of them.
  func passedExpiration(at time: Int64) -> Int {
    guard let last = expirationOrder.last(where: { expirations[$0] <= time }) else { return 0 }
    return last + 1
  }

  /// A time with this index.
  func time(ofPassed index: Int) -> Int64 { index == 0 ? Self.start : expirations[index - 1] }
}

/// A promise that does not hold.
struct Violation: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
