import CLibrary
import StreamPartition
import Synchronization
import Testing

/// A redis-server of a test, on a free port and with files in a temporary directory.
final class RedisServer {
  let port: UInt16
  private let directory: String
  private let program: String
  private var process: pid_t = 0

  /// The path of redis-server; nil if it is not installed.
  static let program: String? = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/usr/sbin"]
    .map { $0 + "/redis-server" }.first { access($0, X_OK) == 0 }

  convenience init(_ options: String...) throws { try self.init(options) }

  init(_ options: [String]) throws {
    program = try #require(Self.program)
    directory = Temporary.directory()
    port = try Temporary.freePort()
    try start(options)
  }

  deinit {
    kill()
    Temporary.remove(directory)
  }

  var address: RedisAddress { RedisAddress(.host("127.0.0.1", port: port)) }
  var socketPath: String { directory + "/redis.sock" }

  /// Repairs the append-only file as an administrator would, since the server is configured not to.
  func mend() throws {
    let manifest = directory + "/appendonlydir/appendonly.aof.manifest"
    let checker = program.dropLast("server".count) + "check-aof"
    waitpid(try spawn(["/bin/sh", "-c", "yes | \(checker) --fix \(manifest)"]), nil, 0)
  }

  /// The newest part of the append-only file.
  var appendOnlyFile: String { directory + "/appendonlydir/appendonly.aof.1.incr.aof" }

  /// Starts it, and waits until it accepts connections.
  func start(_ options: [String]) throws {
    process = try spawn(
      [
        program, "--port", String(port), "--bind", "127.0.0.1", "--dir", directory, "--unixsocket", socketPath,
        "--save", "", "--logfile", directory + "/log", "--daemonize", "no",
      ] + options)
    for _ in 0..<500 {
      do throws(RedisError) {
        var waiting = RedisConnection.Options()
        waiting.loadingMilliseconds = 0
        // Only this server has this path; it listens on its port before.
        _ = try RedisConnection(RedisAddress(.path(socketPath)), options: waiting)
        return
      } catch {
        if case .server = error { return }
        usleep(20_000)
      }
    }
    throw Failed("redis-server does not start")
  }

  /// Ends it as a power failure would, apart from the files that the system has.
  func kill() {
    guard process > 0 else { return }
    _ = CLibrary.kill(process, SIGKILL)
    waitpid(process, nil, 0)
    process = 0
  }

  /// Kills it from another process, after a while.
  func killLater(milliseconds: Int) throws -> pid_t {
    let seconds = "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
    return try spawn(["/bin/sh", "-c", "sleep \(seconds); kill -9 \(process)"])
  }

  func connect() throws(RedisError) -> RedisConnection { try RedisConnection(address) }
}

struct Failed: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

enum Temporary {
  static func directory() -> String {
    var path = Array("/tmp/streamredis-XXXXXX".utf8CString)
    return mkdtemp(&path).map { String(cString: $0) } ?? "/tmp"
  }

  static func remove(_ directory: String) {
    guard directory.hasPrefix("/tmp/streamredis-"), let process = try? spawn(["/bin/rm", "-rf", directory]) else {
      return
    }
    waitpid(process, nil, 0)
  }

  /// The port that is tried next. The system chooses its own ports above these, and a cluster adds 10,000.
  private static let nextPort = Mutex(UInt16(12_000 + getpid() % 10_000))

  /// A free port that no other test of this process gets.
  static func freePort() throws -> UInt16 {
    try nextPort.withLock { next in
      for _ in 0..<100 {
        next = next < 22_500 ? next + 1 : 12_000
        guard let (socket, port) = try? listen(next) else { continue }
        close(socket)
        return port
      }
      throw Failed("no port is free")
    }
  }

  /// A socket that listens on a port, or on one that the system chooses, but never answers.
  static func listen(_ port: UInt16 = 0) throws -> (socket: Int32, port: UInt16) {
    #if canImport(Glibc)
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let number = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        guard bind(number, pointer, size) == 0 else { return Int32(-1) }
        return getsockname(number, pointer, &size)
      }
    }
    guard status == 0, CLibrary.listen(number, 4) == 0 else {
      close(number)
      throw Failed("no socket can listen")
    }
    return (number, UInt16(bigEndian: address.sin_port))
  }
}

/// Starts a program without input and output.
private func spawn(_ arguments: [String]) throws -> pid_t {
  #if canImport(Darwin)
  var actions: posix_spawn_file_actions_t?
  #else
  var actions = posix_spawn_file_actions_t()
  #endif
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for file: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_RDWR, 0) }
  let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
  defer { for word in words { free(word) } }
  var process: pid_t = 0
  guard posix_spawn(&process, arguments[0], &actions, nil, words, environ) == 0 else {
    throw Failed("\(arguments[0]) cannot be started")
  }
  return process
}

/// Waits until a condition holds, for at most 20 seconds. Returns whether it holds.
func waitUntil(_ condition: () throws -> Bool) throws -> Bool {
  for _ in 0..<400 {
    if try condition() { return true }
    usleep(50_000)
  }
  return false
}
