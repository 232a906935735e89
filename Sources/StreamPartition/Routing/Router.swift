internal import CEL
@_spi(Engine) package import StreamCore
package import StreamKit

/// Says for each record which key it has, when it happened, and whether it is late.
package final class Router {
  private let reader: RecordReader
  private let key: Plan
  private let time: InputClock?
  private let activation = Activation(slotCount: 1)
  private let skipsErrors: Bool
  /// Whether each request has `watermark.newest`, so that the times of records do not change it.
  private let hasGivenTime: Bool
  /// The event time that the records have reached.
  @exclusivity(unchecked) package var watermark: Watermark
  @exclusivity(unchecked) private var text: [UInt8] = []

  /// The warnings about the times of the records so far, as of a unit that is not theirs.
  var warnings: [Diagnostic] {
    let newest = watermark.newest == Watermark.none ? nil : Timestamp(nanosecondsSince1970: watermark.newest)
    return time?.warnings(lateCount: 0, latest: newest, output: nil) ?? []
  }

  /// The fate of a record, and its shard.
  package struct Route {
    package let fate: Watermark.Fate
    /// Nanoseconds since 1970.
    package let time: Int64
  }

  package init(
    _ file: PartitionFile, skipsErrors: Bool = false, hasGivenTime: Bool = false
  ) throws(StageError) {
    self.skipsErrors = skipsErrors
    self.hasGivenTime = hasGivenTime
    reader = RecordReader(file.inputType)
    watermark = file.clock.map(Watermark.init) ?? Watermark()
    do throws(Diagnostics) {
      key = try ExpressionText(file.partition.key.text, file: "key").plan(over: [Variable("value", file.inputType)])
      time = try file.clock.map { time throws(Diagnostics) in try InputClock(time) }
    } catch {
      throw .refused(error.all.first?.message ?? "")
    }
  }

  /// Routes a record, and appends its key as `bytes`.
  ///
  /// As on one machine, its time counts first: a late record that reaches no key may be without one, and one whose key
  /// fails moves event time even so. The key of the former is appended as an empty text.
  ///
  /// - Returns: Nil for a record that is skipped; the reason is appended instead.
  package func route(_ record: PaddedBytes, appendingKeyTo output: inout [UInt8]) throws(StageError) -> Route? {
    do throws(Diagnostic) {
      let value = try reader.read(record)
      var time: Int64 = 0
      if let clock = self.time {
        let instant = try clock.reader.time(of: value.pointee)
        time = try instant.recordTime(clock.unit)
        guard time >= 0 else {
          throw Diagnostic(
            .invalidEventTime, "the event time is \(instant.rfc3339); a partition takes times from 1970 to 2261")
        }
        if watermark.newest != Watermark.none {
          try clock.requireNoJump(to: instant, from: Timestamp(nanosecondsSince1970: watermark.newest))
        }
      }
      let newest = watermark.newest
      let fate = watermark.note(&time)
      if hasGivenTime { watermark.newest = newest }
      text.removeAll(keepingCapacity: true)
      activation.set(value.pointee, at: 0)
      do throws(Diagnostic) {
        try appendKey()
      } catch {
        guard fate.reachesNoKey else { throw error }
        text.removeAll(keepingCapacity: true)
      }
      output.append(string: text)
      return Route(fate: fate, time: time)
    } catch {
      let message = "the record \(Self.excerpt(record)): \(error.message)"
      guard skipsErrors else { throw .refused(message) }
      output.append(string: message.utf8)
      return nil
    }
  }

  private func appendKey() throws(Diagnostic) {
    let key: Value
    do throws(EvaluationError) {
      key = try self.key.evaluate(activation)
    } catch {
      throw Diagnostic(.expressionFailed, "the key cannot be evaluated: \(error.message)")
    }
    do throws(Diagnostic) {
      try KeyText.append(key, to: &text)
    } catch {
      throw Diagnostic(error.code, "the key is not a JSON value: \(error.message)")
    }
    guard text.count <= KeyLimits.key else {
      throw Diagnostic(
        .tooLarge,
        KeyLimits.exceeded(text.count, what: "text", of: KeyLimits.excerpt(text), limit: KeyLimits.key))
    }
  }

  private static func excerpt(_ record: PaddedBytes) -> String {
    let text = String(decoding: record.bytes.prefix(200), as: UTF8.self)
    return record.count > 200 ? text + "…" : text
  }
}
