/// The elements of a list, in order: a collection of values.
///
/// Copies share their storage until one of them changes. A list of lists of any depth is released on a thread with any
/// stack.
///
/// ```swift
/// if case .list(let list) = value { count = list.count }
/// ```
public struct ValueList: @unchecked Sendable {
  @usableFromInline var body: ListBody

  /// Creates a list without elements.
  @inlinable
  public init() { body = .empty }

  /// Creates a list of these elements.
  @inlinable
  public init(_ elements: [Value]) { body = elements.isEmpty ? .empty : ListBody(elements) }

  /// The elements.
  @inlinable
  public var elements: [Value] {
    get { body.elements }
    _modify {
      if !isKnownUniquelyReferenced(&body) { body = ListBody(body.elements) }
      yield &body.elements
    }
  }
}

/// The storage shared by copies of a list.
///
/// NB: Mutated only by a unique owner, so owners may send it to any thread: they are `@unchecked`.
@usableFromInline
final class ListBody {
  @usableFromInline var elements: [Value]

  @usableFromInline
  init(_ elements: [Value]) { self.elements = elements }

  @usableFromInline nonisolated(unsafe) static let empty = ListBody([])

  deinit {
    // NB: Released as a local variable: the accesses to the property of many nested bodies would be checked against each
    // other.
    var last: [Value] = []
    swap(&last, &elements)
    DeepStack.run(needing: DeepStack.releaseBytes) { last = [] }
  }
}

extension ValueList: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  @inlinable
  public var startIndex: Int { 0 }

  @inlinable
  public var endIndex: Int { body.elements.count }

  @inlinable
  public subscript(index: Int) -> Value {
    get { body.elements[index] }
    _modify { yield &elements[index] }
  }

  @inlinable
  public func makeIterator() -> IndexingIterator<[Value]> { body.elements.makeIterator() }

  @inlinable
  public mutating func replaceSubrange(_ range: Range<Int>, with values: some Collection<Value>) {
    elements.replaceSubrange(range, with: values)
  }

  @inlinable
  public mutating func append(_ value: Value) { elements.append(value) }

  @inlinable
  public func withContiguousStorageIfAvailable<Result>(
    _ look: (UnsafeBufferPointer<Value>) throws -> Result
  ) rethrows -> Result? {
    try body.elements.withContiguousStorageIfAvailable(look)
  }
}

extension ValueList: Hashable, ExpressibleByArrayLiteral, CustomStringConvertible {
  public init(arrayLiteral elements: Value...) { self.init(elements) }

  public var description: String { elements.description }

  public static func == (lhs: ValueList, rhs: ValueList) -> Bool { Value.list(lhs) == Value.list(rhs) }

  public func hash(into hasher: inout Hasher) { Value.list(self).hash(into: &hasher) }
}

extension Value {
  /// Creates a list of these elements.
  @inlinable
  public static func list(_ elements: [Value]) -> Value { .list(ValueList(elements)) }
}
