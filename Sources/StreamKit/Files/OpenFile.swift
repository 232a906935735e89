internal import CEL
internal import StreamCore
internal import StreamRuntime

/// A file that is being read.
final class OpenFile: @unchecked Sendable {  // used from one place at a time, as its machine is
  private let reader: any ValueReader
  /// Converts values to the declared type; nil for any type.
  private let conversion: InputConversion?
  /// Converts strings to numbers first, if the reader does not.
  private var fields: FieldConversion?
  /// Recognizes values that need no conversion.
  private var look: CachedTypeGuard
  /// Values that have been read ahead, and the number of those already consumed.
  private var values: [Value] = []
  private var gone = 0
  /// The position after each value, without the constant parts.
  private var places: [(offset: Int, line: Int, column: Int)] = []
  /// The error after these values.
  private var problem: Diagnostic?
  /// Whether reading can continue after the error, since the position is past it.
  private(set) var isPastProblem = false
  /// The position after the last value read.
  var place: FilePlace { reader.place }
  private let format: FileFormat
  private let rows: OpenRows?

  /// The most bytes that are read ahead, and the most values.
  private static let limit = (bytes: 16 * 1024, values: 512)

  init(_ reader: any ValueReader, _ format: FileFormat, _ type: CELType) {
    self.reader = reader
    self.format = format
    conversion = type == .dyn ? nil : InputConversion(type)
    if let table = reader as? TableValueReader {
      table.declare(type)
    } else if format == .csv {
      fields = FieldConversion(type)
    }
    look = CachedTypeGuard(type)
    rows = (reader as? any RowReader).map { OpenRows($0, type) }
  }

  /// Returns the next value in the declared type and the position after it; nil at the end.
  func next() throws(Diagnostic) -> (value: Value, place: FilePlace)? {
    if gone < values.count {
      let value = values[gone]
      var place = reader.place
      skip(1, &place)
      return (value, place)
    }
    if let problem {
      self.problem = nil
      throw problem
    }
    rows?.forget()
    return try read().map { ($0, reader.place) }
  }

  /// The next values already read.
  var upcoming: ArraySlice<Value> {
    if gone == values.count { readAhead() }
    return values[gone...]
  }

  /// Returns the next values as rows, if they can be read as rows.
  func upcomingRows(of fields: () -> [String]?) -> LineRows? {
    guard let rows, gone == values.count, problem == nil, let fields = fields() else { return nil }
    return rows.next(of: fields)
  }

  /// Skips values or rows and updates the position.
  func skip(_ count: Int, _ place: inout FilePlace) {
    if gone == values.count {
      rows?.pass(count, &place)
    } else {
      gone += count
      (place.offset, place.line, place.column) = places[gone - 1]
    }
  }

  private func readAhead() {
    values.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    gone = 0
    rows?.forget()
    let limit = rows?.missLimit ?? .max
    var read = 0
    do throws(Diagnostic) {
      while problem == nil, read < Self.limit.bytes, values.count < min(Self.limit.values, limit), reader.isNextRead {
        let start = places.last?.offset ?? reader.place.offset
        guard let value = try self.read() else { break }
        let place = reader.place
        values.append(value)
        places.append((place.offset, place.line, place.column))
        read += place.offset - start
      }
    } catch {
      problem = error
    }
  }

  private func read() throws(Diagnostic) -> Value? {
    isPastProblem = false
    let read: Value?
    do throws(Diagnostic) {
      read = try reader.next()
    } catch {
      isPastProblem = (reader as? any SkippingReader)?.isPastProblem == true
      throw error
    }
    guard let read else { return nil }
    let value = fields?.convert(read) ?? read
    guard !look.takes(value), let conversion else { return value }
    do throws(InputConversion.Problem) {
      return try conversion.convert(value)
    } catch {
      isPastProblem = true
      throw Diagnostic(.inputTypeMismatch, message(of: error, in: value), location: reader.location)
    }
  }

  /// The longest text of a table that is shown, in Unicode scalars.
  private static let width = 60

  private func message(of problem: InputConversion.Problem, in value: Value) -> String {
    guard let name = problem.tokens.first else { return problem.message }
    guard format == .csv, case .map(let row) = value, case .string(let text)? = row[.string(name)] else {
      return "\(problem.message) (at \(JSONPointer(problem.tokens)))"
    }
    let scalars = text.unicodeScalars
    let shown = String(String.UnicodeScalarView(scalars.prefix(Self.width)))
    let end = scalars.count > Self.width ? "…" : ""
    return "column '\(name)': \(problem.message); the field contains \(JSONWriter.compact(.string(shown)))\(end)"
  }
}
