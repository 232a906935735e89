public import StreamCore
public import StreamRuntime
internal import Synchronization

/// A stream that runs, and whose model an app changes meanwhile: whoever hears it goes on hearing it.
///
/// ```swift
/// let stream = try ChangingStream(model, inputs: ["name": $name]) { show($0) }
/// let account = try await stream.swap(to: newModel)
/// ```
/// It is swapped between two values, as `StreamSwap` says: what is unchanged keeps its state, inputs their feeds, calls
/// that are open are waited for. What is sent before a swap is told to the old model, what is sent after it to the new
/// one; nothing is lost between them. It runs until it ends, is canceled or is released.
///
/// - SeeAlso: `LiveStream`, which does not change, and is faster.
public final class ChangingStream: Sendable {
  private let mail: AsyncStream<ChangingWork.Message>.Continuation
  private let receiver: FeedMail
  private let services: HostServices
  private let options: CompileOptions

  /// Subscribes, and asks for everything.
  ///
  /// - Parameters:
  ///   - model: the first version.
  ///   - inputs: what feeds inputs, by name. Those that this model does not have, a later one may.
  ///   - services: the functions and hooks that the models may name.
  ///   - options: how models are compiled; its host is given what `services` has.
  ///   - clock: what the stream's time follows. Default the machine's.
  ///   - receive: hears every value; one at a time, in a task of the stream's own.
  ///   - end: hears of the end. Default nobody.
  /// - Throws: all that is wrong with the model.
  public init<C: Clock>(
    _ model: StreamModel, inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices(),
    options: CompileOptions = CompileOptions(), clock: C = ContinuousClock(),
    receive: @escaping @Sendable (Value) -> Void, end: @escaping @Sendable (Completion) -> Void = { _ in }
  ) throws(Diagnostics) where C.Duration == Duration {
    var options = options
    services.announce(to: &options.host)
    let version = try StreamVersion(model, options)
    let (messages, mail) = AsyncStream.makeStream(of: ChangingWork.Message.self)
    self.mail = mail
    self.services = services
    self.options = options
    receiver = FeedMail(mail, inputs)
    let keeper = ClockKeeper(clock)
    Task { [receiver] in
      var work = ChangingWork(
        version, services, keeper, mail, isCancelled: { receiver.isCancelled.load(ordering: .relaxed) },
        receive: receive, end: end)
      for await message in messages {
        work.take(message)
        if work.isOver { break }
      }
      work.close()
      mail.finish()
      receiver.leave()
      // Who waits for a swap that nobody does any more.
      for await message in messages { if case .swap(_, let told) = message { told.resume(returning: nil) } }
    }
    // What the feeds have comes before the subscription, so that it takes the place of initial values.
    receiver.join()
    mail.yield(.begin)
  }

  deinit { cancel() }

  /// Goes on as another model, between two values.
  ///
  /// - Returns: what was kept, what began anew and what was lost, once that is done; nil where the stream had ended.
  /// - Throws: all that is wrong with the model; the stream goes on as it was.
  public func swap(to model: StreamModel) async throws(Diagnostics) -> SwapReport? {
    let version = try StreamVersion(model, options)
    let outcome: Result<SwapReport, Diagnostics>? = await withCheckedContinuation { told in
      if case .terminated = mail.yield(.swap(version, told)) { told.resume(returning: nil) }
    }
    return try outcome?.get()
  }

  /// Ends the subscription: what is being told is the last. More than once does nothing.
  public func cancel() {
    receiver.isCancelled.store(true, ordering: .relaxed)
    mail.yield(.cancel)
  }
}

/// What feeds have to tell, as mail, by the names of inputs: their numbers change with the model.
final class FeedMail: FeedReceiver {
  private let mail: AsyncStream<ChangingWork.Message>.Continuation
  private let feeds: [(name: String, feed: any StreamFeed)]
  /// Whether nothing is to be told any more.
  let isCancelled = Atomic(false)

  init(_ mail: AsyncStream<ChangingWork.Message>.Continuation, _ feeds: [String: any StreamFeed]) {
    self.mail = mail
    self.feeds = feeds.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func join() { for (number, entry) in feeds.enumerated() { entry.feed.attach(self, as: number) } }

  func leave() { for entry in feeds { entry.feed.detach(self) } }

  func receive(_ value: Value, on number: Int) { mail.yield(.value(value, input: feeds[number].name)) }

  func receive(_ completion: Completion, on number: Int) {
    mail.yield(.completion(completion, input: feeds[number].name))
  }
}
