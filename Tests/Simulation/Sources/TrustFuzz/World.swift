import Crypto
import Foundation
import RepositoryFiles
import StreamSharing

/// A repository with all its keys, at two times, and another one.
struct World {
  static let start: Int64 = 1_800_000_000
  static let now = start + 60
  static let roles = ["root", "timestamp", "snapshot", "targets", "team"]

  let signers: [String: Signer]
  /// The files of metadata, before the last publication and after it.
  let old: [String: [UInt8]]
  let new: [String: [UInt8]]
  let targets: [String: [UInt8]]
  /// The files that the publisher has published as metadata.
  let honestMetadata: Set<[UInt8]>
  let other: [String: [UInt8]]
  /// The names of the newest files, by role.
  let names: [String: String]
  /// The metadata that clients trust: the root alone, the repository of the earlier time, and the newest one.
  let stores: [[String: [UInt8]]]

  init(seed: UInt64) async throws {
    var signers: [String: Signer] = [:]
    for role in Self.roles { signers[role] = try Signer(seed: "\(seed) \(role)") }
    self.signers = signers
    let folder = NSTemporaryDirectory() + "trust-fuzz-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var repository = try Self.make(folder, signers)
    old = try MemoryFiles.files(below: folder + "/metadata")
    try Self.publish(2, &repository)
    new = try MemoryFiles.files(below: folder + "/metadata")
    targets = try MemoryFiles.files(below: folder + "/targets")
    honestMetadata = Set(old.values).union(new.values)
    honestTargets = Set(targets.values)
    var others: [String: Signer] = [:]
    for role in Self.roles { others[role] = try Signer(seed: "other \(seed) \(role)") }
    var another = try Self.make(folder + "-other", others)
    defer { try? FileManager.default.removeItem(atPath: folder + "-other") }
    try Self.publish(2, &another)
    other = try MemoryFiles.files(below: folder + "-other/metadata")
    names = Self.names(in: new)
    let root = ["root": new["1.root.json"] ?? []]
    stores = [root, try await Self.followed(root, old), try await Self.followed(root, new)]
  }

  private static func make(_ folder: String, _ signers: [String: Signer]) throws -> Repository {
    var authorities: [RoleName: RoleAuthority] = [:]
    for role in RoleName.allCases {
      guard let signer = signers[role.rawValue] else { continue }
      authorities[role] = RoleAuthority([signer.key])
    }
    var repository = try Repository.create(in: folder, authorities: authorities, now: start)
    guard let team = signers["team"] else { return repository }
    try repository.delegate(["team/*"], to: "team", RoleAuthority([team.key]), now: start)
    try publish(1, &repository)
    return repository
  }

  private static func publish(_ number: Int, _ repository: inout Repository) throws {
    let bytes = Array("{\"stream\": [{\"value\": \(number)}]}".utf8)
    let rollout = Rollout(percent: 50, salt: "salt", where: "client.build > 1")
    for (role, name) in [("targets", "fraud"), ("team", "team/alarm")] {
      let candidate = Publication(version: number + 1, content: "sha256:b", requires: ["acme.smooth"], time: start)
      let stable = Publication(
        version: number, content: "sha256:a", behavior: "sha256:c", notes: "a note", time: start,
        candidates: [Publication.Candidate(path: "\(name)@\(number + 1).json", rollout: rollout)])
      try repository.publish(
        [
          .init(path: "\(name).json", bytes: bytes, custom: stable.custom),
          .init(path: "\(name)@\(number + 1).json", bytes: bytes + [10], custom: candidate.custom),
        ], as: role, now: start)
    }
  }

  /// The newest file of each role.
  private static func names(in files: [String: [UInt8]]) -> [String: String] {
    var names = ["root": "1.root.json", "timestamp": "timestamp.json"]
    for role in ["snapshot", "targets", "team"] {
      let numbers = files.keys.compactMap { name in
        name.hasSuffix(".\(role).json") ? Int(name.prefix { $0 != "." }) : nil
      }
      names[role] = "\(numbers.max() ?? 0).\(role).json"
    }
    return names
  }

  private static func followed(
    _ store: [String: [UInt8]], _ metadata: [String: [UInt8]]
  ) async throws -> [String: [UInt8]] {
    let files = MemoryFiles(store)
    var client = try RepositoryClient(metadata: MemoryFiles(metadata), store: files, now: now)
    try await client.refresh()
    _ = try await client.target("team/alarm.json")
    return files.files
  }

  func bytes(_ role: String) -> [UInt8] { new[names[role] ?? ""] ?? [] }

  func signer(_ role: String) -> Signer {
    guard let signer = signers[role] else { preconditionFailure("every role has a key") }
    return signer
  }

  /// The files that the publisher has published as targets.
  let honestTargets: Set<[UInt8]>

  /// Hexadecimal digits of the SHA-256.
  static func hash(_ bytes: [UInt8]) -> String {
    SHA256.hash(data: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
