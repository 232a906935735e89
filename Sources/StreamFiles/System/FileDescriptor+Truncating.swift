internal import CLibrary

extension FileDescriptor {
  /// Removes what a file has beyond a number of bytes.
  package func truncate(to size: Int) throws(SystemError) {
    while ftruncate(number, off_t(size)) != 0 {
      guard SystemError.latest.isInterruption else { throw SystemError.latest }
    }
  }
}
