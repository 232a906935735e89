internal import CLibrary
internal import Synchronization

/// Work on several threads.
package enum Parallel {
  /// Number of threads that the machine runs at once.
  package static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// The results for 0, 1 … in this order, however many threads work at them.
  ///
  /// - Parameter jobs: the most threads, 1 or more. With 1 everything is done by the caller.
  package static func map<Result: Sendable>(
    _ count: Int, jobs: Int, _ body: @escaping @Sendable (Int) -> Result
  ) -> [Result] {
    let work = Work(count: count, body)
    let threads = (1..<max(1, min(jobs, count))).compactMap { _ in SystemThread { work.run() } }
    // The caller works too: what no thread could be had for is done all the same.
    work.run()
    for thread in threads { thread.join() }
    return work.results
  }

  private final class Work<Result: Sendable>: Sendable {
    private let body: @Sendable (Int) -> Result
    private let count: Int
    private let state: Mutex<(next: Int, results: [Int: Result])>

    init(count: Int, _ body: @escaping @Sendable (Int) -> Result) {
      self.count = count
      self.body = body
      state = Mutex((0, [:]))
    }

    var results: [Result] { state.withLock { state in state.results.sorted { $0.key < $1.key }.map(\.value) } }

    func run() {
      while let number = take() {
        let result = body(number)
        state.withLock { $0.results[number] = result }
      }
    }

    private func take() -> Int? {
      state.withLock { state in
        guard state.next < count else { return nil }
        defer { state.next += 1 }
        return state.next
      }
    }
  }
}
