internal import StreamCore

extension StreamModel {
  /// Returns a model whose outputs are these: outputs or named streams of this one. The model itself if there are no
  /// names.
  ///
  /// - Throws: The names that neither an output nor a stream has (`S109`), names that occur twice (`S118`), and the
  ///   partition of a model that has one (`S123`).
  func publishing(_ names: [String]) throws(Diagnostics) -> StreamModel {
    guard !names.isEmpty else { return self }
    var problems = Diagnostics()
    var chosen: Members<Output> = [:]
    for name in names {
      guard chosen[name] == nil else {
        problems.append(
          Diagnostic(.duplicateName, "'\(name)' is an output twice", help: "name each output once"))
        continue
      }
      chosen[name] = outputs[name] ?? Output(.name(name))
      guard outputs[name] == nil, streams[name] == nil else { continue }
      problems.append(
        Diagnostic(
          .unknownStream, "there is no stream '\(name)' among 'streams', which would be an output",
          help: nearestName(to: name, among: outputs.names + streams.names).map { "did you mean '\($0)'?" }))
    }
    if partition != nil {
      problems.append(
        Diagnostic(
          .cannotPartition, "a partitioned stream has no outputs beside its own", at: JSONPointer(["partition"]),
          help: "remove 'partition', or the outputs"))
    }
    try problems.throwErrors()
    var model = StreamModel(inputs: inputs, streams: streams, outputs: chosen)
    (model.format, model.requires) = (format, requires)
    return model
  }
}
