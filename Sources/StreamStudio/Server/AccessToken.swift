internal import StreamCore
internal import StreamFiles

/// The secret of the link: 192 random bits.
///
/// It is the same at each start, so that open pages continue when the studio is started again: it is kept in the user's
/// folder of states (`$XDG_STATE_HOME/streamstudio/token`, or `~/.local/state`), which only the user can read.
enum AccessToken {
  private static let length = 32
  private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_".utf8)

  /// Returns the token of this user.
  ///
  /// - Parameter isNew: Whether a new one takes its place. One is made in any case if there is none.
  static func read(isNew: Bool = false) -> String {
    guard let path else { return make() }
    if !isNew, let known = try? FileContents.read(path, name: path, limit: 1_000, noting: UsedFiles()) {
      let token = String(decoding: known.filter(digits.contains), as: UTF8.self)
      if token.utf8.count == length { return token }
    }
    let token = make()
    // A token that cannot be kept is that of this start.
    try? Directory.createAll(Path.directory(of: path))
    try? Directory.remove(path)
    try? AtomicFile.create(Array("\(token)\n".utf8), at: path)
    return token
  }

  private static var path: String? {
    if let folder = ProcessEnvironment.variable("XDG_STATE_HOME"), folder.hasPrefix("/") {
      return Path.join(folder, "streamstudio/token")
    }
    return ProcessEnvironment.variable("HOME").map { Path.join($0, ".local/state/streamstudio/token") }
  }

  private static func make() -> String {
    var source = SystemRandomNumberGenerator()
    let limit = UInt8(digits.count)
    return String(decoding: (0..<length).map { _ in digits[Int(source.next(upperBound: limit))] }, as: UTF8.self)
  }

  /// The secret of pages that show a folder.
  ///
  /// It opens this folder only: a page that a studio of another folder has opened, or that another program reads at this
  /// port later, cannot use the token.
  static func key(for folder: String, _ token: String) -> String {
    var digest = ContentDigest()
    digest.update("\(folder)\0\(token)")
    return digest.text
  }
}
