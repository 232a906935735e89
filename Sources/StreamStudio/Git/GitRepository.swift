internal import StreamCore
internal import StreamFiles

/// The git repository of a folder. None of its configuration is read, since that can name programs.
///
/// The files of the repository are found and its references are read here, as gitrepository-layout describes them. Only
/// objects are left to git, in a directory of ours: see `GitObjects`.
struct GitRepository {
  /// The folder that holds `.git`, without links.
  let tree: String
  /// The directory of `HEAD`, without links.
  private let own: String
  /// The directory of objects and references, without links. Work trees of one repository share it.
  private let common: String

  /// Maximum length of a file with references, in bytes.
  private static let longestFile = 64 * 1024 * 1024

  /// Finds the repository of a folder: `.git` in it, or in a folder above. Returns nil if there is none.
  ///
  /// - Parameter folder: An absolute path without links.
  /// - Throws: Why the repository is not read.
  static func find(holding folder: String) throws(StudioProblem) -> GitRepository? {
    var tree = folder
    while true {
      let entry = Path.join(tree, ".git")
      if FileStamp(entry) != nil || Directory.isLink(entry) { return try GitRepository(entry, in: tree) }
      let parent = Path.directory(of: tree)
      if parent == tree { return nil }
      tree = parent
    }
  }

  private init(_ entry: String, in tree: String) throws(StudioProblem) {
    self.tree = tree
    var target: String? = entry
    if !Directory.isDirectory(entry) {
      target = Self.text(".git", below: tree)?.afterPrefix("gitdir: ").map { Path.join(tree, $0) }
    }
    guard let own = target.flatMap({ try? Path.real($0) }), Directory.isDirectory(own) else {
      throw Self.unreadable("'.git' is not a repository")
    }
    self.own = own
    let shared = Self.text("commondir", below: own).flatMap { try? Path.real(Path.join(own, $0)) }
    common = shared ?? own
    // A folder from elsewhere may name a repository of the user, so each link has to be one that git has made.
    guard try isOfTheTree(entry), common == own || own.isBelow(Path.join(common, "worktrees")) else {
      throw Self.unreadable("'.git' leads to a repository elsewhere")
    }
    if Directory.isDirectory(Path.join(common, "reftable")) {
      throw Self.unreadable("its references are a reftable")
    }
    if Self.text("objects/info/alternates", below: common) != nil {
      throw Self.unreadable("it borrows the objects of another repository (objects/info/alternates)")
    }
    if Self.holdsLink(objects) { throw Self.unreadable("there are symbolic links among its objects") }
  }

  private static func unreadable(_ reason: String) -> StudioProblem {
    StudioProblem(.unprocessableContent, "the studio does not read the git repository of this folder", detail: reason)
  }

  /// Whether the repository is in the tree, is that of a submodule of the repository around it, or names the tree itself
  /// as one of its work trees.
  private func isOfTheTree(_ entry: String) throws(StudioProblem) -> Bool {
    if own == entry || own.isBelow(tree) { return true }
    if let back = Self.text("gitdir", below: own), (try? Path.real(back)) == entry { return true }
    let parent = Path.directory(of: tree)
    guard parent != tree, let outer = try Self.find(holding: parent) else { return false }
    return own.isBelow(outer.own)
  }

  /// The directory of the objects.
  var objects: String { Path.join(common, "objects") }

  private static func holdsLink(_ directory: String) -> Bool {
    if Directory.isLink(directory) { return true }
    guard Directory.isDirectory(directory) else { return false }
    return ((try? Directory.names(in: directory)) ?? []).contains { holdsLink(Path.join(directory, $0)) }
  }

  // MARK: References

  /// The commit of `HEAD`; nil if there is none yet.
  var head: String? { reference("HEAD") }

  /// The commits of a shallow clone whose parents are missing.
  var shallowCommits: [String] {
    (Self.text("shallow", below: common) ?? "").split(separator: "\n").map(String.init).filter(Self.isHash)
  }

  /// Returns a revision with the hash of its reference: `main~2` as `5e38aee3…~2`. A name that is not a reference
  /// stays: it may be the beginning of a hash.
  func resolved(_ revision: String) -> String {
    let end = revision.dropFirst().firstIndex { "~^@".contains($0) } ?? revision.endIndex
    let (name, rest) = (String(revision[..<end]), revision[end...])
    if Self.isHash(name) { return revision }
    if name == "@" { return (head ?? name) + rest }
    // The order of gitrevisions.
    let names = [name, "refs/\(name)", "refs/tags/\(name)", "refs/heads/\(name)", "refs/remotes/\(name)"]
    return (names.lazy.compactMap { reference($0) }.first ?? name) + rest
  }

  private func reference(_ name: String, _ levels: Int = 5) -> String? {
    guard levels > 0, name.hasPrefix("refs/") || name.utf8.allSatisfy(Self.isInPseudoReference) else { return nil }
    for directory in own == common ? [own] : [own, common] {
      guard let text = Self.text(name, below: directory) else { continue }
      return text.afterPrefix("ref: ").map { reference($0, levels - 1) } ?? (Self.isHash(text) ? text : nil)
    }
    for line in (Self.text("packed-refs", below: common) ?? "").split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      if parts.count == 2, parts[1] == name, Self.isHash(parts[0]) { return parts[0] }
    }
    return nil
  }

  /// `HEAD`, `ORIG_HEAD` and the like.
  private static func isInPseudoReference(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "_")
  }

  /// Whether a text is the hash of an object: SHA-1 or SHA-256.
  static func isHash(_ text: String) -> Bool {
    (text.utf8.count == 40 || text.utf8.count == 64) && text.utf8.allSatisfy(Array("0123456789abcdef".utf8).contains)
  }

  /// The text of a small regular file without white space at its end; nil if there is none, or if it is empty.
  private static func text(_ name: String, below directory: String) -> String? {
    guard let file = try? FileDescriptor.openRegular(name, below: directory) else { return nil }
    defer { file.close() }
    guard let status = try? file.status(), status.kind == .regular, status.size <= longestFile,
      let bytes = try? file.read(exactly: status.size, at: 0)
    else { return nil }
    let end = bytes.lastIndex { $0 > UInt8(ascii: " ") }
    return end.map { String(decoding: bytes[...$0], as: UTF8.self) }
  }
}

extension String {
  /// The rest after a prefix; nil if it does not begin so.
  fileprivate func afterPrefix(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }

  /// Whether the path leads to something in a directory; both without links.
  fileprivate func isBelow(_ directory: String) -> Bool { utf8.starts(with: "\(directory)/".utf8) }
}
