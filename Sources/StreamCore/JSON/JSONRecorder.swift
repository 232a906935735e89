/// Receives the locations found by the parser. The parser serves documents, which keep locations, and lines, which do
/// not.
protocol JSONRecorder {
  /// Whether duplicate keys are collected rather than thrown.
  static var collects: Bool { get }
  /// Whether one more error can be collected.
  var hasRoom: Bool { get }
  mutating func key(_ range: Range<Int>)
  mutating func scalar(_ range: Range<Int>)
  mutating func open(at offset: Int)
  mutating func close(at end: Int)
  /// Records an error that does not end parsing, and marks the member with the latest key as a duplicate.
  mutating func collect(_ error: JSONError)
  /// Returns the range of the key at an index of the open object.
  func keyRange(at place: Int) -> Range<Int>?
}

/// A recorder that records nothing.
struct NoPositions: JSONRecorder {
  static var collects: Bool { false }
  var hasRoom: Bool { false }
  @inline(__always) mutating func key(_ range: Range<Int>) {}
  @inline(__always) mutating func scalar(_ range: Range<Int>) {}
  @inline(__always) mutating func open(at offset: Int) {}
  @inline(__always) mutating func close(at end: Int) {}
  mutating func collect(_ error: JSONError) {}
  func keyRange(at place: Int) -> Range<Int>? { nil }
}

/// The locations of every key and value of a document.
struct JSONPositions: JSONRecorder, Sendable {
  /// A value, and its key if it is an object's member; both with their quotation marks or brackets.
  struct Node: Sendable {
    var key: Range<Int>?
    var value: Range<Int>
    /// Index of the first child in `children`.
    var firstChild = 0
    var childCount = 0
  }

  static var collects: Bool { true }
  /// Maximum number of collected errors.
  static let errorLimit = 100
  var hasRoom: Bool { errors.count < Self.errorLimit }

  /// The nodes in the order of the text; the first is the root.
  private(set) var nodes: [Node] = []
  /// The children of all nodes; those of one node are contiguous.
  private(set) var children: [Int] = []
  private(set) var errors: [JSONError] = []
  private var latestKey: Range<Int>?
  private var duplicates: Set<Int> = []
  /// The open nodes, and for each the index in `pending` at which its children begin.
  private var open: [(node: Int, firstPending: Int)] = []
  private var pending: [Int] = []

  mutating func key(_ range: Range<Int>) { latestKey = range }

  mutating func scalar(_ range: Range<Int>) { add(range) }

  mutating func open(at offset: Int) {
    add(offset..<offset + 1)
    open.append((nodes.count - 1, pending.count))
  }

  mutating func close(at end: Int) {
    guard let (node, firstPending) = open.popLast() else { return }
    nodes[node].value = nodes[node].value.lowerBound..<end
    nodes[node].firstChild = children.count
    nodes[node].childCount = pending.count - firstPending
    children += pending[firstPending...]
    pending.removeSubrange(firstPending...)
  }

  mutating func collect(_ error: JSONError) {
    errors.append(error)
    duplicates.insert(nodes.count)
  }

  func keyRange(at place: Int) -> Range<Int>? {
    guard let (_, firstPending) = open.last else { return nil }
    let members = pending[firstPending...].filter { !duplicates.contains($0) }
    return members.indices.contains(place) ? nodes[members[place]].key : nil
  }

  /// Returns the child of a node at an index; nil if there is none.
  func child(of node: Int, at place: Int) -> Int? {
    guard nodes.indices.contains(node), place >= 0, place < nodes[node].childCount else { return nil }
    return children[nodes[node].firstChild + place]
  }

  private mutating func add(_ range: Range<Int>) {
    if !open.isEmpty { pending.append(nodes.count) }
    nodes.append(Node(key: latestKey, value: range))
    latestKey = nil
  }
}
