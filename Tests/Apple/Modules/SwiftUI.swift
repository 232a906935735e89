// The part of SwiftUI that the sources use.
@propertyWrapper public struct Binding<Value> {
  private let read: @Sendable () -> Value
  private let write: @Sendable (Value) -> Void

  public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
    read = get
    write = set
  }

  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }
}
