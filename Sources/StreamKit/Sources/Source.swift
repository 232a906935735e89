public import StreamCore

/// Where the values of a stream come from.
///
/// New sources come with minor versions: a `switch` over sources needs a `default`.
public enum Source: Hashable, Sendable {
  /// `stream`: items one after the other.
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

  /// The fields, whichever source it is; items have none.
  public var definition: (any SourceDefinition)? {
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
    }
  }

  /// Every source that stands under `source`.
  public static let table: [OperatorEntry<Source>] = [
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

/// A source: its fields and what they mean.
public protocol SourceDefinition: FieldsDefinition {
  /// What every subscription starts with.
  func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream
}
