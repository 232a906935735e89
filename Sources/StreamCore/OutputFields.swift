/// A record that has not been made: where the values of its fields are.
///
/// NB: trivial, and of use for as long as whoever gives it keeps what it leads to.
package struct OutputFields {
  /// The keys.
  let shape: Unmanaged<Shape>
  /// For each key the place of its value.
  let places: UnsafePointer<UInt16>

  package init(shape: Unmanaged<Shape>, places: UnsafePointer<UInt16>) {
    self.shape = shape
    self.places = places
  }

  /// The record.
  package func record(of values: UnsafePointer<Value>) -> Value {
    .map(ValueMap(shape: shape.takeUnretainedValue()) { values[Int(places[$0])] })
  }
}
