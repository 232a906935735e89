import StreamCore

extension FunctionCatalogue {
  static let stringExtensions: [Function] = []
}
