import StreamCore

extension FunctionCatalogue {
  /// Functions on both strings and collections.
  static let collections: [Function] = [
    Function(
      "size", "The number of Unicode scalars in a string, or of elements", cost: .textBytes(perStep: 16),
      [CELType.string, .bytes, .list(.parameter("A")), .map(.parameter("A"), .parameter("B"))].flatMap {
        [.function([$0], .int), .method([$0], .int)]
      },
      .one { (value, _) throws(EvaluationError) in
        switch value {
        case .string(let text): .int(Int64(ScalarText.count(text)))
        case .bytes(let bytes): .int(Int64(bytes.count))
        case .list(let list): .int(Int64(list.count))
        case .map(let map): .int(Int64(map.count))
        default: throw .noOverload("size", value)
        }
      })
  ]
}
