internal import StreamCore
internal import StreamRuntime

/// The ports of the streams that an operator starts: one for each, used again when its stream has ended and nothing that
/// has to do with it is left.
struct InnerPorts: Codable, Sendable {
  /// The ports of the streams that run.
  private(set) var active: Set<Int> = []
  private var free: [Int] = []
  private var last: Int
  /// How far ports are apart: an operator may have ports of its own between them.
  private let stride: Int
  /// How many things of each port are kept: values that wait.
  private var held: [Int: Int] = [:]

  /// - Parameter first: the first port; the others follow, each `stride` further.
  init(first: Int = 1, stride: Int = 1) {
    last = first - stride
    self.stride = stride
  }

  var count: Int { active.count }

  /// Ports are used again, so that there are not many more than streams at work.
  private static let limit = 4 * Execution.stageLimit

  /// Describes the error in saved ports; nil if they are valid.
  ///
  /// Every port that is used, held or free has been given out, and none is free that is in use.
  func problem(beside first: InnerPorts) -> String? {
    let used = active.union(held.keys)
    guard stride == first.stride, last >= first.last, last <= Self.limit, (last - first.last) % stride == 0,
      used.union(free).allSatisfy({ $0 > first.last && hasGiven($0) })
    else { return "has ports that it does not give out" }
    guard Set(free).count == free.count, used.isDisjoint(with: free) else {
      return "has a port that is both free and in use"
    }
    return held.values.allSatisfy { $0 > 0 && $0.isCount } ? nil : "has a port that is held by nothing"
  }

  /// Whether a port has been given out, and perhaps back.
  func hasGiven(_ port: Int) -> Bool { port <= last && (last - port) % stride == 0 }

  /// Whether a port is held at least so often.
  func isHeld(_ port: Int, times count: Int = 1) -> Bool { held[port, default: 0] >= count }

  mutating func take() -> Int {
    let port = free.popLast() ?? last + stride
    last = max(last, port)
    active.insert(port)
    return port
  }

  /// Something of the port is kept.
  mutating func hold(_ port: Int) { held[port, default: 0] += 1 }

  /// Something that was kept is done with. Says whether the stream still runs, so that it may be asked for more.
  @discardableResult
  mutating func letGo(_ port: Int) -> Bool {
    let count = held[port, default: 0] - 1
    held[port] = count > 0 ? count : nil
    if active.contains(port) { return true }
    if count <= 0 { free.append(port) }
    return false
  }

  /// The stream on the port has ended.
  mutating func end(_ port: Int) {
    guard active.remove(port) != nil else { return }
    if held[port] == nil { free.append(port) }
  }

  /// Forgets all streams and what is kept of them. Gives their ports, which can be used again once they are given back.
  mutating func removeAll() -> [Int] {
    let ports = active.union(held.keys).sorted()
    active = []
    held = [:]
    return ports
  }

  mutating func giveBack(_ ports: [Int]) { free += ports }
}
