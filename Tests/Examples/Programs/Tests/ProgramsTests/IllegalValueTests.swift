import Foundation
import StreamCombine
import StreamKit
import StreamTesting
import Testing

/// Values, times and texts that no app should pass, and their results. None of them ends the process.
@Suite("Illegal values", .timeLimit(.minutes(2)))
struct IllegalValueTests {
  /// A value nested this deep.
  private static func nested(_ depth: Int) -> Value { (0..<depth).reduce(1) { value, _ in .list([value]) } }

  private static func nestedMaps(_ depth: Int) -> Value { (0..<depth).reduce(1) { value, _ in ["a": value] } }

  /// Calls a decoder of Foundation, whose errors have other texts on other systems.
  private static func decoding(_ decode: () throws -> Any) throws -> Any {
    do {
      return try decode()
    } catch is DecodingError {
      return "a decoding error"
    }
  }

  /// Encodes a date, and returns the reason of an error.
  private static func encoding(_ date: Date) throws -> Any {
    do {
      return try Value(encoding: date)
    } catch EncodingError.invalidValue(_, let context) {
      return context.debugDescription
    }
  }

  private typealias Stride = VirtualInstant.Stride

  static let times = [
    IllegalCall("StreamTime of an infinite number of seconds", "9223372036854775807") {
      StreamTime(seconds: .infinity).nanoseconds
    },
    IllegalCall("StreamTime of negative infinity", "-9223372036854775808") {
      StreamTime(seconds: -.infinity).nanoseconds
    },
    IllegalCall("StreamTime of NaN seconds", "0") { StreamTime(seconds: .nan).nanoseconds },
    IllegalCall("StreamTime beyond the end of time", "9223372036854775807") {
      (StreamTime.distantFuture + Interval(seconds: .infinity)).nanoseconds
    },
    IllegalCall("The interval between the extremes of time", "9223372036854775807") {
      (StreamTime(nanoseconds: .max) - StreamTime(nanoseconds: .min)).nanoseconds
    },
    IllegalCall(
      "StreamTime before the start, decoded",
      """
      DecodingError.dataCorrupted: Data was corrupted. Path: [0]. Debug description: the time is -1 \
      nanoseconds after the start; expected 0 or more
      """
    ) {
      try JSONDecoder().decode([StreamTime].self, from: Data("[-1]".utf8))
    },
    IllegalCall("Stride of Int.max seconds", "9223372036854775807") { Stride.seconds(.max).nanoseconds },
    IllegalCall("Stride of Int.min seconds", "-9223372036854775808") { Stride.seconds(.min).nanoseconds },
    IllegalCall("Stride of infinite seconds", "9223372036854775807") { Stride.seconds(.infinity).nanoseconds },
    IllegalCall("Stride of NaN seconds", "0") { Stride.seconds(.nan).nanoseconds },
    IllegalCall("Stride of Int.max milliseconds", "9223372036854775807") { Stride.milliseconds(.max).nanoseconds },
    IllegalCall(
      "Sum, product and difference of the longest strides",
      "[9223372036854775807, 9223372036854775807, -9223372036854775808]"
    ) {
      let longest = Stride.nanoseconds(.max)
      return [longest + longest, longest * longest, -longest - longest].map(\.nanoseconds)
    },
    IllegalCall("Distance between the extremes of a scheduler's time", "9223372036854775807") {
      VirtualInstant(nanoseconds: .min).distance(to: VirtualInstant(nanoseconds: .max)).nanoseconds
    },
    IllegalCall("An instant advanced beyond the end of time", "9223372036854775807") {
      VirtualInstant(nanoseconds: .max).advanced(by: .seconds(1)).nanoseconds
    },
    IllegalCall(
      "A scheduled action that repeats after the longest interval", "[5, 9223372036854775807, 9223372036854775807]"
    ) {
      let (scheduler, runs) = (VirtualScheduler(), Recorder<Int64>())
      let token = scheduler.schedule(
        after: VirtualInstant(nanoseconds: 5), interval: .nanoseconds(.max), tolerance: .nanoseconds(0), options: nil
      ) { runs.append(scheduler.now.nanoseconds) }
      scheduler.run(through: VirtualInstant(nanoseconds: .max)) { runs.values.count < 3 }
      token.cancel()
      return runs.values
    },
    IllegalCall("A date before now is scheduled", "[0]") {
      let (scheduler, runs) = (VirtualScheduler(), Recorder<Int64>())
      scheduler.run(through: VirtualInstant(nanoseconds: 10)) { true }
      scheduler.schedule(
        after: VirtualInstant(nanoseconds: .min), tolerance: .nanoseconds(.min), options: nil
      ) { runs.append(scheduler.now.nanoseconds) }
      scheduler.run(through: VirtualInstant(nanoseconds: .min)) { true }
      scheduler.run(through: VirtualInstant(nanoseconds: 10)) { true }
      return runs.values
    },
    IllegalCall("A timer runs to the end of a scheduler's time", "292") {
      let (scheduler, received) = (VirtualScheduler(), Recorder<Int64>())
      let publisher = StreamModel(source: .timer(every: 31_536_000)).publisher(of: Int64.self, scheduler: scheduler)
      scheduler.schedule(
        after: VirtualInstant(nanoseconds: 1_000_000_000), tolerance: .nanoseconds(0), options: nil, {})
      scheduler.run(through: VirtualInstant(nanoseconds: .max)) { true }
      let token = publisher.sink(receiveCompletion: { _ in }, receiveValue: { received.append($0) })
      scheduler.run(through: VirtualInstant(nanoseconds: .max)) { received.values.count < 1_000 }
      token.cancel()
      return received.values.count
    },
    IllegalCall("A test clock that goes back", "[1, 2]") {
      let clock = ManualClock()
      clock.advance(by: .seconds(5))
      clock.advance(by: .seconds(-9))
      let model = StreamModel(stream: [StreamItem(1), StreamItem(2, operators: [.delay(seconds: 1)])])
      var values = model.values(of: Int.self, clock: clock).makeAsyncIterator()
      let first = try await values.next()
      clock.advance(by: .seconds(-100))
      async let second = values.next()
      await clock.sleepers(1)
      clock.advance(by: .seconds(200))
      return try await [first, second].compactMap(\.self)
    },
    IllegalCall("A test clock that is advanced by the longest duration", "0") {
      let clock = ManualClock()
      let model = StreamModel(source: .timer(every: 1, count: 3))
      var values = model.values(of: Int.self, clock: clock).makeAsyncIterator()
      async let first = values.next()
      await clock.sleepers(1)
      clock.advance(by: .seconds(Int64.max))
      return try await first ?? -1
    },
    IllegalCall("The longest delay on the main queue", "[]") {
      let model = StreamModel(stream: [StreamItem(1)], operators: [.delay(seconds: 31_536_000)])
      let received = Recorder<Value>()
      let token = model.publisher(delivery: .immediate).sink(
        receiveCompletion: { _ in }, receiveValue: { received.append($0) })
      token.cancel()
      return received.values
    },
    IllegalCall("The text of the first timestamp", "-292277022657-01-27T08:29:52Z") { Timestamp(seconds: .min) },
    IllegalCall("The text of the last timestamp", "292277026596-12-04T15:30:07.999999999Z") {
      Timestamp(seconds: .max, nanoseconds: .max)
    },
    IllegalCall("A timestamp of the most milliseconds", "-292275055-05-16T16:47:04.192Z") {
      Timestamp(millisecondsSince1970: .min)
    },
    IllegalCall("A text that is not a timestamp", "nil") {
      Timestamp(rfc3339: "99999999999999999999-01-01T00:00:00Z") as Any
    },
    IllegalCall("A duration of too many seconds", "nil") {
      Duration(secondsText: "99999999999999999999s") as Any
    },
  ]

  @Test("Times", arguments: times)
  func time(call: IllegalCall) async {
    let outcome = await call.outcome()
    #expect(outcome == call.result)
  }

  private struct Reading: Codable { var count: Int8 }

  static let values = [
    IllegalCall("A list nested 100,000 levels deep is made and released", "true") {
      nested(100_000).isDeeper(than: 99_999)
    },
    IllegalCall("Maps nested 100,000 levels deep are compared and hashed", "true") {
      let (first, second) = (nestedMaps(100_000), nestedMaps(100_000))
      return first == second && first.hashValue == second.hashValue
    },
    IllegalCall("The text of a value nested 100,000 levels deep", "200001") {
      JSONWriter.compact(nested(100_000)).count
    },
    IllegalCall("The description of a value nested 100,000 levels deep", "10001") { "\(nested(100_000))".count },
    IllegalCall("JSONEncoder on a value of 5,000 levels", "the value has more than 512 levels") {
      do {
        return try JSONEncoder().encode(nested(5_000))
      } catch EncodingError.invalidValue(_, let context) {
        return context.debugDescription
      }
    },
    IllegalCall("JSONDecoder on a text of 5,000 levels", "a decoding error") {
      let text = String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
      return try decoding { try JSONDecoder().decode(Value.self, from: Data(text.utf8)) }
    },
    IllegalCall("A number that the app's type cannot hold", "error S104 at /count: 300 is outside -128…127") {
      try (["count": 300] as Value).decoded(as: Reading.self)
    },
    IllegalCall("A string for the app's number", "error S102 at /count: expected an integer, found a string") {
      try (["count": "x"] as Value).decoded(as: Reading.self)
    },
    IllegalCall("A missing member", "error S103 at /count: the field 'count' is missing") {
      try ([:] as Value).decoded(as: Reading.self)
    },
    IllegalCall(
      "A value nested 100,000 levels deep as the app's type", "error S102: expected an object, found an array"
    ) {
      try nested(100_000).decoded(as: Reading.self)
    },
    IllegalCall("An element before the first one and one after the last", "[true, true, true, true]") {
      let value: Value = [1]
      return [value[-1], value[1], value[.max], value[.min]].map { $0 == nil }
    },
    IllegalCall("A member of a number", "nil") { Value.int(1)["name"]?["other"]?[3] as Any },
    IllegalCall("An unsigned number beyond Int", "nil") { Value.uint(.max).int as Any },
    IllegalCall("An infinite date", "a date is outside the years 1 to 9999") {
      try encoding(Date(timeIntervalSince1970: .infinity))
    },
    IllegalCall("A date that is not a number", "a date is outside the years 1 to 9999") {
      try encoding(Date(timeIntervalSince1970: .nan))
    },
    IllegalCall(
      "A date of NaN seconds, decoded",
      """
      error S102: expected a timestamp, its text such as 2024-01-31T12:00:00Z, or seconds since 1970, \
      found a number
      """
    ) { try Value.double(.nan).decoded(as: Date.self) },
    IllegalCall("A decimal that is not a number", #""NaN""#) { try Value(encoding: Decimal.nan) },
    IllegalCall("An infinite number as a decimal", "error S102: expected a finite number, found a number") {
      try Value.double(.infinity).decoded(as: Decimal.self)
    },
    IllegalCall("A string that is not a URL", "error S102: expected a URL, found a string") {
      try Value.string("http://[").decoded(as: URL.self)
    },
    IllegalCall("A map with two equal keys", #"{"a":2}"#) { Value.map(ValueMap([("a", 1), ("a", 2)])) },
    IllegalCall("A map whose keys are lists and NaN", #"{"[1]":1,"NaN":3}"#) {
      Value.map(ValueMap([(Value.list([1]), Value.int(1)), (.double(.nan), 2), (.double(.nan), 3)]))
    },
    IllegalCall("A demand below zero", "0") { Demand(-5).count },
    IllegalCall("The sum and the product of the largest demands", "[9223372036854775807, 9223372036854775807, 0]") {
      [Demand(.max - 1) + Demand(.max - 1), Demand(.max - 1) * .max, Demand(3) * -2].map(\.count)
    },
    IllegalCall("The canonical form of NaN", #"error S006: "NaN" is not a JSON number"#) {
      try JSONWriter.canonical(.double(.nan)).count
    },
    IllegalCall("The JSON of infinity", #""Infinity""#) { try JSONWriter.text(of: .double(.infinity)) },
  ]

  @Test("Values", arguments: values)
  func value(call: IllegalCall) async {
    let outcome = await call.outcome()
    #expect(outcome == call.result)
  }

  static let texts = [
    IllegalCall("An empty text", "error S009 (stream.json:1:1): the text is empty; expected JSON") {
      try StreamModel(parsing: "")
    },
    IllegalCall("A text that is not UTF-8", "error S002 (stream.json:1:1): the byte 0xFF is not valid UTF-8 here") {
      try StreamModel(parsing: [0xFF, 0xFE])
    },
    IllegalCall(
      "A text nested 100,000 levels deep", #"["S004: arrays and objects are nested more than 512 levels deep"]"#
    ) {
      try IllegalCall.withoutPlace { try StreamModel(parsing: String(repeating: "[", count: 100_000)) }
    },
    IllegalCall(
      "A model nested 5,000 levels deep", #"["S004: arrays and objects are nested more than 512 levels deep"]"#
    ) {
      let start = String(repeating: #"{"source": {"empty": {}}, "operators": [{"append": {"with": ["#, count: 5_000)
      return try IllegalCall.withoutPlace { try StreamModel(parsing: start) }
    },
    IllegalCall("Limits below one", "error S005 (a.json:1:1): the text has 3 bytes; at most -1 are read") {
      try JSONDocument(reading: "[1]", file: "a.json", limits: JSONLimits(depth: -4, bytes: -1, values: -1)).value
    },
    IllegalCall("A limit of no values", "error S005: the text has more than 0 values, which is the limit") {
      try JSONDocument(reading: "[[1]]", file: "a.json", limits: JSONLimits(depth: .min, values: 0)).value
    },
    IllegalCall("A pointer without a slash", "error S011: the JSON pointer 'a/b' does not begin with '/'") {
      try JSONPointer(parsing: "a/b")
    },
    IllegalCall(
      "A pointer with half an escape", "error S011: '~' in the JSON pointer '/a~2' is followed by neither 0 nor 1"
    ) { try JSONPointer(parsing: "/a~2") },
    IllegalCall("A pointer beyond a value", "[true, true, true, true, true, true]") {
      let value: Value = [1]
      return ["/-1", "/1", "/00", "/-", "/99999999999999999999", "/0/0"].map {
        (try? value[JSONPointer(parsing: $0)]) == .none
      }
    },
    IllegalCall("An empty snapshot", "error S009 (snapshot:1:1): the text is empty; expected JSON") {
      try Snapshot(text: "")
    },
    IllegalCall(
      "A snapshot of another form",
      "error S102 at /time (snapshot:1:10): the time is -1 nanoseconds after the start; expected 0 or more"
    ) { try Snapshot(text: #"{"time": -1}"#) },
    IllegalCall("A snapshot that is a number", "a decoding error") {
      try decoding { try JSONDecoder().decode([Snapshot].self, from: Data("[1]".utf8)) }
    },
    IllegalCall("A marble diagram with two ends", "error S115: no event can follow the completion") {
      try Marbles("a-|-b|").history()
    },
    IllegalCall("A marble diagram that is not closed", "error S115: the group is not closed by ')'") {
      try Marbles("(a").history()
    },
    IllegalCall(
      "A marble diagram of the longest time",
      "error S115: this is more than 292 years after the start, which is the limit"
    ) {
      try Marbles(" 99999999999999999999m a 9999999999m b", frame: Interval(nanoseconds: .max)).history().values
    },
    IllegalCall(
      "A frame of negative length", "error S115: this is more than 292 years after the start, which is the limit"
    ) {
      try Marbles("--a|", frame: Interval(nanoseconds: .min)).history().values
    },
    IllegalCall("A place outside a source text", #"["1:1", "2:4", "", "", ""]"#) {
      let source = SourceText(file: "a", text: "one\ntwo")
      return [source.position(of: -1), source.position(of: .max)].map { "\($0.line):\($0.column)" }
        + [source.line(-1), source.line(0), source.line(99)]
    },
  ]

  @Test("Texts", arguments: texts)
  func text(call: IllegalCall) async {
    let outcome = await call.outcome()
    #expect(outcome == call.result)
  }
}
