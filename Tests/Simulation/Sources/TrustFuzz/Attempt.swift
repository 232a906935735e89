import RepositoryFiles
import StreamTesting

/// Files of a hostile repository, and the client that reads them.
struct Attempt {
  enum Kind: String, CaseIterable {
    /// A value or member of the signed part is changed.
    case signedPart = "signed part"
    /// The same, signed again by the role's key.
    case resigned
    /// The same, and its description in the parents is replaced and signed again, too.
    case chain
    /// Anything in the file is changed, the signatures among it.
    case document
    case bytes
    /// The file of another role, time or repository.
    case exchanged
    /// The signatures of another role or by another key, or repeated.
    case signatures
    /// The files of targets are changed.
    case target
  }

  let kind: Kind
  let role: String
  var metadata: [String: [UInt8]]
  var targets: [String: [UInt8]]
  let store: [String: [UInt8]]

  /// Whether the owners of the keys have signed the changes, so that they may be accepted.
  var isSigned: Bool { kind == .chain || (kind == .resigned && (role == "timestamp" || role == "root")) }

  init(_ world: World, _ mutation: inout Mutation) {
    let kinds: [Kind] = [
      .signedPart, .resigned, .resigned, .chain, .chain, .chain, .document, .bytes, .exchanged, .signatures, .target,
    ]
    kind = mutation.pick(kinds)
    role = mutation.pick(World.roles)
    metadata = world.new
    targets = world.targets
    // A client that has the newest files reads few, and is less of a test.
    store = mutation.pick(world.stores + world.stores.dropLast())
    make(world, &mutation)
  }

  private mutating func make(_ world: World, _ mutation: inout Mutation) {
    let document = JSONTree(reading: world.bytes(role))
    guard var signed = document["signed"] else { return }
    if role == "root" { signed = signed.setting("version", .literal("2")) }
    switch kind {
    case .signedPart: place(document.setting("signed", changed(signed, &mutation)).bytes, world)
    case .resigned, .chain:
      let changed = changed(signed, &mutation)
      place(Signer.document(changed, by: [world.signer(role)]).bytes, world)
      if kind == .chain { describe(world) }
    case .document: place(changed(document, &mutation).bytes, world)
    case .bytes:
      var bytes = world.bytes(role)
      for _ in 0...mutation.below(3) { mutation.damage(&bytes) }
      place(bytes, world)
    case .exchanged: exchange(world, &mutation)
    case .signatures: place(sign(document, signed, world, &mutation).bytes, world)
    case .target:
      let path = mutation.pick(targets.keys.sorted())
      for _ in 0...mutation.below(2) {
        if mutation.below(6) == 0 {
          targets[path] = mutation.pick(targets.values.sorted { $0.lexicographicallyPrecedes($1) })
        } else {
          mutation.damage(&targets[path, default: []])
        }
      }
    }
  }

  private func changed(_ tree: JSONTree, _ mutation: inout Mutation) -> JSONTree {
    var tree = tree
    for _ in 0...(mutation.below(4) == 0 ? mutation.below(4) : 0) { tree = mutation.change(tree) }
    return tree
  }

  /// Puts a file where a client reads the role.
  private mutating func place(_ bytes: [UInt8], _ world: World) {
    metadata[role == "root" ? "2.root.json" : world.names[role] ?? role] = bytes
  }

  private mutating func exchange(_ world: World, _ mutation: inout Mutation) {
    switch mutation.below(3) {
    case 0: place(world.bytes(mutation.pick(World.roles)), world)
    case 1:
      let files = mutation.pick([world.old, world.other])
      place(files[mutation.pick(files.keys.sorted())] ?? [], world)
    default:
      // The names that the client asks for, with the content of the other repository, in part.
      for (name, bytes) in world.other.sorted(by: { $0.key < $1.key }) where mutation.below(3) == 0 {
        metadata[name] = bytes
      }
      if mutation.below(2) == 0 { metadata["2.root.json"] = world.other["1.root.json"] }
    }
  }

  private func sign(
    _ document: JSONTree, _ signed: JSONTree, _ world: World, _ mutation: inout Mutation
  ) -> JSONTree {
    let others = World.roles.filter { $0 != role }
    let other = mutation.pick(others)
    switch mutation.below(5) {
    case 0: return Signer.document(signed, by: [world.signer(other)])
    case 1: return Signer.document(signed, by: others.map(world.signer))
    case 2:
      return document.setting("signatures", JSONTree(reading: world.bytes(other))["signatures"] ?? .array([]))
    case 3: return Signer.document(signed, by: [world.signer(role), world.signer(role)])
    default:
      // The signature of another key under the ID of the right one.
      let signature = world.signer(other).signature(of: signed).setting("keyid", .string(world.signer(role).key.id))
      return document.setting("signatures", .array([signature])).setting("signed", signed)
    }
  }

  /// States the new files in the roles above, and signs these.
  private mutating func describe(_ world: World) {
    var child = role
    let parents = ["team": "snapshot", "targets": "snapshot", "snapshot": "timestamp"]
    while let parent = parents[child] {
      let bytes = metadata[world.names[child] ?? ""] ?? []
      let document = JSONTree(reading: world.bytes(parent))
      guard let signed = document["signed"], let meta = signed["meta"], let entry = meta["\(child).json"] else {
        return
      }
      let described = entry.setting("length", .literal(String(bytes.count)))
        .setting("hashes", .object([.init("sha256", .string(World.hash(bytes)))]))
      let changed = signed.setting("meta", meta.setting("\(child).json", described))
      metadata[world.names[parent] ?? ""] = Signer.document(changed, by: [world.signer(parent)]).bytes
      child = parent
    }
  }
}
