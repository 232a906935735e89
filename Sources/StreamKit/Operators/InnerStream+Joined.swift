internal import StreamCore

extension InnerStream {
  /// The stream as an input of an operator that has it in this field.
  func joined(in field: String) -> [JoinedStream] {
    [JoinedStream(reference: reference, pointer: JSONPointer([field]))]
  }
}
