internal import CEL
@_spi(Engine) internal import StreamCore

extension StreamModel {
  /// Returns a model that runs named streams of this one side by side: it publishes each of their values as an object
  /// with the stream's name as its only member. The model itself if there are no names.
  ///
  /// - Throws: The names that no stream has (`S109`), names that occur twice (`S118`), and the partition of a model that has
  ///   one (`S123`).
  func publishing(_ outputs: [String]) throws(Diagnostics) -> StreamModel {
    guard !outputs.isEmpty else { return self }
    var problems = Diagnostics()
    for name in outputs where streams[name] == nil {
      problems.append(
        Diagnostic(
          .unknownStream, "there is no stream '\(name)' among 'streams', which would be an output",
          help: nearestName(to: name, among: streams.names).map { "did you mean '\($0)'?" }))
    }
    for (index, name) in outputs.enumerated() where outputs[..<index].contains(name) {
      problems.append(Diagnostic(.duplicateName, "'\(name)' is an output twice", help: "name each output once"))
    }
    if partition != nil {
      problems.append(
        Diagnostic(
          .cannotPartition, "a partitioned stream has no outputs beside its own", at: JSONPointer(["partition"]),
          help: "remove 'partition', or the outputs"))
    }
    try problems.throwErrors()
    let tagged = outputs.map { name in
      (
        source: Source.stream(Source.Stream(name: name)),
        tag: PlacedOperator(.map(CELExpression("{\(JSONWriter.compact(.string(name))): value}")))
      )
    }
    var model = StreamModel(
      format: format, requires: requires, inputs: inputs, streams: streams, source: tagged[0].source,
      operators: [tagged[0].tag])
    if tagged.count > 1 {
      let others = tagged.dropFirst().map { StreamReference.model(StreamModel(source: $0.source, operators: [$0.tag])) }
      model.operators.append(PlacedOperator(.merge(Operator.Merge(with: StreamReferences(others)))))
    }
    return model
  }
}
