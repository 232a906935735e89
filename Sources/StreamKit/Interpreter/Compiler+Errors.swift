internal import StreamCore
internal import StreamEngine

/// The errors of a compilation.
extension Compiler {
  func report(_ diagnostic: Diagnostic, in scope: Scope) {
    var located = scope.document?.locate(diagnostic) ?? diagnostic
    located.notes += ReferenceNote.shown(of: scope.references)
    if reported.insert(located).inserted { diagnostics.append(located) }
  }

  /// Reports errors whose pointers are relative to a part of the file. Those with a location are in another file.
  func report(_ found: Diagnostics, under pointer: JSONPointer, in scope: Scope) {
    report(Diagnostics(found.all.map { $0.location == nil ? $0.prefixed(by: pointer) : $0 }), in: scope)
  }

  func report(_ found: Diagnostics, in scope: Scope) {
    for diagnostic in found.all {
      if diagnostic.location == nil {
        report(diagnostic, in: scope)
      } else {
        // An error in the text of another file, which is reported once for all references.
        guard reported.insert(ReferenceNote.withoutFiles(diagnostic)).inserted else { continue }
        var noted = diagnostic
        noted.notes += ReferenceNote.shown(of: scope.references)
        diagnostics.append(noted)
      }
    }
  }

  /// A placeholder for a stream that could not be compiled, so that the rest can be checked.
  static let nothing = CompiledStream(.machine(SequenceMachine([]), name: "empty", pointer: JSONPointer()))
}
