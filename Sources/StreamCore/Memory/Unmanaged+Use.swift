extension Unmanaged {
  /// Calls a closure with the object without retaining it, since reference counting would cost more than most stages.
  ///
  /// NB: The caller must keep the object alive during the call.
  @inlinable @inline(__always)
  package func use<Result, Failure: Error>(
    _ body: (Instance) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // `_withUnsafeGuaranteedRef` has no typed throws.
    let outcome = _withUnsafeGuaranteedRef { instance -> Swift.Result<Result, Failure> in
      do throws(Failure) {
        return .success(try body(instance))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}
