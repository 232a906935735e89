internal import CLibrary
public import StreamCore

/// A repository in a folder, as its publishers see it: `metadata/` and `targets/`, with consistent snapshots.
///
/// Every change writes new files and replaces `timestamp.json` last, so that clients, also after a crash, see the
/// repository before the change or after it. Publishers of one folder take turns, and each has to open the repository
/// again after a change of another one.
public struct Repository: Sendable {
  let storage: any RepositoryStorage
  /// The keys at hand, by their IDs.
  private(set) var keys: [String: SigningKey]
  private let lifetimes: Lifetimes
  /// The signed parts of the newest metadata, by role.
  private(set) var signed: [String: ValueMap]

  // MARK: Creating and opening

  /// Creates a repository without targets.
  ///
  /// - Parameters:
  ///   - folder: A folder, which is created if necessary, without a repository in it.
  ///   - authorities: The keys of every top-level role.
  ///   - lifetimes: The time until metadata expire.
  ///   - now: The current time, in seconds since 1970.
  public static func create(
    in folder: String, authorities: [RoleName: RoleAuthority], lifetimes: Lifetimes = Lifetimes(), now: Int64
  ) throws(TrustError) -> Repository {
    try create(in: FolderStorage(folder: folder), authorities: authorities, lifetimes: lifetimes, now: now)
  }

  /// Creates a repository in a folder.
  ///
  /// - Parameter writeRoot: Keeps the first root elsewhere as well, before the folder is a repository.
  package static func create(
    in folder: String, authorities: [RoleName: RoleAuthority], now: Int64,
    writingRoot writeRoot: ([UInt8]) throws(TrustError) -> Void
  ) throws(TrustError) -> Repository {
    try create(
      in: FolderStorage(folder: folder), authorities: authorities, lifetimes: Lifetimes(), now: now,
      writingRoot: writeRoot)
  }

  static func create(
    in storage: any RepositoryStorage, authorities: [RoleName: RoleAuthority], lifetimes: Lifetimes, now: Int64,
    writingRoot writeRoot: ([UInt8]) throws(TrustError) -> Void = { _ in }
  ) throws(TrustError) -> Repository {
    guard try storage.read("metadata/1.root.json", of: "root") == nil else {
      throw TrustError(.storage, "root", "there is a repository in this folder")
    }
    for name in RoleName.allCases {
      guard let authority = authorities[name] else { throw TrustError(.unsigned, name.rawValue, "there are no keys") }
      try authority.check(name.rawValue)
    }
    try storage.prepare()
    var repository = Repository(
      storage: storage, keys: authorities.values.flatMap(\.keys), lifetimes: lifetimes, signed: [:])
    repository.signed["root"] = root(authorities)
    repository.signed["targets"] = ValueMap([("targets", .map(ValueMap()))])
    repository.signed["snapshot"] = ValueMap([("meta", .map(ValueMap()))])
    repository.signed["timestamp"] = ValueMap([("meta", .map(ValueMap()))])
    let root = try repository.advance("root", now)
    try repository.publish(["targets"], now)
    try writeRoot(root)
    // Last: a folder without a root is not a repository.
    try repository.write(root, "root")
    return repository
  }

  private static func root(_ authorities: [RoleName: RoleAuthority]) -> ValueMap {
    var keys = ValueMap()
    var roles = ValueMap()
    for name in RoleName.allCases {
      guard let authority = authorities[name] else { continue }
      for key in authority.keys { keys = keys.setting(key.id, key.published) }
      roles = roles.setting(name.rawValue, .map(authority.published))
    }
    return ValueMap([("consistent_snapshot", true), ("keys", .map(keys)), ("roles", .map(roles))])
  }

  /// Opens a repository.
  ///
  /// - Parameters:
  ///   - folder: The folder of the repository.
  ///   - keys: The keys of this publisher; a change fails if its roles need others.
  ///   - lifetimes: The time until new metadata expire.
  public init(opening folder: String, keys: [SigningKey], lifetimes: Lifetimes = Lifetimes()) throws(TrustError) {
    try self.init(opening: FolderStorage(folder: folder), named: folder, keys: keys, lifetimes: lifetimes)
  }

  /// - Parameter name: The repository in errors.
  init(
    opening storage: any RepositoryStorage, named name: String, keys: [SigningKey], lifetimes: Lifetimes = Lifetimes()
  ) throws(TrustError) {
    self.init(storage: storage, keys: keys, lifetimes: lifetimes, signed: [:])
    guard let newest = try newestRoot() else {
      throw TrustError(.notFound, name, "there is no repository in this folder")
    }
    signed["root"] = try load("root", "\(newest).root.json")
    signed["timestamp"] = try load("timestamp", "timestamp.json")
    signed["snapshot"] = try load("snapshot", "\(version(of: "snapshot", in: "timestamp")).snapshot.json")
    for file in signed["snapshot"]?["meta"]?.memberNames ?? [] where file.hasSuffix(".json") {
      let role = String(file.dropLast(5))
      let version = version(of: role, in: "snapshot")
      signed[role] = try load(role, "\(version).\(role).json")
    }
  }

  init(
    storage: any RepositoryStorage, keys: [SigningKey], lifetimes: Lifetimes = Lifetimes(), signed: [String: ValueMap]
  ) {
    self.storage = storage
    self.keys = Dictionary(keys.map { ($0.id, $0) }) { first, _ in first }
    self.lifetimes = lifetimes
    self.signed = signed
  }

  private func newestRoot() throws(TrustError) -> Int? {
    var newest = 0
    while try storage.read("metadata/\(newest + 1).root.json", of: "root") != nil {
      newest += 1
    }
    return newest == 0 ? nil : newest
  }

  private func load(_ role: String, _ file: String) throws(TrustError) -> ValueMap {
    guard let bytes = try storage.read("metadata/\(file)", of: role) else {
      throw TrustError(.storage, role, "there is no file '\(file)'")
    }
    return try MetadataReader(bytes: bytes, subject: role)["signed"].map
  }

  private func version(of role: String, in parent: String) -> Int64 {
    guard case .int(let version)? = signed[parent]?["meta"]?.member("\(role).json")?.member("version") else { return 0 }
    return version
  }

  /// Adds keys to those at hand.
  public mutating func add(_ more: [SigningKey]) {
    keys.merge(more.map { ($0.id, $0) }) { first, _ in first }
  }

  // MARK: Changes

  /// A file to publish.
  public struct Addition: Sendable {
    /// The path within the repository, for example `checkout/fraud.json`: names that slashes separate.
    public var path: String
    /// The content; nil if only the description of a file that the repository has is replaced.
    public var bytes: [UInt8]?
    /// The member `custom`, an object; nil for none.
    public var custom: Value?

    public init(path: String, bytes: [UInt8]?, custom: Value? = nil) {
      self.path = path
      self.bytes = bytes
      self.custom = custom
    }
  }

  /// Publishes files, replacing those of the same paths.
  ///
  /// - Parameters:
  ///   - additions: The files.
  ///   - removed: The paths of files that are removed.
  ///   - role: The role that signs them: `targets`, or one that their paths are delegated to.
  ///   - now: The current time, in seconds since 1970.
  public mutating func publish(
    _ additions: [Addition], removing removed: [String] = [], as role: String = "targets", now: Int64
  ) throws(TrustError) {
    try change { changed throws(TrustError) in
      guard let content = changed.signed[role], case .map(var targets)? = content["targets"] else {
        throw TrustError(.notFound, role, "the repository has no such role")
      }
      for addition in additions {
        targets = targets.setting(addition.path, try changed.description(of: addition, among: targets))
      }
      for path in removed {
        guard targets[path] != nil else { throw TrustError(.notFound, path, "'\(role)' has no such target") }
        targets = targets.removing(path)
      }
      changed.signed[role] = content.setting("targets", .map(targets))
      try changed.publish([role], now)
    }
  }

  /// Writes the file of an addition, and returns its description for metadata.
  private func description(of addition: Addition, among targets: ValueMap) throws(TrustError) -> Value {
    let names = try Self.names(of: addition.path)
    var published: ValueMap
    if let bytes = addition.bytes {
      let file = FileDescription(of: bytes)
      published = file.published
      try write(bytes, of: file, at: names)
    } else {
      guard case .map(let known)? = targets[addition.path] else {
        throw TrustError(.notFound, addition.path, "the repository has no such target")
      }
      published = known.removing("custom")
    }
    if let custom = addition.custom { published = published.setting("custom", custom) }
    return .map(published)
  }

  /// Makes a change while no other publisher can, and keeps it once it is complete.
  ///
  /// - Throws: `storage` if another publisher has changed the repository since it was opened. Its change stays.
  mutating func change(
    _ make: (inout Repository) throws(TrustError) -> Void
  ) throws(TrustError) {
    var changed = self
    try storage.exclusively { () throws(TrustError) in
      try checkIsNewest()
      try make(&changed)
    }
    self = changed
  }

  private func checkIsNewest() throws(TrustError) {
    guard !storage.isCollection else { return }
    let stored = try load("timestamp", "timestamp.json")
    guard stored["version"] == signed["timestamp"]?["version"], case .int(let root)? = signed["root"]?["version"],
      try storage.read("metadata/\(root + 1).root.json", of: "root") == nil
    else {
      throw TrustError(
        .storage, "timestamp", "another publisher has changed the repository in between; repeat the command")
    }
  }

  /// Delegates paths to a role with keys of its own, which may then publish them.
  ///
  /// - Parameters:
  ///   - paths: Patterns such as `checkout/*`.
  ///   - name: The name of the new role.
  ///   - authority: Its keys.
  ///   - isTerminating: Whether no role of lower priority may have these paths.
  ///   - parent: The role that delegates: `targets`, or a delegated one.
  ///   - now: The current time, in seconds since 1970.
  public mutating func delegate(
    _ paths: [String], to name: String, _ authority: RoleAuthority, isTerminating: Bool = true,
    from parent: String = "targets", now: Int64
  ) throws(TrustError) {
    try authority.check(name)
    try checkNewRole(name)
    try change { changed throws(TrustError) in
      guard let content = changed.signed[parent] else {
        throw TrustError(.notFound, parent, "the repository has no such role")
      }
      var delegations = ValueMap([("keys", .map(ValueMap())), ("roles", .list([]))])
      if case .map(let map)? = content["delegations"] { delegations = map }
      guard case .map(var table)? = delegations["keys"], case .list(var roles)? = delegations["roles"] else {
        throw TrustError(.malformed, parent, "'\(parent)' delegates to bins")
      }
      for key in authority.keys { table = table.setting(key.id, key.published) }
      let role = ValueMap([
        ("name", .string(name)), ("terminating", .bool(isTerminating)), ("paths", .list(paths.map(Value.string))),
      ])
      roles.append(.map(authority.published.pairs.reduce(role) { $0.setting($1.0.text ?? "", $1.1) }))
      delegations = delegations.setting("keys", .map(table)).setting("roles", .list(roles))
      changed.signed[parent] = content.setting("delegations", .map(delegations))
      changed.signed[name] = ValueMap([("targets", .map(ValueMap()))])
      changed.add(authority.keys)
      try changed.publish([name, parent], now)
    }
  }

  /// Checks that paths can be delegated to a new role of a name.
  package func checkNewRole(_ name: String) throws(TrustError) {
    guard RoleName(rawValue: name) == nil, FolderFiles.isName(name), name.utf8.count <= 180 else {
      throw TrustError(
        .unsafeName, name, "a role needs a name of at most 180 bytes without slashes, and not a top-level one")
    }
    guard signed[name] == nil else { throw TrustError(.storage, name, "the repository has this role") }
  }

  /// Replaces the keys of top-level roles by a new version of the root, which the old and the new keys of the root sign.
  public mutating func rotate(_ authorities: [RoleName: RoleAuthority], now: Int64) throws(TrustError) {
    try change { changed throws(TrustError) in
      guard let root = changed.signed["root"], case .map(var table)? = root["keys"],
        case .map(var roles)? = root["roles"]
      else { throw TrustError(.malformed, "root", "the root has no keys") }
      let former = root["roles"]
      for (name, authority) in authorities.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        try authority.check(name.rawValue)
        for key in authority.keys { table = table.setting(key.id, key.published) }
        roles = roles.setting(name.rawValue, .map(authority.published))
      }
      // Keys without a role are removed.
      let used = Set(roles.pairs.flatMap { Self.keyIDs(of: $0.1) })
      for id in table.keys.compactMap(\.text) where !used.contains(id) { table = table.removing(id) }
      changed.signed["root"] = root.setting("keys", .map(table)).setting("roles", .map(roles))
      changed.add(authorities.values.flatMap(\.keys))
      let bytes = try changed.advance("root", now, alsoBy: Self.keyIDs(of: former?.member("root") ?? .null))
      // The old and the new keys of the other roles sign before the root is replaced, so that clients that trust either
      // root find valid signatures at each moment.
      if authorities.keys.contains(where: { $0 != .root }) {
        try changed.publish(authorities.keys.contains(.targets) ? ["targets"] : [], now, alsoBy: former)
      }
      try changed.write(bytes, "root")
    }
  }

  /// Replaces the keys of a delegated role.
  ///
  /// - Parameters:
  ///   - name: The role.
  ///   - authority: Its new keys.
  ///   - now: The current time, in seconds since 1970.
  public mutating func rotate(delegated name: String, _ authority: RoleAuthority, now: Int64) throws(TrustError) {
    try authority.check(name)
    try change { changed throws(TrustError) in
      for (parent, content) in changed.signed {
        guard case .map(let delegations)? = content["delegations"], case .list(var roles)? = delegations["roles"],
          case .map(var keys)? = delegations["keys"],
          let index = roles.firstIndex(where: { $0.member("name") == .string(name) }),
          case .map(let role) = roles[index]
        else { continue }
        for key in authority.keys { keys = keys.setting(key.id, key.published) }
        roles[index] = .map(authority.published.pairs.reduce(role) { $0.setting($1.0.text ?? "", $1.1) })
        let used = Set(roles.flatMap(Self.keyIDs))
        for id in keys.keys.compactMap(\.text) where !used.contains(id) { keys = keys.removing(id) }
        changed.signed[parent] = content.setting(
          "delegations", .map(delegations.setting("keys", .map(keys)).setting("roles", .list(roles))))
        changed.add(authority.keys)
        return try changed.publish([name, parent], now)
      }
      throw TrustError(.notFound, name, "nothing is delegated to this role")
    }
  }

  /// Signs the snapshot and the timestamp again, so that they do not expire, and the roles that are named.
  public mutating func renew(_ roles: [String] = [], now: Int64) throws(TrustError) {
    try change { changed throws(TrustError) in
      if roles.contains("root") {
        let bytes = try changed.advance("root", now)
        try changed.write(bytes, "root")
      }
      try changed.publish(roles.filter { !["root", "snapshot", "timestamp"].contains($0) }, now)
    }
  }

  // MARK: Writing

  /// Writes new versions of roles that list targets, of the snapshot, and of the timestamp, in this order.
  private mutating func publish(_ roles: [String], _ now: Int64, alsoBy former: Value? = nil) throws(TrustError) {
    for role in roles {
      try list(try advance(role, now, alsoBy: Self.keyIDs(of: former?.member(role) ?? .null)), role)
    }
    guard !storage.isCollection else { return }
    for (role, parent) in [("snapshot", "timestamp"), ("timestamp", nil)] {
      let bytes = try advance(role, now, alsoBy: Self.keyIDs(of: former?.member(role) ?? .null))
      try write(bytes, role)
      if let parent { try describe(role, bytes, in: parent) }
    }
  }

  /// Writes the signed metadata of a role, and lists them in the next snapshot.
  private mutating func list(_ metadata: [UInt8], _ role: String) throws(TrustError) {
    try write(metadata, role)
    if !storage.isCollection { try describe(role, metadata, in: "snapshot") }
  }

  /// Writes metadata of a role that were signed elsewhere, and a snapshot with them.
  mutating func publish(signed content: ValueMap, _ metadata: [UInt8], of role: String, now: Int64) throws(TrustError) {
    signed[role] = content
    try list(metadata, role)
    try publish([], now)
  }

  /// States the version, length and hash of a role in another one.
  private mutating func describe(_ role: String, _ bytes: [UInt8], in parent: String) throws(TrustError) {
    guard let content = signed[parent], case .map(let meta)? = content["meta"], let version = signed[role]?["version"]
    else { throw TrustError(.malformed, parent, "there is no member 'meta'") }
    let description = FileDescription(of: bytes).published.setting("version", version)
    signed[parent] = content.setting("meta", .map(meta.setting("\(role).json", .map(description))))
  }

  /// Increments the version of a role and signs it.
  private mutating func advance(
    _ role: String, _ now: Int64, alsoBy former: [String] = []
  ) throws(TrustError) -> [UInt8] {
    guard let content = signed[role] else { throw TrustError(.notFound, role, "the repository has no such role") }
    let type = RoleName(rawValue: role) ?? .targets
    var version: Int64 = 1
    if case .int(let last)? = content["version"] { version = last + 1 }
    let next = content.setting("_type", .string(type.rawValue)).setting("spec_version", "1.0.31")
      .setting("version", .int(version))
      .setting("expires", .string(Timestamp(seconds: now + lifetimes[type]).rfc3339))
    signed[role] = next
    let message = try CanonicalJSON.bytes(.map(next), of: role)
    let (ids, threshold) = try authority(of: role)
    var signatures: [Value] = []
    var count = 0
    for id in ids + former.filter({ !ids.contains($0) }) {
      guard let key = keys[id] else { continue }
      signatures.append(["keyid": .string(id), "sig": .string(try key.signature(of: message))])
      if ids.contains(id) { count += 1 }
    }
    guard count >= threshold else {
      throw TrustError(.unsigned, role, "\(count) of its keys are at hand; \(threshold) have to sign")
    }
    return Array(JSONWriter.pretty(["signatures": .list(signatures), "signed": .map(next)]).utf8)
  }

  /// Whether enough keys of a role are at hand to sign it.
  package func canSign(_ role: String) -> Bool {
    guard let (ids, threshold) = try? authority(of: role) else { return false }
    return Set(ids).count(where: { keys[$0] != nil }) >= threshold
  }

  /// The IDs of the keys of a role, and its threshold.
  package func authority(of role: String) throws(TrustError) -> (ids: [String], threshold: Int64) {
    var found: Value?
    if RoleName(rawValue: role) != nil {
      found = signed["root"]?["roles"]?.member(role)
    } else {
      for parent in signed.values {
        guard case .list(let roles)? = parent["delegations"]?.member("roles") else { continue }
        found = found ?? roles.first { $0.member("name") == .string(role) }
      }
    }
    guard let found, case .int(let threshold)? = found.member("threshold") else {
      throw TrustError(.notFound, role, "nothing is delegated to this role")
    }
    return (Self.keyIDs(of: found), threshold)
  }

  private static func keyIDs(of role: Value) -> [String] {
    guard case .list(let ids)? = role.member("keyids") else { return [] }
    return ids.compactMap(\.text)
  }

  private func write(_ metadata: [UInt8], _ role: String) throws(TrustError) {
    guard case .int(let version)? = signed[role]?["version"] else { return }
    let file = role == "timestamp" ? "timestamp.json" : "\(version).\(role).json"
    try storage.write(metadata, to: "metadata/\(file)", of: role)
  }

  /// The path of a target's file in a repository.
  static func place(of file: FileDescription, at path: String) throws(TrustError) -> String {
    place(of: file, at: try names(of: path))
  }

  private static func place(of file: FileDescription, at names: [String]) -> String {
    (["targets"] + names.dropLast() + ["\(file.preferredHash ?? "").\(names[names.count - 1])"])
      .joined(separator: "/")
  }

  /// Writes a target under its hash.
  func write(_ bytes: [UInt8], of file: FileDescription, at names: [String]) throws(TrustError) {
    try storage.write(bytes, to: Self.place(of: file, at: names), of: names.joined(separator: "/"))
  }

  /// The names in a target's path.
  static func names(of path: String) throws(TrustError) -> [String] {
    let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy(FolderFiles.isName), names.allSatisfy({ $0.utf8.count <= 180 }) else {
      throw TrustError(
        .unsafeName, path, "expected names of at most 180 bytes, with single slashes between them, and neither . nor .."
      )
    }
    return names
  }
}

extension RoleAuthority {
  /// The members `keyids` and `threshold`.
  fileprivate var published: ValueMap {
    ValueMap([("keyids", .list(keys.map { .string($0.id) })), ("threshold", .int(Int64(threshold)))])
  }
}

extension FileDescription {
  /// The members `length` and `hashes`.
  fileprivate var published: ValueMap {
    ValueMap([
      ("length", .int(Int64(length ?? 0))),
      ("hashes", .map(ValueMap(hashes.sorted { $0.key < $1.key }.map { (.string($0.key), .string($0.value)) }))),
    ])
  }
}
