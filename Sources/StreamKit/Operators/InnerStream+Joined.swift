internal import StreamCore

extension InnerStream {
  /// The stream as the one that an operator takes in this field.
  func joined(in field: String) -> [JoinedStream] {
    [JoinedStream(reference: reference, pointer: JSONPointer([field]))]
  }
}
