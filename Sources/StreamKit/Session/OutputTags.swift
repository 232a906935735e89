@_spi(Engine) package import StreamCore

extension Value {
  /// Returns the value that a file with outputs has published for one of them; nil if it is for another one.
  package func ofOutput(_ name: String) -> Value? {
    guard case .map(let map) = self, map.count == 1, map.shape.has(name, at: 0) else { return nil }
    return map.slots[0]
  }
}

/// The outputs of a run by name: splits each published value into its output and the value itself.
///
/// A file with named outputs publishes each value as an object with the output's name as its only member.
package struct OutputTags: Sendable {
  /// The names, in the order of the file.
  package let names: [String]
  private let shape: Shape

  package init(_ names: [String]) {
    self.names = names
    shape = Shape(names: names)
  }

  /// Creates the tags of the outputs of a model; nil for a model with one unnamed output.
  package init?(_ model: StreamModel) {
    if model.outputs.isEmpty { return nil }
    self.init(model.outputNames)
  }

  /// Returns the number of the output, in the order of the names, and its value; nil for a value of an earlier version
  /// that had other outputs.
  ///
  /// - Complexity: O(1); the name is compared, nothing is allocated.
  package func output(of value: Value) -> (index: Int, value: Value)? {
    guard case .map(let map) = value, map.count == 1, let index = shape.index(of: map.shape.keys[0]) else { return nil }
    return (index, map.slots[0])
  }
}
