internal import CLibrary
internal import StreamCore
internal import StreamEngine

/// The memory in use by the process.
package enum ProcessMemory {
  /// The resident memory in bytes; nil if the system does not report it.
  package static var residentBytes: Int? {
    #if canImport(Darwin)
    // NB: not `getrusage`, which reports the process's peak memory.
    var info = mach_task_basic_info()
    var count = mach_msg_type_number_t(MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
    let status = withUnsafeMutablePointer(to: &info) { pointer in
      pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) { words in
        // NB: not `mach_task_self_`, a variable that Swift 6 takes for shared mutable state.
        task_info(task_self_trap(), task_flavor_t(MACH_TASK_BASIC_INFO), words, &count)
      }
    }
    return status == KERN_SUCCESS ? Int(info.resident_size) : nil
    #else
    // NB: not `getrusage`, whose figure includes that of the program that started this one.
    guard statistics >= 0 else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
      let count = pread(statistics, buffer.baseAddress, buffer.count, 0)
      guard count > 0 else { return nil }
      // The sizes in pages: of all, then of what is resident.
      let fields = buffer.prefix(count).split(separator: UInt8(ascii: " "), maxSplits: 2)
      guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return nil }
      return pages * pageBytes
    }
    #endif
  }

  #if !canImport(Darwin)
  private static let statistics = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
  private static let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))
  #endif

  /// Returns the memory of a process that exceeds its limit; nil if it does not.
  static func excess(beyond limit: ByteCount) -> ByteCount? {
    residentBytes.flatMap { $0 > limit.bytes ? ByteCount($0) : nil }
  }
}

extension ByteCount {
  /// The standard limit on memory, in addition to what the process uses now: a server has memory of its own.
  package static var standardMemoryFromNow: ByteCount {
    ByteCount(standardMemory.bytes + (ProcessMemory.residentBytes ?? 0))
  }
}
