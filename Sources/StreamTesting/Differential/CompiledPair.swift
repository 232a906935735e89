internal import StreamCore
internal import StreamEngine
internal import StreamKit

/// A stream file compiled with and without fusion.
struct CompiledPair {
  let versions: [StreamVersion]

  var fused: Pipeline { versions[0].pipeline }
  /// The baseline.
  var plain: Pipeline { versions[1].pipeline }

  init(_ json: Value, files: (any ValueFiles)?) throws(Diagnostics) {
    let model = try StreamModel(json: json)
    var options = CompileOptions(files: files)
    let fused = try StreamVersion(model, options)
    options.fuses = false
    versions = [fused, try StreamVersion(model, options)]
  }
}
