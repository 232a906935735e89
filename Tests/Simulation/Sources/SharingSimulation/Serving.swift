import RepositoryFiles
import StreamSharing

/// The kinds of files that an edge of the CDN serves.
enum Serving: Int, CaseIterable {
  case honest
  /// Targets with one other byte.
  case tampered
  /// Targets with bytes added.
  case longer
  /// The newest timestamp with the snapshot before.
  case olderSnapshot
  /// The newest snapshot with the targets before.
  case olderTargets
  /// All metadata of another repository.
  case foreign
  /// And its root, as if it were the next one.
  case foreignRoot
  /// A file of the thief of the targets key behind the honest snapshot.
  case stolenTargets
  /// The thief signs the snapshot and the timestamp, too, with the only key that he has.
  case stolenAll
}

/// The files that clients of an edge see: their kind, the time of their timestamp, and the number of the newest root.
struct View: Hashable {
  var serving: Serving
  var timestamp: Int
  var newestRoot: Int

  var number: Int { (serving.rawValue << 8 | timestamp) << 2 | newestRoot }
}

/// Makes the files of views.
final class Views {
  struct Files {
    let metadata: [String: [UInt8]]
    let targets: MemoryFiles
  }

  private let origin: Origin
  private let foreign: Origin
  private var made: [Int: Files] = [:]

  init(_ origin: Origin, foreign: Origin) {
    self.origin = origin
    self.foreign = foreign
  }

  func files(of view: View) throws -> Files {
    if let files = made[view.number] { return files }
    let files = try make(view)
    made[view.number] = files
    return files
  }

  private func make(_ view: View) throws -> Files {
    let epoch = origin.epochs[view.timestamp]
    var metadata = epoch.metadata
    // The roots of later times, as far as the edge has them.
    for number in 1...view.newestRoot {
      metadata["\(number).root.json"] = origin.epochs[origin.epoch].metadata["\(number).root.json"]
    }
    for number in 1...epoch.newestRoot where number > view.newestRoot { metadata["\(number).root.json"] = nil }
    metadata["timestamp.json"] = epoch.timestamp
    var targets = epoch.targets
    let timestamp = JSONTree(reading: epoch.timestamp)
    let snapshotNumber = Self.version("snapshot", in: timestamp)
    guard let snapshotBytes = epoch.metadata["\(snapshotNumber).snapshot.json"] else {
      throw Violation("a timestamp names a snapshot that the repository lacks")
    }
    let snapshot = JSONTree(reading: snapshotBytes)
    let targetsNumber = Self.version("targets", in: snapshot)
    switch view.serving {
    case .honest: break
    case .tampered: targets = targets.mapValues { [$0[0] ^ 1] + $0.dropFirst() }
    case .longer: targets = targets.mapValues { $0 + [32] }
    case .olderSnapshot:
      metadata["\(snapshotNumber).snapshot.json"] = epoch.metadata["\(max(snapshotNumber - 1, 1)).snapshot.json"]
    case .olderTargets:
      metadata["\(targetsNumber).targets.json"] = epoch.metadata["\(max(targetsNumber - 1, 1)).targets.json"]
    case .foreign, .foreignRoot:
      let other = foreign.epochs[foreign.epoch]
      metadata = other.metadata.merging(["timestamp.json": other.timestamp]) { $1 }
      metadata["2.root.json"] = view.serving == .foreignRoot ? metadata["1.root.json"] : nil
      targets = other.targets
    case .stolenTargets, .stolenAll:
      guard let bytes = metadata["\(targetsNumber).targets.json"] else {
        throw Violation("a snapshot names targets that the repository lacks")
      }
      let evil = Array("{\"stream\": [{\"value\": 666}]}".utf8)
      let next = view.serving == .stolenAll ? 1 : 0
      let signed = Self.evil(JSONTree(reading: bytes), version: targetsNumber + next)
      metadata["\(targetsNumber + next).targets.json"] = Signer.document(signed, by: [origin.stolen]).bytes
      targets = targets.mapValues { _ in evil }
      guard view.serving == .stolenAll else { break }
      for (name, document, child, childVersion) in [
        ("\(snapshotNumber + 1).snapshot.json", snapshot, "targets", targetsNumber + 1),
        ("timestamp.json", timestamp, "snapshot", snapshotNumber + 1),
      ] {
        metadata[name] = Signer.document(Self.raised(document, child, childVersion), by: [origin.stolen]).bytes
      }
    }
    return Files(metadata: metadata, targets: MemoryFiles(targets))
  }

  private static func version(_ role: String, in document: JSONTree) -> Int {
    guard case .literal(let text)? = document["signed"]?["meta"]?["\(role).json"]?["version"],
      let version = Int(text)
    else { preconditionFailure("honest metadata state versions") }
    return version
  }

  /// The targets, each with the thief's description.
  private static func evil(_ document: JSONTree, version: Int) -> JSONTree {
    guard let signed = document["signed"], case .object(let targets)? = signed["targets"] else { return document }
    let changed = targets.map { member in
      JSONTree.Member(member.name, member.value.setting("length", .literal("28")))
    }
    return signed.setting("version", .literal(String(version))).setting("targets", .object(changed))
  }

  /// The next version of a snapshot or timestamp, without hashes.
  private static func raised(_ document: JSONTree, _ child: String, _ version: Int) -> JSONTree {
    guard let signed = document["signed"] else { return document }
    let meta = JSONTree.object([
      .init("\(child).json", .object([.init("version", .literal(String(version)))]))
    ])
    return signed.setting("version", .literal("900")).setting("meta", meta)
  }
}
