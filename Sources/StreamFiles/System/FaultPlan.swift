#if DEBUG && os(Linux)
internal import CLibrary
internal import Synchronization

/// Faults of files that a test asks for, in debug builds: `Tests/Durability/faults.py` runs commands with them.
///
/// The variable `STREAM_FAULTS` is the path of a log, to which each call on a file or a directory appends a line: its
/// number, the process, the call, its size, its result or the negative error, and the paths. Behind a comma, `data` also
/// logs the bytes that are written, and `17=FAULT` plans a fault for call 17, `17+=FAULT` for it and all later ones:
///
/// | fault | effect |
/// | --- | --- |
/// | `noSpace`, `failed`, `interrupted` | the call fails with `ENOSPC`, `EIO` or `EINTR`, if it can |
/// | `short` | reads or writes at most half of the bytes |
/// | `before`, `after` | the process is killed (SIGKILL) before or after the call |
///
/// Processes that one command starts, and copies of it, have one sequence of numbers.
struct FaultPlan {
  private enum Fault: String {
    case noSpace, failed, interrupted, short, before, after

    /// The error with which a call fails; nil if it does not fail so.
    func error(of name: SystemCalls.Name, creates: Bool) -> Int32? {
      switch (self, name) {
      case (.noSpace, .write), (.noSpace, .sync), (.noSpace, .rename), (.noSpace, .link), (.noSpace, .makeFolder):
        ENOSPC
      case (.noSpace, .open): creates ? ENOSPC : nil
      case (.interrupted, .open), (.interrupted, .read), (.interrupted, .write), (.interrupted, .cut),
        (.interrupted, .sync), (.interrupted, .lock):
        EINTR
      case (.failed, .lock): nil
      case (.failed, _): EIO
      default: nil
      }
    }
  }

  private let log: Int32
  private let logsData: Bool
  private let fault: Fault?
  private let numbers: ClosedRange<Int>
  /// Number of calls so far, in memory that copies of the process share.
  private let count: UnsafeMutablePointer<Atomic<Int>>

  // NB: The memory is atomic, and everything else is constant.
  nonisolated(unsafe) private static let plan = getenv("STREAM_FAULTS").flatMap { FaultPlan(String(cString: $0)) }

  private init?(_ text: String) {
    var words = text.split(separator: ",").map(String.init)
    guard !words.isEmpty else { return nil }
    let path = words.removeFirst()
    logsData = words.contains("data")
    let planned = words.last { $0.contains("=") }?.split(separator: "=") ?? []
    fault = planned.last.flatMap { Fault(rawValue: String($0)) }
    let first = planned.first.flatMap { Int($0.prefix { $0 != "+" }) } ?? 0
    numbers = first...(planned.first?.hasSuffix("+") == true ? .max : first)
    log = CLibrary.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    let counter = CLibrary.open(path + ".count", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard log >= 0, counter >= 0, ftruncate(counter, 64) == 0,
      let shared = mmap(nil, 64, PROT_READ | PROT_WRITE, MAP_SHARED, counter, 0), shared != MAP_FAILED
    else { return nil }
    close(counter)
    count = shared.assumingMemoryBound(to: Atomic<Int>.self)
  }

  static func perform<Result: SignedInteger>(
    _ name: SystemCalls.Name, _ subject: SystemCalls.Subject, _ size: Int, _ bytes: UnsafeRawPointer?,
    _ call: (Int) -> Result
  ) -> Result {
    guard let plan, let paths = paths(of: subject) else { return call(size) }
    return plan.perform(name, paths, size, bytes, call)
  }

  private func perform<Result: SignedInteger>(
    _ name: SystemCalls.Name, _ paths: String, _ size: Int, _ bytes: UnsafeRawPointer?, _ call: (Int) -> Result
  ) -> Result {
    let number = count.pointee.wrappingAdd(1, ordering: .relaxed).newValue
    let planned = numbers.contains(number) ? fault : nil
    let creates = name == .open && Int32(truncatingIfNeeded: size) & O_CREAT != 0
    func note(_ result: Int, _ name: String = name.rawValue) {
      let data = logsData ? digits(bytes, result) : ""
      append("\(number)\t\(getpid())\t\(name)\t\(size)\t\(result)\t\(paths)\t\(data)\n")
    }
    if planned == .before {
      note(0)
      kill(getpid(), SIGKILL)
    }
    // An fsync makes durable what was written before it began.
    if name == .sync { note(0, "promise") }
    if let error = planned?.error(of: name, creates: creates) {
      note(-Int(error))
      errno = error
      return -1
    }
    let isShort = planned == .short && (name == .read || name == .write)
    let result = call(isShort ? max(1, size / 2) : size)
    let error = errno
    note(result < 0 ? -Int(error) : Int(result))
    if planned == .after { kill(getpid(), SIGKILL) }
    errno = error
    return result
  }

  /// Bytes in hexadecimal digits.
  private func digits(_ bytes: UnsafeRawPointer?, _ count: Int) -> String {
    guard let bytes, count > 0 else { return "" }
    let digits = Array("0123456789abcdef".utf8)
    let written = UnsafeRawBufferPointer(start: bytes, count: count)
    return String(decoding: written.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private func append(_ line: String) {
    var rest = Array(line.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { CLibrary.write(log, $0.baseAddress, $0.count) }
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }

  /// The paths of a call, separated by a tab; nil for a pipe, a socket, a terminal and the system's own files.
  private static func paths(of subject: SystemCalls.Subject) -> String? {
    switch subject {
    case .file(let file): path(of: file).flatMap { isOwn($0) ? $0 : nil }
    case .path(let path): isOwn(path) ? path : nil
    case .entry(let directory, let name): path(of: directory).flatMap { isOwn($0) ? "\($0)/\(name)" : nil }
    case .paths(let old, let new): "\(old)\t\(new)"
    }
  }

  private static func isOwn(_ path: String) -> Bool {
    !["/dev", "/proc", "/sys", "/usr", "/etc"].contains { path == $0 || path.hasPrefix($0 + "/") }
  }

  private static func path(of file: Int32) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(file)", &target, target.count)
    guard count > 0, target[0] == CChar(bitPattern: UInt8(ascii: "/")) else { return nil }
    return String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
#endif
