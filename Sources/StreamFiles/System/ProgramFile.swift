internal import CLibrary
internal import Synchronization

#if canImport(MachO)
internal import MachO
#endif

/// The file of this program, from which it can be started once more.
package enum ProgramFile {
  private static let isOurs = Mutex(false)

  /// Declares that this process is `streamrun` itself. In another process, such as a test bundle, commands run without
  /// child processes.
  package static func declare() { isOurs.withLock { $0 = true } }

  /// The path of the program; nil if the process is not `streamrun`, or if the system does not report it.
  package static var path: String? {
    guard isOurs.withLock({ $0 }) else { return nil }
    #if canImport(Darwin)
    var size: UInt32 = 4_096
    let path = String(unsafeUninitializedCapacity: Int(size)) { buffer in
      let isFound = buffer.withMemoryRebound(to: CChar.self) { _NSGetExecutablePath($0.baseAddress, &size) == 0 }
      return isFound ? buffer.firstIndex(of: 0) ?? 0 : 0
    }
    return path.isEmpty ? nil : path
    #else
    let path = "/proc/self/exe"
    return access(path, X_OK) == 0 ? path : nil
    #endif
  }

  /// The path of a program in the search path; nil if there is none.
  ///
  /// The directories that are relative to the working directory are left out: it may hold an untrusted program.
  package static func find(_ name: String) -> String? {
    (ProcessEnvironment.variable("PATH") ?? "").split(separator: ":").lazy.map(String.init).filter(Path.isAbsolute)
      .map { Path.join($0, name) }.first { Directory.hasRegularFile(at: $0) && access($0, X_OK) == 0 }
  }

  /// Continues this process as another program: the file of that name beside this program, or else in the search path.
  ///
  /// - Throws: Why it cannot be started. It does not return otherwise.
  package static func become(_ name: String, _ arguments: [String]) throws(SystemError) -> Never {
    #if os(tvOS) || os(watchOS)
    throw SystemError(number: ENOSYS)  // These systems start no programs.
    #else
    let beside = path.flatMap { try? Path.real($0) }.map { Path.join(Path.directory(of: $0), name) }
    var words = ([name] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    if let beside, access(beside, X_OK) == 0 { execv(beside, &words) }
    execvp(name, &words)
    throw SystemError.latest
    #endif
  }
}
