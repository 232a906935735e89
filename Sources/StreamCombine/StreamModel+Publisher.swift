public import StreamCore
public import StreamEngine
@_spi(Driving) public import StreamKit

extension StreamModel {
  /// Returns a publisher of the stream's values. Time and delivery use the main queue.
  ///
  /// The model is compiled now, once for all subscribers. If it cannot be compiled, the publisher fails with the
  /// errors; `LiveStream(model)` throws them instead.
  ///
  /// - Parameters:
  ///   - inputs: The feeds of the inputs, by name.
  ///   - services: The functions and hooks that the model uses.
  ///   - options: Options for compiling the model.
  ///   - delivery: The context of delivery. Default on the scheduler.
  public func publisher(
    inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices(),
    options: CompileOptions = CompileOptions(), delivery: StreamDelivery = .onScheduler
  ) -> AnyPublisher<Value, StreamFailure> {
    publisher(
      of: Value.self, inputs: inputs, services: services, options: options, delivery: delivery)
  }

  /// Returns a publisher of the stream's values decoded as a type. A value that does not fit fails the stream (`S414`).
  public func publisher<Output: Decodable>(
    of type: Output.Type, inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices(),
    options: CompileOptions = CompileOptions(), delivery: StreamDelivery = .onScheduler
  ) -> AnyPublisher<Output, StreamFailure> {
    publisher(inputs, services, options, StandardKeepers.keeper(for: delivery))
  }

  /// Returns a publisher of the stream's values whose time follows a scheduler.
  public func publisher(
    inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices(),
    options: CompileOptions = CompileOptions(), scheduler: some Scheduler, delivery: StreamDelivery = .onScheduler
  ) -> AnyPublisher<Value, StreamFailure> {
    publisher(
      of: Value.self, inputs: inputs, services: services, options: options, scheduler: scheduler, delivery: delivery)
  }

  /// Returns a publisher of the stream's values decoded as a type, whose time follows a scheduler.
  public func publisher<Output: Decodable>(
    of type: Output.Type, inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices(),
    options: CompileOptions = CompileOptions(), scheduler: some Scheduler, delivery: StreamDelivery = .onScheduler
  ) -> AnyPublisher<Output, StreamFailure> {
    publisher(inputs, services, options, SchedulerKeeper(scheduler, delivery: delivery))
  }

  private func publisher<Output: Decodable>(
    _ inputs: [String: any StreamFeed], _ services: HostServices, _ options: CompileOptions, _ keeper: SchedulerAdapter
  ) -> AnyPublisher<Output, StreamFailure> {
    let stream: Result<LiveStream, StreamFailure>
    do throws(Diagnostics) {
      stream = .success(try LiveStream(self, inputs: inputs, services: services, options: options))
    } catch {
      stream = .failure(StreamFailure(error))
    }
    return StreamPublisher(stream, keeper).eraseToAnyPublisher()
  }

  /// Returns the stream as a publisher: `publisher()` under the name used by earlier data-driven stream models.
  public func toPublisher() -> AnyPublisher<Value, StreamFailure> { publisher() }
}

extension LiveStream {
  /// Returns a publisher of the stream's values. Time and delivery use the main queue.
  ///
  /// - Parameters:
  ///   - type: The type of the values. A value that does not fit fails the stream (`S414`).
  ///   - output: The name of one of the file's outputs: see `values(of:output:bufferingPolicy:clock:)`. Default nil: all
  ///     values.
  ///   - delivery: The context of delivery. Default on the scheduler.
  public func publisher<Output: Decodable>(
    of type: Output.Type = Value.self, output: String? = nil, delivery: StreamDelivery = .onScheduler
  ) -> StreamPublisher<Output> {
    StreamPublisher(chosen(output), StandardKeepers.keeper(for: delivery))
  }

  /// Returns a publisher of the stream's values whose time follows a scheduler.
  public func publisher<Output: Decodable>(
    of type: Output.Type = Value.self, output: String? = nil, scheduler: some Scheduler,
    delivery: StreamDelivery = .onScheduler
  ) -> StreamPublisher<Output> {
    StreamPublisher(chosen(output), SchedulerKeeper(scheduler, delivery: delivery))
  }

  private func chosen(_ output: String?) -> Result<LiveStream, StreamFailure> {
    do throws(StreamFailure) {
      return .success(try choosing(output))
    } catch {
      return .failure(error)
    }
  }
}
