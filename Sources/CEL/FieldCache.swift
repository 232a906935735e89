@_spi(Engine) import StreamCore
import Synchronization

/// Caches the last shape seen by each field access of all plans that share an activation, and the field's index in it.
///
/// A direct-mapped table: the number of an access selects its entry, and accesses with the same entry evict each other.
/// The table grows when evictions are frequent, so that alternating plans allocate nothing.
struct FieldCacheTable: ~Copyable {
  struct Entry {
    /// Number of the access that owns the entry; 0 if the entry is empty.
    var access: Int
    /// NB: Retained, so that no other shape can reuse its identity.
    var shape: Shape?
    var place: Int
  }

  private(set) var entries: UnsafeMutablePointer<Entry>
  private(set) var mask: Int
  private var misses = 0

  private static let initialCount = 16
  private static let maximumCount = 4096

  init() {
    entries = Self.allocate(Self.initialCount)
    mask = Self.initialCount - 1
  }

  deinit { Self.release(entries, mask + 1) }

  /// Returns the field's index in maps of this shape; nil if it is not the last shape that the access has seen.
  @inline(__always)
  func place(_ access: Int, _ shape: Shape) -> Int? {
    let entry = entries + (access & mask)
    return entry.pointee.access == access && entry.pointee.shape === shape ? entry.pointee.place : nil
  }

  mutating func remember(_ access: Int, _ shape: Shape, _ place: Int) {
    let current = entries[access & mask].access
    if current != 0 && current != access {
      misses += 1
      if misses > 64 && mask + 1 < Self.maximumCount { grow() }
    }
    entries[access & mask] = Entry(access: access, shape: shape, place: place)
  }

  private mutating func grow() {
    let count = (mask + 1) * 2
    Self.release(entries, mask + 1)
    entries = Self.allocate(count)
    mask = count - 1
    misses = 0
  }

  private static func allocate(_ count: Int) -> UnsafeMutablePointer<Entry> {
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: count)
    entries.initialize(repeating: Entry(access: 0, shape: nil, place: 0), count: count)
    return entries
  }

  private static func release(_ entries: UnsafeMutablePointer<Entry>, _ count: Int) {
    entries.deinitialize(count: count)
    entries.deallocate()
  }

  /// Returns a number for a field access, unique in the process and from 1 up: accesses that are adjacent in a plan are
  /// adjacent in the table.
  static func nextAccess() -> Int {
    accessCount.add(1, ordering: .relaxed).newValue
  }

  private static let accessCount = Atomic<Int>(0)
}
