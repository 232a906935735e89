package import StreamCore

/// The origin of a stream's values.
///
/// ```swift
/// let numbers = StreamModel(source: .range(1...3))
/// let ticks = StreamModel(source: .timer(every: 1, count: 10))
/// let texts = StreamModel(inputs: ["text": InputDeclaration(type: .string)], source: .input("text"))
/// ```
///
/// Minor versions may add sources: a `switch` over sources needs a `default`.
public enum Source: Hashable, Sendable {
  /// `stream`: an array of items, published one after another.
  case items([StreamItem])
  case just(Just)
  case range(Range)
  case timer(Timer)
  case input(Input)
  case stream(Stream)
  case record(Record)
  case marbles(Marbles)
  case empty(Empty)
  case never(Never)
  case fail(Fail)
  case call(Call)
  case sequence(Sequence)
  case generate(Generate)
  case repeatElement(RepeatElement)
  case iif(Iif)
  case file(File)
  /// A source whose fields name parameters. It is read when the stream is compiled.
  case parameterized(Operator.Custom)

  /// The fields of the source; nil for items.
  package var definition: (any SourceDefinition)? {
    switch self {
    case .items: nil
    case .just(let fields): fields
    case .range(let fields): fields
    case .timer(let fields): fields
    case .input(let fields): fields
    case .stream(let fields): fields
    case .record(let fields): fields
    case .marbles(let fields): fields
    case .empty(let fields): fields
    case .never(let fields): fields
    case .fail(let fields): fields
    case .call(let fields): fields
    case .sequence(let fields): fields
    case .generate(let fields): fields
    case .repeatElement(let fields): fields
    case .iif(let fields): fields
    case .file(let fields): fields
    case .parameterized(let fields): fields
    }
  }

  /// The JSON key; nil for items.
  package var name: String? {
    if case .parameterized(let source) = self { source.name } else { definition?.spec.name }
  }

  /// The fields as JSON; nil for items.
  package var fields: Value? {
    if case .parameterized(let source) = self { source.fields } else { definition?.json }
  }

  /// The documentation of all sources that can be written under `source`.
  public static var specs: [OperatorSpec] { table.map(\.spec) }

  /// All sources that can be written under `source`.
  package static let table: [OperatorEntry<Source>] = [
    OperatorEntry(.source, Source.just),
    OperatorEntry(.source, Source.range),
    OperatorEntry(.source, Source.timer),
    OperatorEntry(.source, Source.input),
    OperatorEntry(.source, Source.stream),
    OperatorEntry(.source, Source.record),
    OperatorEntry(.source, Source.marbles),
    OperatorEntry(.source, Source.empty),
    OperatorEntry(.source, Source.never),
    OperatorEntry(.source, Source.fail),
    OperatorEntry(.source, Source.call),
    OperatorEntry(.source, Source.sequence),
    OperatorEntry(.source, Source.generate),
    OperatorEntry(.source, Source.repeatElement),
    OperatorEntry(.source, Source.iif),
    OperatorEntry(.source, Source.file),
  ]
}

/// A source: its fields and the stream compiled from them.
package protocol SourceDefinition: FieldsDefinition {
  /// Makes the stream in its initial state, which each subscription copies.
  func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream
}
