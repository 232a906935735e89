@_spi(Engine) internal import StreamCore
internal import StreamFiles
internal import Synchronization

/// The tokens of a hub, in a file that only its owner can read. Commands change it while the hub serves.
final class TokenFile: Sendable {
  private let path: String
  private let known: Mutex<(stamp: FileStamp?, tokens: [String: Token])> = Mutex((nil, [:]))

  init(_ path: String) { self.path = path }

  /// The tokens as they are now, by their IDs.
  ///
  /// - Throws: If the file cannot be read; there are no tokens if it does not exist.
  func tokens() throws(ServerError) -> [String: Token] {
    let stamp = FileStamp(path)
    if let tokens = known.withLock({ $0.stamp == stamp ? $0.tokens : nil }) { return tokens }
    let tokens = try read()
    known.withLock { $0 = (stamp, tokens) }
    return tokens
  }

  private func read() throws(ServerError) -> [String: Token] {
    let bytes: [UInt8]
    do throws(Diagnostic) {
      bytes = try FileContents.read(path, name: path, limit: 16 * 1024 * 1024)
    } catch {
      guard error.code == .fileNotFound else { throw ServerError(error.message) }
      return [:]
    }
    // A file that has just been created.
    guard !bytes.isEmpty else { return [:] }
    var reader = JSONReader()
    guard let value = try? reader.read(bytes), case .list(let list)? = value.member("tokens") else {
      throw ServerError("'\(path)' does not contain tokens")
    }
    return Dictionary(list.compactMap(Token.init).map { ($0.id, $0) }) { _, last in last }
  }

  /// Changes the tokens while no other program can.
  func change(_ change: (inout [String: Token]) -> Void) throws(ServerError) {
    // The file exists before it is locked, and keeps its permissions when it is replaced.
    try? FileDescriptor.createPrivate(path).close()
    let lock: FileLock?
    do throws(Diagnostics) {
      lock = try FileLock.take(editing: path)
    } catch {
      throw ServerError(error.all.first?.message ?? "'\(path)' cannot be locked")
    }
    defer { withExtendedLifetime(lock) {} }
    var tokens = try read()
    change(&tokens)
    let list = tokens.values.sorted { ($0.created, $0.id) < ($1.created, $1.id) }.map(\.json)
    let text = JSONWriter.pretty(.map(ValueMap([("tokens", .list(list))])))
    do throws(Diagnostic) {
      try AtomicFile.write(Array(text.utf8), to: path)
    } catch {
      throw ServerError(error.message)
    }
  }

  /// The token that a request presents; nil if it is unknown or has expired.
  func token(_ text: String, now: Int64) throws(ServerError) -> Token? {
    guard let id = Token.id(in: text), let token = try tokens()[id], token.matches(text), !token.isExpired(at: now)
    else { return nil }
    return token
  }
}
