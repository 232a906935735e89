/// The memory of this process, for tests in a process of their own.
package enum ResidentMemory {
  /// Bytes that the process has in memory at present.
  package static var bytes: Int {
    let pages = Fixture.read("/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return (pages ?? 0) * 4_096
  }

  /// Returns the bytes that are kept for each of many uses, after a first tenth that is not measured.
  ///
  /// - Parameter use: Receives the number of the use.
  package nonisolated(nonsending) static func growth(
    over count: Int, _ use: nonisolated(nonsending) (Int) async throws -> Void
  ) async rethrows -> Double {
    for number in 0..<count / 10 { try await use(number) }
    let before = bytes
    for number in 0..<count { try await use(count / 10 + number) }
    return Double(bytes - before) / Double(count)
  }
}
