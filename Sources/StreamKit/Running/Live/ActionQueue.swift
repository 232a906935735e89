internal import HeapModule
public import StreamEngine

/// Actions in the order of their times; those of one time in the order in which they were added. Each can be removed
/// before it is due, and leaves nothing behind.
///
/// - Complexity: O(log n) to add an action and to remove it.
@_spi(Driving) public struct ActionQueue: Sendable {
  public typealias Action = @Sendable () -> Void

  private struct Entry: Comparable {
    let time: StreamTime
    let number: Int

    static func < (lhs: Entry, rhs: Entry) -> Bool {
      lhs.time != rhs.time ? lhs.time < rhs.time : lhs.number < rhs.number
    }
  }

  /// The first entry is never one of a removed action; others may be.
  private var entries = Heap<Entry>()
  private var actions: [Int: Action] = [:]
  private var count = 0

  public init() {}

  public var isEmpty: Bool { actions.isEmpty }

  /// When the first action is due; nil if there is none.
  public var nextTime: StreamTime? { entries.min?.time }

  /// Adds an action and returns its number.
  public mutating func add(at time: StreamTime, _ action: @escaping Action) -> Int {
    count += 1
    entries.insert(Entry(time: time, number: count))
    actions[count] = action
    return count
  }

  /// Removes and returns an action; nil if it has been removed or was due.
  ///
  /// The caller releases it outside its locks: a deinitializer may run any code.
  public mutating func remove(_ number: Int) -> Action? {
    guard let action = actions.removeValue(forKey: number) else { return nil }
    if entries.count > 2 * actions.count + 64 {
      entries = Heap(entries.unordered.filter { actions[$0.number] != nil })
      // A dictionary keeps the capacity of its greatest count.
      actions = actions.filter { _ in true }
    }
    dropRemoved()
    return action
  }

  /// Removes and returns the first action that is due before or at a time.
  public mutating func next(through time: StreamTime) -> (time: StreamTime, action: Action)? {
    guard let first = entries.min, first.time <= time, let action = actions.removeValue(forKey: first.number) else {
      return nil
    }
    entries.removeMin()
    dropRemoved()
    return (first.time, action)
  }

  /// Removes and returns all actions, in no particular order.
  public mutating func removeAll() -> [Action] {
    defer { (entries, actions) = (Heap(), [:]) }
    return Array(actions.values)
  }

  private mutating func dropRemoved() {
    while let first = entries.min, actions[first.number] == nil { entries.removeMin() }
  }
}
