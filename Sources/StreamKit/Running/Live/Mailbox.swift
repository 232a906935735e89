internal import Synchronization

/// A lock-free queue of messages with many senders and one receiver, in order.
///
/// - Complexity: O(1) to leave a message.
/// - SeeAlso: The stack of Treiber (1986), reversed when it is emptied.
struct Mailbox<Message: Sendable>: ~Copyable {
  private let top = Atomic<UnsafeMutablePointer<Letter>?>(nil)
  /// Number of queued messages, or slightly more.
  private let count = Atomic<Int32>(0)

  private struct Letter {
    let message: Message
    var below: UnsafeMutablePointer<Letter>?
  }

  /// Enqueues a message and returns the number of queued messages.
  borrowing func leave(_ message: Message) -> Int {
    let waiting = count.add(1, ordering: .relaxed).newValue
    let letter = UnsafeMutablePointer<Letter>.allocate(capacity: 1)
    letter.initialize(to: Letter(message: message, below: top.load(ordering: .relaxed)))
    while true {
      // NB: The letter below may have been taken and deallocated already, so it is never dereferenced.
      let (isDone, found) = top.weakCompareExchange(
        expected: letter.pointee.below, desired: letter, ordering: .releasing)
      if isDone { return Int(waiting) }
      letter.pointee.below = found
    }
  }

  /// Takes all messages, the first that was left first.
  borrowing func takeAll() -> [Message] {
    var next = top.exchange(nil, ordering: .acquiring)
    var messages: [Message] = []
    while let letter = next {
      let content = letter.move()
      letter.deallocate()
      messages.append(content.message)
      next = content.below
    }
    count.subtract(Int32(truncatingIfNeeded: messages.count), ordering: .relaxed)
    messages.reverse()
    return messages
  }

  deinit { _ = takeAll() }
}
