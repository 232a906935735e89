internal import CLibrary
internal import StreamCore

/// The stack of a command. Reading, compiling, explaining and exporting a stream recurse along its nesting, for which a
/// small stack (`ulimit -s`) has no room.
package enum CommandStack {
  /// Minimum stack size of a command, in bytes. The usual stack of a first thread, less what is on it already.
  private static let bytes = 7 * 1024 * 1024

  /// Runs a command on this thread, which is the first one, if its stack is large enough, and otherwise on a new thread.
  package static func run(_ command: () -> Int32) -> Int32 {
    prepareThreads()
    guard !DeepStack.hasRoom(for: bytes) else { return command() }
    // The thread with the command gets the signals, so that they interrupt what it waits for.
    return Interruption.withoutSignals { DeepStack.run(needing: bytes, command) }
  }

  /// Gives every thread that is started later, including those of tasks, a stack that is large enough.
  package static func prepareThreads() {
    DeepStack.adoptFirstThread()
    #if canImport(Musl) || canImport(Glibc)
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return }
    defer { pthread_attr_destroy(&attributes) }
    guard pthread_attr_setstacksize(&attributes, 8 * 1024 * 1024) == 0 else { return }
    _ = setDefaultAttributes(&attributes)
    #endif
  }
}

#if canImport(Musl) || canImport(Glibc)
/// NB: The module of the C library does not have it.
@_silgen_name("pthread_setattr_default_np")
private func setDefaultAttributes(_ attributes: UnsafePointer<pthread_attr_t>) -> Int32
#endif
