import StreamCore
import Synchronization

/// Remembers for the field accesses of all plans that share an activation the shape seen last, and the field's place
/// in it.
///
/// A table in which every access has one place, given by its number; accesses that meet there drive each other out. It
/// grows when that happens often, so that nothing is allocated when plans take turns.
struct FieldCacheTable: ~Copyable {
  struct Entry {
    /// The number of the access whose entry this is; 0 for none.
    var access: Int
    /// NB: kept alive here, so that another shape cannot come to have its identity.
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

  /// Where the field stands in maps of this shape, if the access has seen the shape last.
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

  /// Numbers the field accesses of all plans of the process, from 1: neighbors in a plan are neighbors in the table.
  static func nextAccess() -> Int {
    accessCount.add(1, ordering: .relaxed).newValue
  }

  private static let accessCount = Atomic<Int>(0)
}
