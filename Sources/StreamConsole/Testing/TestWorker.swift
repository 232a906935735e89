internal import CLibrary
internal import StreamCore
internal import StreamDriving
package import StreamFiles

/// The child process that runs tests; see `TestSupervisor`.
///
/// It reads a line with the parameters of the tests, and then lines with the paths of files. For each file it writes a
/// line when it begins, and a line with the report. It ends when its parent has ended or closes the pipe.
package enum TestWorker {
  /// The first argument of a worker; the numbers of its two pipes follow. People have no use for it.
  private static let argument = "--run-tests-for-supervisor"

  static func arguments(_ requests: Int32, _ replies: Int32) -> [String] { [argument, "\(requests)", "\(replies)"] }

  /// Returns the pipes of a worker; nil if the arguments do not start a worker.
  package static func pipes(_ arguments: [String]) -> (requests: FileDescriptor, replies: FileDescriptor)? {
    guard arguments.count == 3, arguments[0] == argument, let requests = Int32(arguments[1]),
      let replies = Int32(arguments[2])
    else { return nil }
    return (FileDescriptor(number: requests), FileDescriptor(number: replies))
  }

  package static func run(_ requests: FileDescriptor, _ replies: FileDescriptor) -> Int32 {
    for file in [requests, replies] { _ = fcntl(file.number, F_SETFD, FD_CLOEXEC) }
    var lines = MessageLines(requests)
    guard let first = try? lines.next(), let work = TestWork(coded: first) else { return ExitCode.wrong }
    // Tests run on a thread of their own, so that this one notices the end of the process that waits for them.
    var thread: SystemThread?
    while let path = try? lines.next()?.text {
      // It has written its report: that is why there is another file.
      thread?.join()
      let body: @Sendable () -> Void = {
        tell(["begins": true], replies)
        tell(["report": work.report(of: path).coded], replies)
      }
      thread = SystemThread(body)
      if thread == nil { body() }
    }
    // NB: not `exit`, which would wait for the test that is running.
    _exit(Interruption.hasHappened ? ExitCode.interrupted : ExitCode.good)
  }

  private static func tell(_ message: Value, _ file: FileDescriptor) {
    // If the supervisor has exited, the message is dropped.
    try? file.write(JSONWriter.compact(message) + "\n")
  }
}

extension TestWork {
  /// The parameters of the tests, for a worker.
  var coded: Value {
    [
      "filter": filter.map(Value.string) ?? .null, "updates": .bool(updates), "measures": .bool(measures),
      "access": access.coded, "budget": .int(Int64(budget)), "memory": .int(Int64(memory.bytes)),
    ]
  }

  init?(coded value: Value) {
    guard case .bool(let updates)? = value.member("updates"), case .bool(let measures)? = value.member("measures"),
      let access = value.member("access").flatMap(FileAccess.init(coded:)),
      case .int(let budget)? = value.member("budget"), case .int(let memory)? = value.member("memory")
    else { return nil }
    self.init(
      access: access, filter: value.member("filter")?.text, updates: updates, measures: measures, budget: Int(budget),
      memory: ByteCount(Int(memory)))
  }
}

extension FileAccess {
  fileprivate var coded: Value {
    [
      "isAllowed": .bool(isAllowed), "granted": .list(granted.map(Value.string)),
      "named": .list(named.map(Value.string)),
    ]
  }

  fileprivate init?(coded value: Value) {
    guard case .bool(let isAllowed)? = value.member("isAllowed") else { return nil }
    self.init(isAllowed: isAllowed, granted: value.texts("granted"), named: value.texts("named"))
  }
}
