public import StreamCore
public import StreamKit

/// A live stream that follows a name in a signed repository.
///
/// ```swift
/// let fraud = try SharedStream("checkout/fraud", from: repository, fallback: builtIn)
/// for try await alert in fraud.values(of: Alert.self, inputs: ["payments": payments]) { show(alert) }
/// ```
///
/// It starts at once with the last good version, or with the fallback, and takes new versions while it runs: see
/// `ChangingStream` for the state that is kept, and `Probation` for versions that fail. It ends when it is canceled, or
/// released together with its sequences of values.
public final class SharedStream: Sendable {
  let core: SharedStreamCore

  /// Follows a name.
  ///
  /// - Parameters:
  ///   - name: The name of the stream, for example `checkout/fraud`.
  ///   - repository: The repository, which other streams may follow as well.
  ///   - fallback: The version that is built into the app. Default a stream that publishes nothing.
  ///   - probation: The conditions under which a new version counts as good.
  ///   - services: The functions and hooks that all versions can use.
  ///   - options: Compile options; `services` are added to the host. Without a loader, versions cannot refer to other
  ///     files.
  /// - Throws: All errors in the fallback, and `S112` for a text that is not a name.
  public convenience init(
    _ name: String, from repository: SharedRepository,
    fallback: StreamModel = StreamModel(source: .never(Source.Never())), probation: Probation = Probation(),
    services: HostServices = HostServices(), options: CompileOptions = CompileOptions()
  ) throws(Diagnostics) {
    let checked: StreamName
    do throws(TrustError) {
      checked = try StreamName(name)
    } catch {
      throw Diagnostics([Diagnostic(.invalidIdentifier, error.description)])
    }
    self.init(try SharedStreamCore(checked, repository, fallback: fallback, probation, services, options))
  }

  init(_ core: SharedStreamCore) {
    self.core = core
    core.repository.loop.follow(core)
  }

  deinit { core.cancel() }

  /// The version that runs, and the reason why.
  public var state: SharedStreamState { core.states.current }

  /// The current state, then each new one. Every use is a sequence of its own, which ends with the shared stream.
  public var states: AsyncStream<SharedStreamState> { core.states.makeStream() }

  /// Refreshes the repository at once, for all streams that follow it. Returns when a new version has replaced the
  /// running one, or there is none.
  public func check() async { await core.repository.check() }

  /// Ends all sequences. A version on probation keeps its chance in the next process.
  public func cancel() { core.cancel() }

  /// Returns the values of the stream, awaited one at a time.
  ///
  /// Each iterator is a subscription with a state of its own, which begins with the iterator.
  ///
  /// - Parameters:
  ///   - type: The type of the values. A value that does not fit is a failure of the version (`S414`).
  ///   - output: The name of one of the outputs; of a version that lacks it nothing is received. Default nil: all values;
  ///     of a file with outputs, each as an object with the output's name as its only member.
  ///   - inputs: The feeds of inputs, by name. Names that the present version lacks may exist in a later one.
  ///   - bufferingPolicy: The values kept while the loop is busy. Default 1,024 values; one more ends the loop with a failure
  ///     (`S409`). The stream does not wait for a loop: `demand` keeps as many.
  /// - Returns: The values. Iteration throws the `StreamFailure` of a version that is not on probation.
  public func values<Output: Decodable & Sendable>(
    of type: Output.Type = Value.self, output: String? = nil, inputs: [String: any StreamFeed] = [:],
    bufferingPolicy: BufferingPolicy = .standard
  ) -> SharedValues<Output> {
    SharedValues(self, core, output, inputs, bufferingPolicy)
  }
}
