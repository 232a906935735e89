internal import StreamCore
internal import StreamEngine

/// Allocates ports for the streams that an operator starts. A port is reused after its stream has ended and nothing
/// refers to it.
struct InnerPorts: Codable, Sendable {
  /// The ports of the running streams.
  private(set) var active: Set<Int> = []
  private var free: [Int] = []
  private var last: Int
  /// The distance between ports; an operator may use the ports between them.
  private let stride: Int
  /// Number of references to each port, such as waiting values.
  private var held: [Int: Int] = [:]

  /// - Parameter first: The first port; each further one adds `stride`.
  init(first: Int = 1, stride: Int = 1) {
    last = first - stride
    self.stride = stride
  }

  /// - Parameters:
  ///   - isRunning: Whether the stream on each port runs, from port 1 on. Ports without a stream are held, or free.
  ///   - free: The free ports, the next one last.
  ///   - first: The first port.
  ///   - stride: The distance between ports.
  init(_ isRunning: [Bool], free: [Int], first: Int = 1, stride: Int) {
    self.init(first: first, stride: stride)
    let freePorts = Set(free)
    for runs in isRunning {
      let port = take()
      if !runs { active.remove(port) }
      if !runs, !freePorts.contains(port) { hold(port) }
    }
    self.free = free
  }

  /// Whether the stream on each port runs, from port 1 on, and the free ports; nil if a port is held more than once, or
  /// together with its stream.
  var use: (isRunning: [Bool], free: [Int])? {
    let all = Array(Swift.stride(from: 1, through: last, by: stride))
    guard held.allSatisfy({ $0.value == 1 && !active.contains($0.key) }),
      active.count + held.count + free.count == all.count
    else { return nil }
    return (all.map(active.contains), free)
  }

  var count: Int { active.count }

  /// Whether no port is used or held.
  var isIdle: Bool { active.isEmpty && held.isEmpty }

  /// Whether no other port is used or held, and this port has a single reference.
  func usesOnly(_ port: Int) -> Bool { active.count + held.count == 1 && (active.contains(port) || held[port] == 1) }

  /// Whether no port has been allocated.
  var isUnused: Bool { isIdle && free.isEmpty }

  /// Ports are reused, so their number stays close to that of the running streams.
  private static let limit = 4 * Execution.stageLimit

  /// Describes the error in saved ports; nil if they are valid.
  ///
  /// Every used, held or free port has been allocated, and no free port is in use.
  func problem(beside first: InnerPorts) -> String? {
    let used = active.union(held.keys)
    guard stride == first.stride, last >= first.last, last <= Self.limit, (last - first.last) % stride == 0,
      used.union(free).allSatisfy({ $0 > first.last && hasGiven($0) })
    else { return "has ports that were never allocated" }
    guard Set(free).count == free.count, used.isDisjoint(with: free) else {
      return "has a port that is both free and in use"
    }
    return held.values.allSatisfy { $0 > 0 && $0.isCount } ? nil : "has a port with an invalid reference count"
  }

  /// Whether a port has been allocated at some time.
  func hasGiven(_ port: Int) -> Bool { port <= last && (last - port) % stride == 0 }

  /// Whether a port is held at least `count` times.
  func isHeld(_ port: Int, times count: Int = 1) -> Bool { held[port, default: 0] >= count }

  mutating func take() -> Int {
    let port = free.popLast() ?? last + stride
    last = max(last, port)
    active.insert(port)
    return port
  }

  /// Adds a reference to the port.
  mutating func hold(_ port: Int) { held[port, default: 0] += 1 }

  /// Removes a reference to the port. Returns whether its stream still runs, so that more can be requested from it.
  @discardableResult
  mutating func letGo(_ port: Int) -> Bool {
    let count = held[port, default: 0] - 1
    held[port] = count > 0 ? count : nil
    if active.contains(port) { return true }
    if count <= 0 { free.append(port) }
    return false
  }

  /// Marks the port's stream as ended.
  mutating func end(_ port: Int) {
    guard active.remove(port) != nil else { return }
    if held[port] == nil { free.append(port) }
  }

  /// Ends all streams and removes all references. Returns their ports, which are reused only after `recycle`.
  mutating func removeAll() -> [Int] {
    let ports = active.union(held.keys).sorted()
    active = []
    held = [:]
    return ports
  }

  mutating func recycle(_ ports: [Int]) { free += ports }
}
