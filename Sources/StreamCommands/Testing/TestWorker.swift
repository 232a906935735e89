internal import StreamCore
internal import StreamKit
internal import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// The process that runs tests for another one: see `TestSupervisor`.
///
/// It reads one line, the order. It writes a line when a file's turn comes and one with the report when the file is
/// done. It ends at once when the process that started it has ended.
enum TestWorker {
  /// The argument that makes the program a worker. People have no use for it.
  static let argument = "--run-tests-for-supervisor"

  static func run() -> Int32 {
    let requests = FileDescriptor(number: ChildProcess.requestNumber)
    let replies = FileDescriptor(number: ChildProcess.replyNumber)
    for file in [requests, replies] { _ = fcntl(file.number, F_SETFD, FD_CLOEXEC) }
    var lines = MessageLines(requests)
    guard let line = try? lines.next(), let order = TestOrder(line) else { return ExitCode.wrong }
    let watch = SystemThread {
      // Nothing more comes: the read ends when the other process does.
      while let bytes = try? requests.read(atMost: 1), !bytes.isEmpty {}
      if !isDone.load(ordering: .relaxed) { _exit(ExitCode.interrupted) }
    }
    _ = watch
    let output = Mutex(replies)
    @Sendable func tell(_ message: Value) {
      let text = JSONWriter.compact(message) + "\n"
      // Nobody is left to tell if the supervisor is gone.
      output.withLock { file in try? file.write(text) }
    }
    _ = Parallel.map(order.files.count, jobs: order.jobs) { place in
      let (number, path) = order.files[place]
      tell(["number": .int(Int64(number))])
      tell(["number": .int(Int64(number)), "report": order.work.report(of: path).value])
      return true
    }
    isDone.store(true, ordering: .relaxed)
    return ExitCode.good
  }

  private static let isDone = Atomic<Bool>(false)
}

/// What a worker is to do.
struct TestOrder: Sendable {
  /// The files, and their numbers in the report.
  let files: [(number: Int, path: String)]
  let work: TestWork
  let jobs: Int

  init(files: [(number: Int, path: String)], work: TestWork, jobs: Int) {
    (self.files, self.work, self.jobs) = (files, work, jobs)
  }

  var value: Value {
    [
      "numbers": .list(files.map { .int(Int64($0.number)) }), "paths": .list(files.map { .string($0.path) }),
      "filter": work.filter.map(Value.string) ?? .null, "updates": .bool(work.updates),
      "measures": .bool(work.measures), "jobs": .int(Int64(jobs)), "access": work.access.value,
      "budget": .int(Int64(work.budget)), "memory": .int(Int64(work.memory.bytes)),
    ]
  }

  init?(_ value: Value) {
    guard case .list(let numbers)? = value.member("numbers"), case .list(let paths)? = value.member("paths"),
      case .bool(let updates)? = value.member("updates"), case .bool(let measures)? = value.member("measures"),
      case .int(let jobs)? = value.member("jobs"), numbers.count == paths.count,
      let access = value.member("access").flatMap(FileAccess.init), case .int(let budget)? = value.member("budget"),
      case .int(let memory)? = value.member("memory")
    else { return nil }
    files = zip(numbers, paths).compactMap { number, path in
      if case (.int(let number), .string(let path)) = (number, path) { (Int(number), path) } else { nil }
    }
    work = TestWork(
      access: access, filter: value.member("filter")?.text, updates: updates, measures: measures, budget: Int(budget),
      memory: ByteCount(Int(memory)))
    self.jobs = Int(jobs)
  }
}

extension FileAccess {
  fileprivate var value: Value {
    [
      "isAllowed": .bool(isAllowed), "granted": .list(granted.map(Value.string)),
      "named": .list(named.map(Value.string)),
    ]
  }

  fileprivate init?(_ value: Value) {
    guard case .bool(let isAllowed)? = value.member("isAllowed") else { return nil }
    self.init(isAllowed: isAllowed, granted: value.texts("granted"), named: value.texts("named"))
  }
}

/// Reads JSON values from a pipe, one a line.
struct MessageLines {
  private let file: FileDescriptor
  private var bytes: [UInt8] = []
  private var start = 0
  /// Where no line break has been found up to.
  private var searched = 0

  init(_ file: FileDescriptor) { self.file = file }

  /// The next value; nil at the end, and where what comes is no message.
  ///
  /// - Throws: `EINTR` where the program has been asked to stop.
  mutating func next() throws(SystemError) -> Value? {
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(bytes[start..<end])
        start = end + 1
        searched = start
        return try? JSONDocument(reading: line, file: "message").value
      }
      bytes.removeSubrange(..<start)
      start = 0
      searched = bytes.count
      let more = try file.read(atMost: 1 << 16)
      if more.isEmpty { return nil }
      bytes += more
    }
  }
}
