internal import CLibrary

/// The arguments of this process.
package enum ProcessArguments {
  /// Returns the arguments, beginning with the program's name; empty if the system gives none.
  ///
  /// On Linux they are read from the stack, where the kernel puts them below the environment (System V ABI): Swift reads
  /// them from `/proc`, which a chroot may not have, and which cannot be opened if the process may open no files.
  ///
  /// NB: To be called before the environment is changed, which moves it elsewhere.
  package static func read() -> [String] {
    #if canImport(Musl) || canImport(Glibc)
    let environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
    // The argument count, the arguments, a null pointer, then the environment.
    guard let end = environment.map({ $0 - 1 }), end.pointee == nil else { return CommandLine.arguments }
    var count = 0
    while UInt(bitPattern: end[-1 - count]) != UInt(count) { count += 1 }
    return (0..<count).compactMap { index in end[index - count].map { String(cString: $0) } }
    #else
    return CommandLine.arguments
    #endif
  }
}

#if os(Linux)
/// Replaces the function of Swift's runtime that searches for the program that prints backtraces. The function ends the
/// process at its start if `/proc` is missing, and a statically linked command has no such program beside it. The
/// linker option `--wrap`, with which the commands are linked statically, makes the runtime call this function instead.
@_cdecl("__wrap_swift_copyAuxiliaryExecutablePath")
package func auxiliaryExecutablePath(_ name: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>? { nil }
#endif
