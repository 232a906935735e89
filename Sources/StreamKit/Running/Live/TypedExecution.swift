public import StreamCore
public import StreamEngine

/// A live execution that decodes its values as a type. A value that does not fit ends it.
///
/// `@unchecked`: as `LiveExecution`.
@_spi(Driving) open class TypedExecution<Output: Decodable>: LiveExecution, @unchecked Sendable {
  /// The output whose values are received; nil for all values.
  private let output: String?

  override public init(_ stream: LiveStream, _ keeper: SchedulerAdapter) {
    output = stream.output
    super.init(stream, keeper)
  }

  /// Receives a decoded value and returns additional demand.
  open func handle(_ output: Output) -> Demand { .none }

  /// Receives the failure of a value that does not fit (`S414`). No call follows it.
  open func handle(misfit failure: StreamFailure) {}

  override public final func receive(_ value: Value) -> Demand {
    guard let output else { return handle(value) }
    // A value of another output satisfies no demand.
    return value.ofOutput(output).map(handle) ?? Demand(1)
  }

  private func handle(_ value: Value) -> Demand {
    do throws(StreamFailure) {
      return handle(try ValueReading<Output>(services.coding).read(value))
    } catch {
      // The stream ends here.
      handle(misfit: error)
      cancel()
      return .none
    }
  }
}
