internal import CEL
internal import StreamCore
internal import StreamEngine

/// Windows that begin at whole multiples of a length since 1970, or of a day at local midnight, and hold the values
/// from their start until right before their end.
///
/// In a zone, a window of whole days ends as long after the begin of a day as it starts, however long the days between
/// are. All times are nanoseconds since 1970, so that all years have a place.
struct ClockWindows: Sendable {
  private let length: Int128
  /// The time between the starts of two windows.
  private let hop: Int128
  /// The time by which all starts are later.
  private let offset: Int128
  private let zone: CalendarZone?

  private static let shortest: Int128 = 1_000
  private static let second: Int128 = 1_000_000_000
  private static let day: Int128 = 86_400 * second

  /// A window: its start, and the first instant after it.
  struct Bounds: Codable, Equatable, Sendable {
    let start: Timestamp
    let end: Timestamp

    /// The variables that describe the window.
    var variables: [Value] { [.timestamp(start), .timestamp(end)] }
  }

  /// - Parameters:
  ///   - seconds: The length.
  ///   - hop: Seconds between the starts of two windows.
  ///   - offset: Seconds by which all starts are later.
  ///   - zone: The name of the time zone whose days begin at a start; nil for UTC.
  /// - Throws: A diagnostic about the field `zone`, relative to the fields of the operator.
  init(seconds: Double, hop: Double, offset: Double, zone: String?) throws(Diagnostic) {
    func nanoseconds(_ seconds: Double) -> Int128 { Int128(Interval(seconds: seconds).nanoseconds) }
    (length, self.hop, self.offset) = (nanoseconds(seconds), nanoseconds(hop), nanoseconds(offset))
    for (name, span) in [("seconds", length), ("hop", self.hop)] where span < Self.shortest {
      throw Diagnostic(
        .outOfRange, "with 'align', '\(name)' is a microsecond or more", at: JSONPointer([name]))
    }
    guard let zone else {
      self.zone = nil
      return
    }
    do throws(EvaluationError) {
      self.zone = try CalendarZone(zone)
    } catch {
      throw Diagnostic(
        .outOfRange, error.message, at: JSONPointer(["zone"]), help: CalendarZone.help(for: zone))
    }
    guard Self.day % self.hop == 0 || self.hop % Self.day == 0 else {
      throw Diagnostic(
        .conflictingFields,
        "with 'zone', windows begin at local midnight, and \(hop.shortText) s neither divide a day "
          + "nor are a number of days", at: JSONPointer(["zone"]), part: .key)
    }
  }

  private static func nanoseconds(_ time: Timestamp) -> Int128 {
    Int128(time.seconds) * second + Int128(time.nanoseconds)
  }

  private static func timestamp(_ time: Int128) -> Timestamp {
    let seconds = floor(time, second)
    return Timestamp(seconds: Int64(clamping: seconds), nanoseconds: Int64(time - seconds * second))
  }

  /// The start of a window.
  private struct Start {
    /// Nanoseconds since 1970.
    let instant: Int128
    /// The number of the local day to which the window belongs, since 1970; 0 without a zone.
    ///
    /// A day that a change of the time zone skips begins with the next one, so two days can begin at one instant.
    let day: Int128
  }

  /// Returns the windows that hold an instant, the oldest first.
  ///
  /// - Parameter limit: The most windows to return.
  func windows(at time: Timestamp, atMost limit: Int) -> [Bounds] {
    let time = Self.nanoseconds(time)
    var windows: [Bounds] = []
    var start = start(notAfter: time)
    while windows.count < limit {
      let end = end(ofWindowAt: start)
      if end <= time { break }
      windows.append(Bounds(start: Self.timestamp(start.instant), end: Self.timestamp(end)))
      start = self.start(notAfter: start.instant - 1)
    }
    return windows.reversed()
  }

  /// Returns the first start after an instant.
  func nextStart(after time: Timestamp) -> Timestamp {
    Self.timestamp(next(after: start(notAfter: Self.nanoseconds(time))))
  }

  private func next(after start: Start) -> Int128 {
    guard zone != nil else { return start.instant + hop }
    if hop % Self.day == 0 { return instant(ofDay: start.day + hop / Self.day) }
    return min(start.instant + hop, instant(ofDay: start.day + 1))
  }

  private func end(ofWindowAt start: Start) -> Int128 {
    guard zone != nil else { return start.instant + length }
    if length == hop { return next(after: start) }
    guard length % Self.day == 0 else { return start.instant + length }
    // As long after the begin of its day as the start, unless that day is too short.
    let last = start.day + length / Self.day
    return min(instant(ofDay: last) + start.instant - instant(ofDay: start.day), instant(ofDay: last + 1))
  }

  private func start(notAfter time: Int128) -> Start {
    guard zone != nil else { return Start(instant: Self.floor(time - offset, hop) * hop + offset, day: 0) }
    let day = localDay(of: time)
    let days = hop / Self.day
    if hop % Self.day == 0 {
      let first = Self.floor(day, days) * days
      return Start(instant: instant(ofDay: first), day: first)
    }
    let first = instant(ofDay: day)
    return Start(instant: first + Self.floor(time - first, hop) * hop, day: day)
  }

  /// Returns the number of the local day, which begins `offset` after midnight, since 1970.
  private func localDay(of time: Int128) -> Int128 {
    let seconds = Int64(clamping: Self.floor(time, Self.second))
    let day = Self.floor(time + Int128(zone?.offset(at: seconds) ?? 0) * Self.second - offset, Self.day)
    // A change of the clock at midnight moves the begin of the day.
    if instant(ofDay: day) > time { return day - 1 }
    return instant(ofDay: day + 1) <= time ? day + 1 : day
  }

  /// Returns the instant at which a local day begins.
  private func instant(ofDay day: Int128) -> Int128 {
    let local = day * Self.day + offset
    let seconds = Self.floor(local, Self.second)
    let rest = local - seconds * Self.second
    return Int128(zone?.instant(ofLocal: Int64(clamping: seconds)) ?? Int64(clamping: seconds)) * Self.second + rest
  }

  private static func floor(_ number: Int128, _ divisor: Int128) -> Int128 {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }
}

/// The windows of a stream that have been opened, and the time until which nothing changes.
struct ClockWindowProgress: Codable, Sendable {
  /// The start of the window that was opened last; nil before the first one.
  private var latestStart: Timestamp?
  /// The time before which no window opens or closes; nil before the first value.
  private var boundary: Timestamp?

  /// Returns the windows that open now; nil if nothing changes.
  ///
  /// - Parameter limit: The number of windows that may be open. One more is returned if there are more.
  mutating func opening(_ windows: ClockWindows, limit: Int, _ effects: Effects) -> [ClockWindows.Bounds]? {
    let present = effects.present
    if let boundary, present < boundary { return nil }
    let open = windows.windows(at: present, atMost: limit + 1)
    let next = windows.nextStart(after: present)
    boundary = min(next, open.first?.end ?? next)
    let opened = open.filter { window in latestStart.map { window.start > $0 } ?? true }
    if let last = opened.last { latestStart = last.start }
    return opened
  }
}

extension Effects {
  /// Returns an instant in the time of the stream: the start for one before it.
  func time(of instant: Timestamp) -> StreamTime { instant.streamTime(since: origin) }
}
