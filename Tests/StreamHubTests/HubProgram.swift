#if Sharing
import Foundation
import StreamCore
import StreamFiles
import StreamSharing

@testable import StreamHub

/// The command `streamhub`.
enum HubProgram {
  /// The program beside the tests, or in `.build`.
  static let url: URL = {
    let beside = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
      .appendingPathComponent("streamhub")
    if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
    return URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent(".build/debug/streamhub")
  }()
}

/// Keys that never change.
struct FixedKeys: HubKeys {
  let keys: [SigningKey]

  var stamp: [String: FileStamp] { [:] }

  func read(for repository: Repository) -> HubKeyReading { HubKeyReading(keys: keys) }
}

extension FolderRepository {
  convenience init(_ folder: String, keys: [SigningKey]) throws { try self.init(folder, keys: FixedKeys(keys: keys)) }
}

/// A new repository in a folder.
struct NewRepository {
  let path: String
  /// The keys of all roles but the root.
  let keys: [SigningKey]

  init(in path: String) throws {
    self.path = path
    var keys: [SigningKey] = []
    var authorities: [RoleName: RoleAuthority] = [:]
    for role in RoleName.allCases {
      let key = try SigningKey.generate(.ed25519)
      authorities[role] = RoleAuthority([key])
      if role != .root { keys.append(key) }
    }
    self.keys = keys
    _ = try Repository.create(in: path, authorities: authorities, now: SystemClock.seconds)
  }
}
#endif
