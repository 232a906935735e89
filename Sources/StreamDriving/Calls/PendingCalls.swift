internal import StreamEngine

/// The calls of a function that have no result yet: those that wait, in order, and those that are asked.
struct PendingCalls {
  /// A call that has been asked.
  struct Asked {
    let call: Call
    /// When it was asked, in nanoseconds.
    let time: Int64
    /// Whether the stream has canceled it.
    var isCanceled = false
  }

  private var waiting: [Call] = []
  /// Number of elements at the start of `waiting` that are gone.
  private var first = 0
  private(set) var asked: [Int64: Asked] = [:]
  /// The calls in `waiting` whose results are awaited.
  private var waitingIDs: Set<Int64> = []

  /// Whether a call waits to be asked.
  var hasWaiting: Bool { !waitingIDs.isEmpty }

  /// Whether a result is awaited.
  var isOpen: Bool { hasWaiting || asked.values.contains { !$0.isCanceled } }

  /// The asked calls whose results are awaited, in order.
  var awaited: [Call] { asked.values.filter { !$0.isCanceled }.map(\.call).sorted { $0.id < $1.id } }

  /// When the call that has been asked for longest was asked.
  var firstTime: Int64? { asked.values.lazy.filter { !$0.isCanceled }.map(\.time).min() }

  mutating func append(_ call: Call) {
    waiting.append(call)
    waitingIDs.insert(call.id)
  }

  /// Takes the next call that waits, which counts as asked from now on.
  mutating func ask(_ now: Int64) -> Call? {
    while first < waiting.count {
      let call = waiting[first]
      first += 1
      if first > 1024, first > waiting.count / 2 {
        waiting.removeSubrange(..<first)
        first = 0
      }
      guard waitingIDs.remove(call.id) != nil else { continue }
      asked[call.id] = Asked(call: call, time: now)
      return call
    }
    return nil
  }

  /// Takes a call that has been asked; nil if there is none.
  mutating func finish(_ id: Int64) -> Asked? { asked.removeValue(forKey: id) }

  /// Cancels a call. One that has been asked stays until its result comes.
  mutating func cancel(_ id: Int64) {
    asked[id]?.isCanceled = true
    waitingIDs.remove(id)
  }

  /// Makes the asked calls wait again, before all others.
  mutating func askAgain() {
    let calls = awaited
    asked = [:]
    waiting.replaceSubrange(..<first, with: calls)
    first = 0
    waitingIDs.formUnion(calls.map(\.id))
  }

  /// Takes all calls whose results are awaited, in order.
  mutating func takeAll() -> [Call] {
    let calls = awaited + waiting[first...].filter { waitingIDs.contains($0.id) }
    self = PendingCalls()
    return calls
  }
}
