internal import CEL
@_spi(Engine) internal import StreamCore
internal import StreamDriving
package import StreamFiles
internal import StreamKit

/// The worker's side of the protocol in <doc:WorkerProtocol>: serves requests until its input ends.
package final class WorkerSession {
  private let file: PartitionFile
  private let former: [PartitionFile]
  private let input: FrameReader
  private let output: FileDescriptor
  private let log: (String) -> Void
  private var stage: PartitionStage?
  private var hasSources = false
  private var countsSkipped = false
  private var router: Router?
  /// The request that `C` continues, if its answer has more.
  private var unfinished: UInt8?
  private var answer: [UInt8] = []
  private var prefetchKeys: [UnsafeRawBufferPointer] = []

  package static let protocolVersion: UInt16 = 1

  /// - Parameter former: Versions of the file whose snapshots are loaded too.
  package init(
    _ file: PartitionFile, former: [PartitionFile] = [], input: FileDescriptor, output: FileDescriptor,
    log: @escaping (String) -> Void
  ) {
    self.file = file
    self.former = former
    self.input = FrameReader(input)
    self.output = output
    self.log = log
  }

  /// Answers requests. Returns the exit code.
  package func run() -> Int32 {
    while true {
      do throws(StageError) {
        let isThere: Void? = try input.next { type, body throws(StageError) in
          answer.removeAll(keepingCapacity: true)
          answer.append(number: 0 as UInt32)
          try reply(to: type, body)
        }
        guard isThere != nil else { return ExitCode.good }
        guard write() else { return ExitCode.good }
      } catch {
        log(error.message)
        answer = []
        answer.append(number: 0 as UInt32)
        answer.append(UInt8(ascii: "E"))
        answer.append(1)
        answer.append(string: error.message.utf8)
        _ = write()
        if case .failed = error { return ExitCode.failed }
        return ExitCode.wrong
      }
    }
  }

  /// Writes the reply. Returns false if the pipe is closed.
  private func write() -> Bool {
    answer.put(number: UInt32(truncatingIfNeeded: answer.count - 4), at: 0)
    do throws(SystemError) {
      try output.write(answer)
      return true
    } catch {
      return false
    }
  }

  private func reply(to type: UInt8, _ body: UnsafeRawBufferPointer) throws(StageError) {
    var reader = ByteReader(body)
    let name = String(UnicodeScalar(type))
    do {
      if let unfinished {
        guard type == UInt8(ascii: "C") else {
          throw StageError.refused("the request '\(name)' came before the rest of an answer, which 'C' asks for")
        }
        if unfinished == UInt8(ascii: "r") { try appendResults() } else { try appendSnapshots() }
      } else if type == UInt8(ascii: "H") {
        try hello(&reader)
      } else {
        guard let stage, let router else { throw StageError.refused("the first request is '\(name)'; expected 'H'") }
        switch type {
        case UInt8(ascii: "K"): try route(&reader, router)
        case UInt8(ascii: "B"): try take(&reader, stage)
        case UInt8(ascii: "S"): try appendSnapshots()
        case UInt8(ascii: "D"): try drop(&reader, stage)
        case UInt8(ascii: "F"):
          stage.finish(at: try reader.number())
          try appendResults()
        case UInt8(ascii: "C"): throw StageError.refused("'C' came, but no answer has more")
        default: throw StageError.refused("there is no request \(type)")
        }
      }
    } catch let error as StageError {
      throw error
    } catch {
      throw .refused("the request '\(name)' ends too early")
    }
    guard reader.count == 0 else {
      throw .refused("the request '\(name)' has \(reader.count) bytes after its end")
    }
  }

  // MARK: Requests

  private func hello(_ reader: inout ByteReader) throws {
    guard stage == nil else { throw StageError.refused("'H' came twice") }
    let version: UInt16 = try reader.number()
    guard version == Self.protocolVersion else {
      throw StageError.refused(
        "the adapter speaks version \(version) of the protocol; this worker speaks version \(Self.protocolVersion)")
    }
    let number = Int(try reader.byte())
    guard 1...file.stages.count ~= number else {
      throw StageError.refused("the file has no stage \(number); it has \(file.stages.count)")
    }
    let options = try WorkerOptions(Array(try reader.string()))
    let stage = try PartitionStage(file, stage: number - 1, former: former, skipsErrors: options.skipsErrors, log: log)
    self.stage = stage
    (hasSources, countsSkipped) = (options.hasSources, options.countsSkipped)
    router = try Router(file, skipsErrors: options.skipsErrors, hasGivenTime: options.hasGivenTime)
    answer.append(UInt8(ascii: "h"))
    answer.append(number: Self.protocolVersion)
    answer.append(number: 8 as UInt32)
    answer.append(number: file.hash)
    answer.append(string: JSONWriter.compact(description(usesRows: stage.usesRows)).utf8)
  }

  private func description(usesRows: Bool) -> Value {
    let partition = file.partition
    var members: [(String, Value)] = [("program", .string("streamrun \(ProgramVersion.text)"))]
    if let name = file.stream.model.name { members.append(("name", .string(name))) }
    members.append(("stages", .int(Int64(file.stages.count))))
    members.append(("key", .string(partition.key.text)))
    let time = file.clock
    if let time { members.append(("time", .string(time.expression))) }
    members.append(("lateness", .double(time?.lateness ?? InputTime.defaultLateness)))
    members.append(("late", .string((time?.late ?? InputTime.defaultLate).rawValue)))
    if let idle = time?.idle { members.append(("idle", .double(idle))) }
    members.append(("state", .string(usesRows ? "rows" : "executions")))
    let files = file.dataPaths
    if !files.isEmpty { members.append(("files", .list(files.map { .string($0) }))) }
    return .map(ValueMap(members.map { (.string($0), $1) }))
  }

  private func route(_ reader: inout ByteReader, _ router: Router) throws {
    router.watermark.newest = try reader.number()
    let count: UInt32 = try reader.number()
    answer.append(UInt8(ascii: "k"))
    let head = answer.count
    answer.append(number: 0 as Int64)
    answer.append(number: 0 as Int64)
    answer.append(number: count)
    for _ in 0..<count {
      let record = try reader.string()
      let place = answer.count
      answer.append(0)
      answer.append(number: 0 as Int64)
      guard let base = record.bindMemory(to: UInt8.self).baseAddress else { throw ByteReader.Truncated() }
      if let route = try router.route(PaddedBytes(unsafe: base, count: record.count), appendingKeyTo: &answer) {
        answer[place] = route.fate.rawValue
        answer.put(number: route.time, at: place + 1)
      } else {
        answer[place] = 4
      }
    }
    answer.put(number: router.watermark.newest, at: head)
    answer.put(number: router.watermark.time, at: head + 8)
  }

  private func take(_ reader: inout ByteReader, _ stage: PartitionStage) throws {
    let groups: UInt32 = try reader.number()
    var ahead = reader
    for number in 0..<groups {
      if stage.isLarge, Int(number) % PartitionStage.prefetchCount == 0 { prefetch(&ahead, stage) }
      let key = try reader.string()
      let slot = try slot(of: key, mode: try reader.byte(), &reader, stage)
      let items: UInt32 = try reader.number()
      for _ in 0..<items {
        let time: Int64 = try reader.number()
        let source: UInt32 = hasSources ? try reader.number() : 0
        stage.hold(try reader.string(), of: slot, at: time, from: source)
      }
    }
    stage.advance(to: try reader.number())
    try appendResults()
  }

  /// Prepares for the next groups, up to one that is malformed.
  private func prefetch(_ ahead: inout ByteReader, _ stage: PartitionStage) {
    prefetchKeys.removeAll(keepingCapacity: true)
    do throws(ByteReader.Truncated) {
      for _ in 0..<PartitionStage.prefetchCount where ahead.count > 0 {
        prefetchKeys.append(try ahead.string())
        if try ahead.byte() == 1 { _ = try ahead.string() }
        for _ in 0..<(try ahead.number(UInt32.self)) {
          _ = try ahead.number(Int64.self)
          if hasSources { _ = try ahead.number(UInt32.self) }
          _ = try ahead.string()
        }
      }
    } catch {}
    stage.prefetch(prefetchKeys)
  }

  private func slot(
    of key: UnsafeRawBufferPointer, mode: UInt8, _ reader: inout ByteReader, _ stage: PartitionStage
  ) throws -> Int {
    let known = stage.slot(of: key)
    func name() -> String { KeyLimits.excerpt(key) }
    switch (mode, known) {
    case (0, let slot?): return slot
    case (0, nil): throw StageError.refused("the worker does not hold the key \(name())")
    case (1...2, _?): throw StageError.refused("the worker holds the key \(name()) already")
    case (1, nil):
      let snapshot = try reader.string()
      try requireKey(key)
      let slot = stage.add(key)
      try stage.load(snapshot, into: slot)
      return slot
    case (2, nil):
      try requireKey(key)
      return stage.add(key)
    default: throw StageError.refused("the group of the key \(name()) has mode \(mode); expected 0, 1 or 2")
    }
  }

  /// Refuses a text that is not a key.
  private func requireKey(_ key: UnsafeRawBufferPointer) throws {
    guard KeyText.value(of: Array(key)) != nil else {
      throw StageError.refused("the key \(KeyLimits.excerpt(key)) is not JSON")
    }
  }

  private func drop(_ reader: inout ByteReader, _ stage: PartitionStage) throws {
    let count: UInt32 = try reader.number()
    var slots: Set<Int> = []
    for _ in 0..<count {
      let key = try reader.string()
      guard let slot = stage.slot(of: key) else { continue }
      guard stage.isSaved(slot) else {
        throw StageError.refused(
          "the key \(KeyLimits.excerpt(key)) has changed since its last snapshot, and cannot be dropped")
      }
      slots.insert(slot)
    }
    stage.drop(Array(slots))
    answer.append(UInt8(ascii: "d"))
    appendLoad(of: stage)
  }

  // MARK: Answers

  private func appendLoad(of stage: PartitionStage) {
    answer.append(number: UInt32(truncatingIfNeeded: stage.keyCount))
    answer.append(number: UInt64(stage.memory))
  }

  private func appendResults() throws(StageError) {
    guard let stage else { return }
    answer.append(UInt8(ascii: "r"))
    let head = answer.count
    answer.append(0)
    appendLoad(of: stage)
    let skipped = answer.count
    if countsSkipped { answer.append(number: 0 as UInt32) }
    let place = answer.count
    answer.append(number: 0 as UInt32)
    let (count, hasMore) = try stage.takeResults(&answer)
    answer[head] = hasMore ? 1 : 0
    answer.put(number: UInt32(truncatingIfNeeded: stage.keyCount), at: head + 1)
    answer.put(number: UInt64(stage.memory), at: head + 5)
    if countsSkipped {
      answer.put(number: UInt32(truncatingIfNeeded: stage.takeSkippedCount()), at: skipped)
    }
    answer.put(number: UInt32(truncatingIfNeeded: count), at: place)
    unfinished = hasMore ? UInt8(ascii: "r") : nil
  }

  private func appendSnapshots() throws(StageError) {
    guard let stage else { return }
    answer.append(UInt8(ascii: "s"))
    let head = answer.count
    answer.append(0)
    answer.append(number: 0 as UInt32)
    var count: UInt32 = 0
    let hasMore = try stage.takeSnapshots { key, snapshot in
      answer.append(string: key)
      answer.append(snapshot.bytes == nil ? 1 : 0)
      answer.append(number: snapshot.wake)
      answer.append(string: snapshot.bytes ?? [])
      count += 1
      return answer.count < ResultBuffer.limit
    }
    answer[head] = hasMore ? 1 : 0
    answer.put(number: count, at: head + 1)
    unfinished = hasMore ? UInt8(ascii: "s") : nil
  }
}
