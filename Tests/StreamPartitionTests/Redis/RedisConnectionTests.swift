import CLibrary
import StreamPartition
import Testing

@Suite(.serialized, .enabled(if: RedisServer.program != nil, "redis-server is not installed"))
struct RedisConnectionTests {
  @Test("Commands are pipelined, and errors are values in their place") func pipelines() throws {
    let server = try RedisServer()
    defer { server.kill() }
    let connection = try server.connect()
    connection.add("SET", "a", .bytes([0, 13, 10, 255]))
    connection.add("LPUSH", "a", "x")
    connection.add("GET", "a")
    connection.add("ZADD", "z", "1.5", "m")
    connection.add("ZRANGE", "z", "0", "-1", "WITHSCORES")
    connection.add("CLIENT", "GETNAME")
    connection.add("EVAL", "return {1, 'x', {double=2.5}, false}", "0")
    #expect(connection.pending == 7)
    try connection.flush()
    #expect(try connection.reply() == .simple(Array("OK".utf8)))
    #expect(try connection.reply().failure?.code == "WRONGTYPE")
    #expect(try connection.reply().bytes == [0, 13, 10, 255])
    #expect(try connection.reply() == .number(1))
    #expect(try connection.reply() == .array([.array([.blob(Array("m".utf8)), .double(1.5)])]))
    #expect(try connection.reply().text == "streamrun")
    #expect(try connection.reply().elements?.first == .number(1))
    #expect(connection.pending == 0)
    let error = #expect(throws: RedisError.self) { try connection.call("EVALSHA", "0", "0") }
    #expect(error?.code == "NOSCRIPT")
    #expect(try connection.call("PING").text == "PONG")
  }

  @Test("Every type of RESP3 that the server can send is read") func readsAllTypes() throws {
    let server = try RedisServer("--enable-debug-command", "yes")
    defer { server.kill() }
    let connection = try server.connect()
    let types = [
      "string", "integer", "double", "null", "array", "set", "map", "attrib", "verbatim", "true", "false", "bignum",
    ]
    for type in types { connection.add("DEBUG", "PROTOCOL", .text(type)) }
    try connection.flush()
    let values = try connection.replies()
    #expect(values[0].text == "Hello World")
    #expect(values[1] == .number(12345))
    #expect(values[2] == .double(3.141))
    #expect(values[3] == .null)
    #expect(values[4].elements?.count == 3)
    guard case .set = values[5], case .map = values[6] else { throw Failed("no set or map") }
    #expect(values[7].text == "Some real reply following the attribute")
    #expect(values[8].text == "This is a verbatim\nstring")
    #expect(values[9] == .boolean(true))
    #expect(values[10] == .boolean(false))
    guard case .bigNumber = values[11] else { throw Failed("no big number") }
  }

  @Test("Large commands and replies pass, also when the server's replies wait") func largeTransfers() throws {
    let server = try RedisServer()
    defer { server.kill() }
    let connection = try server.connect()
    let large = [UInt8](repeating: 5, count: 6 << 20)
    for _ in 0..<4 { connection.add("ECHO", .bytes(large)) }
    try connection.flush()
    for reply in try connection.replies() { #expect(reply.bytes == large) }
  }

  @Test("The Unix socket, the database and the password are used") func usesAddress() throws {
    let server = try RedisServer("--requirepass", "it's \"me\"", "--unixsocketperm", "700")
    defer { server.kill() }
    let url = "unix://:it's%20%22me%22@\(server.socketPath)?db=3"
    let connection = try RedisConnection(try RedisAddress(url))
    #expect(try connection.call("CLIENT", "INFO").text?.contains(" db=3 ") == true)

    var address = server.address
    let anonymous = #expect(throws: RedisError.self) { try RedisConnection(address) }
    #expect(anonymous?.code == "NOAUTH")
    address.password = "other"
    let wrong = #expect(throws: RedisError.self) { try RedisConnection(address) }
    #expect(wrong?.code == "WRONGPASS")
    address.user = "nobody"
    let unknown = #expect(throws: RedisError.self) { try RedisConnection(address) }
    #expect(unknown == wrong)
  }

  @Test("Localhost is found without a resolver, and other names with it") func resolves() throws {
    let server = try RedisServer()
    defer { server.kill() }
    _ = try RedisConnection(RedisAddress(.host("localhost", port: server.port)))
    let error = #expect(throws: RedisError.self) {
      try RedisConnection(RedisAddress(.host("no-such-host.invalid", port: server.port)))
    }
    #expect(error?.description.contains("there is no such host") == true)
  }

  @Test("A port without a listener refuses") func refusedPort() throws {
    let address = RedisAddress(.host("127.0.0.1", port: try Temporary.freePort()))
    #expect(throws: RedisError.refused(address: address.description, reason: "connection refused")) {
      try RedisConnection(address)
    }
  }

  @Test("A server that does not answer is given up") func timesOut() throws {
    let (socket, port) = try Temporary.listen()
    defer { close(socket) }
    var options = RedisConnection.Options()
    options.replyMilliseconds = 100
    #expect(throws: RedisError.timeout(milliseconds: 100)) {
      try RedisConnection(RedisAddress(.host("127.0.0.1", port: port)), options: options)
    }
  }

  @Test("A late reply closes the connection") func lateReply() throws {
    let server = try RedisServer()
    defer { server.kill() }
    let connection = try server.connect()
    connection.add("BLPOP", "nothing", "0")
    try connection.flush()
    #expect(throws: RedisError.timeout(milliseconds: 50)) { try connection.reply(within: 50) }
    #expect(throws: RedisError.closed) { try connection.call("PING") }
    #expect(throws: RedisError.closed) { try connection.replies() }
  }

  @Test("The end of the server is an error, not a signal") func serverEnds() throws {
    let server = try RedisServer()
    defer { server.kill() }
    let connections = [try server.connect(), try server.connect()]
    server.kill()
    #expect(throws: RedisError.closed) { try connections[0].call("PING") }
    // The first bytes are answered by a reset, the second ones by EPIPE.
    let error = #expect(throws: RedisError.self) {
      for _ in 0..<10 {
        connections[1].add("PING")
        try connections[1].flush()
      }
    }
    #expect(error == .closed)
  }

  @Test("A server that loads its data is waited for") func waitsForLoading() throws {
    let server = try RedisServer("--appendonly", "no")
    defer { server.kill() }
    let connection = try server.connect()
    for index in 0..<20_000 { connection.add("SET", .text("key\(index)"), "value") }
    try connection.flush()
    _ = try connection.replies()
    _ = try connection.call("SAVE")
    server.kill()
    try server.start(["--key-load-delay", "50", "--loading-process-events-interval-bytes", "1024"])
    var impatient = RedisConnection.Options()
    impatient.loadingMilliseconds = 0
    let error = #expect(throws: RedisError.self) { try RedisConnection(server.address, options: impatient) }
    #expect(error?.code == "LOADING")
    #expect(try server.connect().call("DBSIZE") == .number(20_000))
  }

  @Test("A server that may delete data is recognized") func recognizesEviction() throws {
    let server = try RedisServer("--maxmemory-policy", "allkeys-lru", "--maxmemory", "100mb")
    defer { server.kill() }
    #expect(try server.connect().evictsData())
    let usual = try RedisServer()
    defer { usual.kill() }
    #expect(try !usual.connect().evictsData())
  }
}
