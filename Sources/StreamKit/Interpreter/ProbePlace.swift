package import StreamCore
package import StreamEngine
internal import Synchronization

/// An operator of a stream file, for the choice of those to observe.
package struct ProbePlace: Hashable, Sendable {
  /// Its identifier in the file.
  package let id: String?
  package let name: String
  /// Its location, as seen from the main file.
  package let pointer: JSONPointer
  /// Whether it is in a stream that another operator starts for its values or groups.
  package let isInner: Bool

  /// The name by which it is observed: its identifier, or else its location.
  package var title: String { id ?? pointer.description }

  /// Returns the observer of an operator; nil if it is not observed.
  package typealias Choice = @Sendable (ProbePlace) -> (any ProbeObserver)?
}

/// The operators to observe, by identifier or location.
package final class ProbeSelection: Sendable {
  private let names: [String]
  private let observer: @Sendable (ProbePlace) -> any ProbeObserver
  private let found = Mutex(Found())

  private struct Found {
    var places: [ProbePlace] = []
    var pointers: Set<JSONPointer> = []
    var used: Set<String> = []
  }

  /// The name that stands for all operators.
  package static let all = "*"

  /// - Parameters:
  ///   - names: Identifiers, locations such as `/operators/2`, or `*`.
  ///   - observer: Makes the observer of an operator.
  package init(_ names: [String], observer: @escaping @Sendable (ProbePlace) -> any ProbeObserver) {
    self.names = names
    self.observer = observer
  }

  /// No operator.
  package static var none: ProbeSelection { ProbeSelection([]) { _ in preconditionFailure("no operator is observed") } }

  /// The operators of the stream that has been compiled.
  package var places: [ProbePlace] { found.withLock { $0.places } }

  package func choose(_ place: ProbePlace) -> (any ProbeObserver)? {
    let location = place.pointer.description
    let isChosen = found.withLock { found in
      if found.pointers.insert(place.pointer).inserted { found.places.append(place) }
      let chosen = names.filter { $0 == Self.all || $0 == place.id || $0 == location }
      found.used.formUnion(chosen)
      return !chosen.isEmpty
    }
    return isChosen ? observer(place) : nil
  }

  /// Checks that there are operators of all names, once the stream is compiled.
  ///
  /// - Parameter option: The option with the names, for messages.
  /// - Throws: An error for each name without an operator, with the nearest names.
  package func checkNames(option: String) throws(Diagnostics) {
    let found = found.withLock { $0 }
    var known: [String] = []
    for place in found.places {
      for name in [place.id, place.pointer.description].compactMap(\.self) where !known.contains(name) {
        known.append(name)
      }
    }
    var problems = Diagnostics()
    for name in names where name != Self.all && !found.used.contains(name) {
      let near = FieldAdvice.choice(for: name, among: known)
      problems.append(
        Diagnostic(
          .invalidArgument, "\(option): the stream has no operator '\(name)'",
          notes: known.isEmpty ? ["the stream has no operators"] : ["the operators are \(Self.list(known))"],
          help: near.map { "did you mean '\($0)'?" }
            ?? "write an operator's 'id', its location such as /operators/0, or '*' for all"))
    }
    try problems.throwErrors()
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(20).joined(separator: ", ")
    return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
  }
}

extension Compiler {
  /// Returns an operator's stream with a probe, if the operator is to be observed.
  func observed(
    _ stream: CompiledStream, _ placed: PlacedOperator, at pointer: JSONPointer, _ frameDepth: Int
  ) -> CompiledStream {
    guard let choose = options.probes, !isOnlyChecking else { return stream }
    let place = ProbePlace(id: placed.id, name: placed.operator.name, pointer: pointer, isInner: frameDepth > 0)
    guard let observer = choose(place) else { return stream }
    return CompiledStream(.probe(stream.node, observer), type: stream.type)
  }
}
