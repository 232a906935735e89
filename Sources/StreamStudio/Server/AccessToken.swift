internal import StreamCore
internal import StreamFiles

/// The secret of the link: 192 random bits.
///
/// It is the same at each start, so that open pages continue when the studio is started again: it is kept in the user's
/// folder of states (`$XDG_STATE_HOME/streamstudio/token`, or `~/.local/state`), which only the user can read.
enum AccessToken {
  private static let length = 32
  private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_".utf8)

  /// Returns the token of this user, and makes it first if there is none.
  static func read() -> String {
    guard let path else { return make() }
    if let known = try? FileContents.read(path, name: path, limit: 1_000, noting: UsedFiles()) {
      let token = String(decoding: known.filter(digits.contains), as: UTF8.self)
      if token.utf8.count == length { return token }
      try? Directory.remove(path)
    }
    let token = make()
    // A token that cannot be kept is that of this start.
    try? Directory.createAll(Path.directory(of: path))
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
}
