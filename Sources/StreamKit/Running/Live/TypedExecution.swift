public import StreamCore
public import StreamRuntime

/// A live execution whose values are heard as a type that an app works with. A value that does not fit ends it.
///
/// `@unchecked`: as `LiveExecution`.
@_spi(Driving) open class TypedExecution<Output: Decodable>: LiveExecution, @unchecked Sendable {
  /// A value; gives how many more are asked for beside what has been.
  open func hear(_ output: Output) -> Demand { .none }

  /// The end, for a value that does not fit (`S414`). Nothing comes after it.
  open func hear(misfit failure: StreamFailure) {}

  override public final func receive(_ value: Value) -> Demand {
    do throws(StreamFailure) {
      return hear(try ValueReading<Output>().read(value))
    } catch {
      // The stream goes on no further.
      hear(misfit: error)
      cancel()
      return .none
    }
  }
}
