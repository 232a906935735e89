/// One connection to a Redis server. Commands are sent together (*pipelined*), and answered in order.
///
/// To be used by one thread at a time. Errors of the server leave the connection usable; all others close it.
package final class RedisConnection {
  /// How long to wait, and under which name.
  package struct Options: Hashable, Sendable {
    /// The longest wait for a connection, in milliseconds.
    package var connectMilliseconds = 5_000
    /// The longest wait for a reply, or until the server accepts bytes, in milliseconds.
    package var replyMilliseconds = 10_000
    /// The longest wait while the server loads its data from disk, in milliseconds.
    package var loadingMilliseconds = 60_000
    /// The name in the server's list of clients, without spaces.
    package var clientName = "streamrun"

    package init() {}
  }

  package let address: RedisAddress
  package let options: Options
  /// Whether the server is a node of a cluster.
  package private(set) var isCluster = false
  /// The server's version, such as `7.0.15`.
  package private(set) var version = ""
  /// Commands whose replies have not been taken.
  package private(set) var pending = 0

  private let socket: RedisSocket
  private var reader = RESPReader()
  private var writer = RESPWriter()
  private var isOpen = true

  /// Commands are sent early when they exceed this size, in bytes.
  private static let largeOutput = 1 << 20

  /// Connects, authenticates, selects the database, and waits while the server loads its data.
  ///
  /// - Throws: `RedisError.refused`, `.timeout`, `.closed`, `.malformed`, `.version`, or `.server` with the code
  ///   `WRONGPASS`, `NOAUTH`, `NOPERM`, `LOADING` or `ERR`.
  package init(_ address: RedisAddress, options: Options = Options()) throws(RedisError) {
    (self.address, self.options) = (address, options)
    socket = try RedisSocket.connect(to: address, milliseconds: options.connectMilliseconds)
    do throws(RedisError) {
      try greet()
      try waitForData()
    } catch {
      close()
      throw error
    }
  }

  deinit { close() }

  /// Closes the connection. Pending replies are lost.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    pending = 0
    socket.close()
  }

  // MARK: - Commands

  /// Adds a command, which `flush` sends.
  package func add(_ arguments: RESPArgument...) {
    writer.command(arguments)
    pending += 1
  }

  /// Adds a command whose arguments `write` appends. Sends earlier commands if they are large.
  ///
  /// - Parameter count: the number of arguments, the name among them.
  package func add(_ count: Int, _ write: (inout RESPWriter) -> Void) throws(RedisError) {
    if writer.bytes.count > Self.largeOutput { try flush() }
    writer.begin(count)
    write(&writer)
    pending += 1
  }

  /// Adds commands that another writer has written.
  package func add(_ commands: RESPWriter, count: Int) throws(RedisError) {
    if writer.bytes.count > Self.largeOutput { try flush() }
    writer.append(commands)
    pending += count
  }

  /// Sends all commands that have been added.
  package func flush() throws(RedisError) {
    guard isOpen else { throw .closed }
    var sent = 0
    while sent < writer.bytes.count {
      switch socket.send(writer.bytes, from: sent) {
      case .bytes(let count): sent += count
      case .closed: throw closing(.closed)
      case .wouldBlock:
        // Replies are received too, so that a server that waits for the client to read continues.
        let deadline = MonotonicTime.milliseconds + options.replyMilliseconds
        guard socket.wait(sending: true, until: deadline) else {
          throw closing(.timeout(milliseconds: options.replyMilliseconds))
        }
        if case .closed = socket.receive(into: &reader) { throw closing(.closed) }
      }
    }
    writer.removeAll()
  }

  /// Takes the next reply. Errors of the server are returned as values.
  ///
  /// - Parameter milliseconds: the longest wait; nil stands for `Options.replyMilliseconds`.
  /// - Throws: `RedisError.timeout`, `.closed` or `.malformed`, which close the connection.
  package func reply(within milliseconds: Int? = nil) throws(RedisError) -> RESPValue {
    guard isOpen else { throw .closed }
    precondition(pending > 0, "a reply was asked for that no command awaits")
    let limit = milliseconds ?? options.replyMilliseconds
    let deadline = MonotonicTime.milliseconds + limit
    while true {
      let value: RESPValue?
      do throws(RedisError) {
        value = try reader.next()
      } catch {
        throw closing(error)
      }
      switch value {
      case .push: continue
      case .some(let value):
        pending -= 1
        return value
      case nil: break
      }
      switch socket.receive(into: &reader) {
      case .bytes: continue
      case .closed: throw closing(.closed)
      case .wouldBlock:
        guard socket.wait(sending: false, until: deadline) else { throw closing(.timeout(milliseconds: limit)) }
      }
    }
  }

  /// Sends one command, and returns its reply.
  ///
  /// - Throws: `RedisError.server`, too.
  package func call(_ arguments: RESPArgument...) throws(RedisError) -> RESPValue {
    guard isOpen else { throw .closed }
    precondition(pending == 0, "a command was called while others are pending")
    writer.command(arguments)
    pending += 1
    try flush()
    return try reply().checked()
  }

  /// Takes the replies of all pending commands.
  ///
  /// - Throws: the first error of the server, after all replies have been taken.
  package func replies() throws(RedisError) -> [RESPValue] {
    guard isOpen else { throw .closed }
    var values: [RESPValue] = []
    values.reserveCapacity(pending)
    while pending > 0 { values.append(try reply()) }
    for value in values { if let failure = value.failure { throw failure } }
    return values
  }

  private func closing(_ error: RedisError) -> RedisError {
    close()
    return error
  }

  // MARK: - Handshake

  private func greet() throws(RedisError) {
    var hello: [RESPArgument] = ["HELLO", "3"]
    if let password = address.password {
      hello += ["AUTH", .text(address.user ?? "default"), .text(password)]
    }
    hello += ["SETNAME", .text(options.clientName)]
    writer.command(hello)
    pending += 1
    if address.database != 0 { add("SELECT", .integer(Int64(address.database))) }
    try flush()
    let greeting = try reply()
    if let failure = greeting.failure {
      // Servers before 6.0 do not know the command.
      if failure.code == "ERR", case .server(_, let message) = failure, message.contains("unknown command") {
        throw .version("before 6.0")
      }
      throw failure
    }
    guard let pairs = greeting.pairs else { throw .malformed("HELLO has no map") }
    for index in stride(from: 0, to: pairs.count, by: 2) {
      switch pairs[index].text {
      case "version": version = pairs[index + 1].text ?? ""
      case "mode": isCluster = pairs[index + 1].text == "cluster"
      default: break
      }
    }
    if address.database != 0 { _ = try reply().checked() }
    // Streams are trimmed by ID since 6.2.
    let numbers = version.split(separator: ".").prefix(2).map { Int($0) ?? 0 }
    guard numbers.count == 2, (numbers[0], numbers[1]) >= (6, 2) else { throw .version(version) }
  }

  /// Waits while the server loads its data from disk.
  private func waitForData() throws(RedisError) {
    let deadline = MonotonicTime.milliseconds + options.loadingMilliseconds
    while true {
      do throws(RedisError) {
        _ = try call("PING")
        return
      } catch {
        guard error.code == "LOADING", MonotonicTime.milliseconds < deadline else { throw error }
        MonotonicTime.sleep(milliseconds: 50)
      }
    }
  }
}

extension RedisConnection {
  /// Whether the server deletes data when its memory is full (`maxmemory-policy allkeys-…`), which loses states.
  package func evictsData() throws(RedisError) -> Bool {
    let report = try call("INFO", "memory").text ?? ""
    var (policy, limit) = (Substring(), Substring("0"))
    for line in report.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      if parts[0] == "maxmemory_policy" { policy = parts[1] }
      if parts[0] == "maxmemory" { limit = parts[1] }
    }
    return policy.hasPrefix("allkeys") && limit != "0"
  }

  /// Whether the server mends its append-only file itself when it was killed within a write (`aof-load-truncated yes`).
  ///
  /// It then leaves the beginning of a transaction in the file, and includes its commands in the next transaction when
  /// it reads the file once more (seen in Redis 7.0.15). `redis-check-aof --fix` removes all of the transaction. False
  /// if the server does not report this setting.
  package func keepsPartsOfTransactions() throws(RedisError) -> Bool {
    func setting(_ name: String) throws(RedisError) -> String? {
      do throws(RedisError) {
        return try call("CONFIG", "GET", .text(name)).pairs?.last?.text
      } catch {
        // Servers of others often forbid the command.
        if case .server = error { return nil }
        throw error
      }
    }
    guard try setting("appendonly") == "yes" else { return false }
    return try setting("aof-load-truncated") == "yes"
  }

  /// Connects to the node of a cluster that has a key. A server that is not in a cluster has all keys.
  ///
  /// - Throws: `RedisError.server` with the code `MOVED` or `CLUSTERDOWN`, too, while a cluster is changed.
  package static func open(
    _ address: RedisAddress, having key: [UInt8], options: Options = Options()
  ) throws(RedisError) -> RedisConnection {
    var address = address
    var hops = 0
    while true {
      let connection = try RedisConnection(address, options: options)
      guard connection.isCluster else { return connection }
      do throws(RedisError) {
        _ = try connection.call("EXISTS", .bytes(key))
        return connection
      } catch {
        hops += 1
        guard hops <= 5, let endpoint = error.movedEndpoint(from: address.endpoint) else { throw error }
        address.endpoint = endpoint
      }
    }
  }
}

extension RedisError {
  /// The node that has the key, by an error such as `MOVED 3999 127.0.0.1:6381`; nil for other errors.
  fileprivate func movedEndpoint(from endpoint: RedisAddress.Endpoint) -> RedisAddress.Endpoint? {
    guard case .server("MOVED", let message) = self, let place = message.split(separator: " ").dropFirst().first,
      let colon = place.lastIndex(of: ":"), let port = UInt16(place[place.index(after: colon)...])
    else { return nil }
    // Without a host, it is that of the node that has answered.
    if colon > place.startIndex { return .host(String(place[..<colon]), port: port) }
    guard case .host(let host, _) = endpoint else { return nil }
    return .host(host, port: port)
  }
}
