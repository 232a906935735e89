internal import CLibrary
internal import StreamCore
internal import StreamDriving
package import StreamFiles
internal import StreamKit

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
      "access": access.coded, "arguments": arguments.coded, "budget": .int(Int64(budget)),
      "memory": .int(Int64(memory.bytes)),
    ]
  }

  init?(coded value: Value) {
    guard case .bool(let updates)? = value.member("updates"), case .bool(let measures)? = value.member("measures"),
      let access = value.member("access").flatMap(FileAccess.init(coded:)),
      let arguments = value.member("arguments").flatMap(CompileArguments.init(coded:)),
      case .int(let budget)? = value.member("budget"), case .int(let memory)? = value.member("memory")
    else { return nil }
    self.init(
      access: access, filter: value.member("filter")?.text, updates: updates, measures: measures,
      arguments: arguments, budget: Int(budget), memory: ByteCount(Int(memory)))
  }
}

extension CompileArguments {
  fileprivate var coded: Value {
    [
      "seed": seed.map { .int(Int64($0)) } ?? .null, "isShared": .bool(isShared),
      "parameters": .list(
        parameters.map { name, argument in
          var members: [(Value, Value)] = [("name", .string(name)), ("origin", .string(argument.origin))]
          switch argument.content {
          case .value(let value): members.append(("value", value))
          case .text(let text): members.append(("text", .string(text)))
          }
          return .map(ValueMap(members))
        }),
    ]
  }

  fileprivate init?(coded value: Value) {
    guard case .bool(let isShared)? = value.member("isShared"), case .list(let entries)? = value.member("parameters")
    else { return nil }
    self.init()
    self.isShared = isShared
    if case .int(let seed)? = value.member("seed") { self.seed = Int(seed) }
    for entry in entries {
      guard let name = entry.member("name")?.text, let origin = entry.member("origin")?.text else { return nil }
      let content = entry.member("text")?.text.map(ParameterArgument.Content.text)
      guard let content = content ?? entry.member("value").map(ParameterArgument.Content.value) else { return nil }
      parameters[name] = ParameterArgument(content, origin: origin)
    }
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
