@_spi(Engine) import StreamCore

/// The shapes that maps take when keys are added, removed or renamed, so that such maps of one origin share a shape.
struct ShapeChanges {
  /// A change of a map's keys: all that determines the keys of the result.
  enum Change: Equatable {
    case adding([Value])
    case removing(ValueList)
    case renaming(ValueMap)

    var keyCount: Int {
      switch self {
      case .adding(let keys): keys.count
      case .removing(let keys): keys.count
      case .renaming(let names): names.count
      }
    }
  }

  private struct Entry {
    /// NB: Retained, so that no other shape can reuse its identity.
    var shape: Shape
    var change: Change
    var result: Shape
  }

  private var entries: [Entry] = []
  private var oldest = 0

  private static let maximumCount = 8
  /// Limits of the shapes and changes that are remembered, which bound their memory and the time of a search.
  static let maximumKeys = 64
  static let maximumBytes = 4096

  func result(_ shape: Shape, _ change: Change) -> Shape? {
    entries.first { $0.shape === shape && $0.change == change }?.result
  }

  mutating func remember(_ shape: Shape, _ change: Change, _ result: Shape) {
    let entry = Entry(shape: shape, change: change, result: result)
    if entries.count < Self.maximumCount {
      entries.append(entry)
    } else {
      entries[oldest] = entry
      oldest = (oldest + 1) % Self.maximumCount
    }
  }
}

extension Activation {
  /// Returns the shape that results from a change of another shape's keys. The charge does not depend on whether the
  /// change is remembered.
  ///
  /// - Parameter keys: Returns the keys of the result. Called if the change is not remembered.
  func shape(
    of shape: Shape, _ change: ShapeChanges.Change, _ keys: () throws(EvaluationError) -> [Value]
  ) throws(EvaluationError) -> Shape {
    let count = shape.count + change.keyCount
    var bytes = 0
    for key in shape.keys {
      if case .string(let name) = key { bytes += name.utf8.count }
    }
    try charge(count * 40 + bytes)
    let isSmall = count <= ShapeChanges.maximumKeys && bytes <= ShapeChanges.maximumBytes
    if isSmall, let known = shapeChanges.result(shape, change) { return known }
    let keys = try keys()
    let result = keys.isEmpty ? .empty : Shape(keys)
    if isSmall, keys.allSatisfy({ $0.isShortKey }) { shapeChanges.remember(shape, change, result) }
    return result
  }
}

extension Value {
  fileprivate var isShortKey: Bool {
    if case .string(let name) = self { return name.utf8.count <= ShapeChanges.maximumBytes / 16 }
    return true
  }
}
