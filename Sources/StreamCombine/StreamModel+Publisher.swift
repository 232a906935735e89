public import StreamCore
@_spi(Driving) public import StreamKit
public import StreamRuntime

extension StreamModel {
  /// A publisher of what the stream publishes. Its time, and its delivery, are the main queue's.
  ///
  /// The model is compiled now, once for all subscribers. One that cannot be compiled fails at once with what is wrong
  /// with it; `LiveStream(model)` throws that instead.
  ///
  /// - Parameters:
  ///   - inputs: what feeds the model's inputs, by name.
  ///   - services: the functions and hooks that the model names.
  ///   - options: how the model is compiled.
  ///   - delivery: where it works. Default on the scheduler.
  public func publisher(
    inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices(),
    options: CompileOptions = CompileOptions(), delivery: StreamDelivery = .onScheduler
  ) -> AnyPublisher<Value, StreamFailure> {
    publisher(
      of: Value.self, inputs: inputs, services: services, options: options, delivery: delivery)
  }

  /// A publisher of what the stream publishes, as values of this type. A value that does not fit ends the stream with a
  /// failure that says why (`S414`).
  public func publisher<Output: Decodable>(
    of type: Output.Type, inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices(),
    options: CompileOptions = CompileOptions(), delivery: StreamDelivery = .onScheduler
  ) -> AnyPublisher<Output, StreamFailure> {
    publisher(inputs, services, options, StandardKeepers.keeper(for: delivery))
  }

  /// A publisher whose time follows a scheduler of the caller's.
  public func publisher(
    inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices(),
    options: CompileOptions = CompileOptions(), scheduler: some Scheduler, delivery: StreamDelivery = .onScheduler
  ) -> AnyPublisher<Value, StreamFailure> {
    publisher(
      of: Value.self, inputs: inputs, services: services, options: options, scheduler: scheduler, delivery: delivery)
  }

  /// A publisher of values of this type, whose time follows a scheduler of the caller's.
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

  /// The stream as a publisher: `publisher()` under the name that the data-driven stream models of old had.
  public func toPublisher() -> AnyPublisher<Value, StreamFailure> { publisher() }
}

extension LiveStream {
  /// A publisher of what the stream publishes. Its time, and its delivery, are the main queue's.
  public func publisher<Output: Decodable>(
    of type: Output.Type = Value.self, delivery: StreamDelivery = .onScheduler
  ) -> StreamPublisher<Output> {
    StreamPublisher(.success(self), StandardKeepers.keeper(for: delivery))
  }

  /// A publisher whose time follows a scheduler of the caller's.
  public func publisher<Output: Decodable>(
    of type: Output.Type = Value.self, scheduler: some Scheduler, delivery: StreamDelivery = .onScheduler
  ) -> StreamPublisher<Output> {
    StreamPublisher(.success(self), SchedulerKeeper(scheduler, delivery: delivery))
  }
}
