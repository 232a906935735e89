internal import StreamCore
internal import StreamRuntime

/// The ports of the streams that an operator starts: one for each, used again when its stream has ended and none of its
/// values waits any more.
struct InnerPorts: Codable, Sendable {
  /// The ports of the streams that run.
  private(set) var active: Set<Int> = []
  private var free: [Int] = []
  private var last: Int
  /// How many values of each port wait.
  private var held: [Int: Int] = [:]

  /// - Parameter first: the number of the first port; those before it are taken.
  init(from first: Int = 1) { last = first - 1 }

  var count: Int { active.count }

  mutating func take() -> Int {
    let port = free.popLast() ?? last + 1
    last = max(last, port)
    active.insert(port)
    return port
  }

  /// A value of the port is put aside.
  mutating func hold(_ port: Int) { held[port, default: 0] += 1 }

  /// A value that was put aside is done with. Says whether the stream still runs, so that it may be asked for another.
  mutating func letGo(_ port: Int) -> Bool {
    let count = held[port, default: 0] - 1
    held[port] = count > 0 ? count : nil
    if active.contains(port) { return true }
    if count <= 0 { free.append(port) }
    return false
  }

  /// The stream on the port has ended.
  mutating func end(_ port: Int) {
    active.remove(port)
    if held[port] == nil { free.append(port) }
  }

  /// Forgets all streams, and what waits of them. Their ports can be used again after that.
  mutating func removeAll() -> [Int] {
    let ports = Set(held.keys).union(active).sorted()
    active = []
    held = [:]
    return ports
  }

  mutating func giveBack(_ ports: [Int]) { free += ports }
}
