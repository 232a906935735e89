extension Unmanaged {
  /// Does something with the object without counting the reference, which takes longer than what most stages do.
  ///
  /// NB: whoever calls this keeps the object for as long as that takes.
  @inlinable @inline(__always)
  package func use<Result, Failure: Error>(
    _ body: (Instance) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // `_withUnsafeGuaranteedRef` does not say which errors it throws.
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
