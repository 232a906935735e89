internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamKit
internal import StreamPartition

/// `streamrun shard FILE`: runs a partitioned stream on several machines, with Redis Streams as the log.
struct Shard: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "shard",
    abstract: "Runs a partitioned stream on several machines that share a Redis.",
    discussion: """
      Each shard has a part of the keys, a log of records and a stream of results in Redis (or Valkey), version 7 or \
      later. A process owns all shards that are free, and takes over the shards of a process that has stopped. Results \
      are those of one machine, whichever process fails; a server must keep what it has confirmed. One process feeds at \
      a time. TLS is left to a proxy.

      Examples:
        streamrun shard stream.json --redis redis://localhost --shards 4 --feed < events.ndjson
        streamrun shard stream.json --redis redis://localhost --shards 4
        streamrun shard stream.json --redis redis://localhost --shards 4 --results
        streamrun shard stream.json --redis redis://localhost --shards 4 --set quiet=10
      """)

  @Argument(help: "The stream file, which must have a 'partition'.", completion: .file(extensions: ["json"]))
  var file: String

  @Option(
    help: ArgumentHelp(
      "The server: redis://[user:password@]host[:port][/database], or unix:///path.", valueName: "url"))
  var redis: String

  @Option(help: ArgumentHelp("Number of shards, which is fixed by the first use.", valueName: "count"))
  var shards: Int

  @Option(help: ArgumentHelp("Name of the stream in Redis. By default that of the file.", valueName: "name"))
  var name: String?

  @Flag(help: "Reads records from standard input, one a line, and sends each to the shard of its key.")
  var feed = false

  @OptionGroup var inputFormats: InputFormatOptions

  @Flag(help: "With --feed: the input is complete at the end of standard input.")
  var end = false

  @Flag(help: "With --feed: numbers the lines, so that feeding can be repeated from the first line after a failure.")
  var numbered = false

  @Flag(help: "Prints the results that are there, shard by shard.")
  var results = false

  @Flag(help: "Stops when all records that are there have been processed.")
  var drain = false

  @Option(help: ArgumentHelp("Maximum number of shards of this process.", valueName: "count"))
  var own: Int?

  @Option(help: ArgumentHelp("Time after which others take over the shards of a silent process.", valueName: "seconds"))
  var lease = 3.0

  @Option(help: ArgumentHelp("Number of records of one transaction.", valueName: "count"))
  var batch = 1_000

  @Option(help: ArgumentHelp("Removes processed records from the logs, except this many.", valueName: "count"))
  var keep: Int?

  @Option(
    help: ArgumentHelp(
      "Waits while a shard has more results, or with --feed more records, than this.", valueName: "count"))
  var most: Int?

  @Option(
    help: ArgumentHelp(
      "Memory for the keys of each shard, in MiB; keys beyond it are read again from Redis.", valueName: "size"))
  var memory = 256

  @Option(
    help: ArgumentHelp(
      "Also continues from the state that this version of the file has saved. May be repeated.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var restoreOld: [String] = []

  @Option(
    help: ArgumentHelp(
      "A parameter of the versions of --restore-old, if it had another value: --restore-set quiet=5.",
      valueName: "name=value"))
  var restoreSet: [NamedArgument] = []

  @OptionGroup var arguments: CompileArgumentOptions

  @Flag(help: "Skips records that are not JSON, and values that make an operator fail.")
  var skipErrors = false

  @OptionGroup var metrics: MetricsOptions

  @OptionGroup var appearance: AppearanceOptions

  func validate() throws {
    if shards < 1 || shards > 4_096 { throw ValidationError("--shards is \(shards); expected 1 to 4096") }
    if lease < 0.1 || lease > 3_600 { throw ValidationError("--lease is \(lease); expected seconds from 0.1 to 3600") }
    if batch < 1 || batch > 100_000 { throw ValidationError("--batch is \(batch); expected 1 to 100000") }
    if memory < 1 { throw ValidationError("--memory is \(memory); expected 1 or more") }
    if let own, own < 1 { throw ValidationError("--own is \(own); expected 1 or more") }
    if let keep, keep < 0 { throw ValidationError("--keep is \(keep); expected 0 or more") }
    if let most, most < 1 { throw ValidationError("--most is \(most); expected 1 or more") }
    if feed, results { throw ValidationError("--feed and --results cannot be combined") }
    if !feed, end || numbered || inputFormats.isGiven {
      throw ValidationError("--input-format, --end and --numbered need --feed")
    }
    if metrics.path != nil, feed || results {
      throw ValidationError("--metrics tells of the shards that a process runs; with --feed or --results it runs none")
    }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let loader = console.makeLoader()
    let partition = try PartitionFile(file, loader, try arguments.arguments())
    let former = try PartitionFile.former(restoreOld, loader, arguments.request, setting: restoreSet)
    do {
      let address = try RedisAddress(redis)
      let division = try ShardDivision(prefix: "streamrun", name: streamName(partition), shards: shards)
      if feed {
        let feed = try ShardFeed(
          partition, address, division, mostInput: most, isNumbered: numbered, ends: end, skipsErrors: skipErrors,
          log: console.say)
        let input = inputFormats.inputFormat
        let report = try feed.run(
          .standardInput, input.settled(input.format ?? .ndjson, of: StandardInput.name), isNumbered: numbered)
        var account = "fed \(report.sent.counted("record"))"
        if report.skipped > 0 { account += "; \(report.skipped) were skipped" }
        if report.known > 0 { account += "; \(report.known) were already there" }
        console.say(account)
        if report.isInterrupted { return ExitCode.interrupted }
      } else if results {
        for shard in 0..<shards {
          try ShardLog(address, division, shard: shard).forEachResult { console.output.append(raw: $0 + "\n") }
        }
      } else {
        try ShardRun(partition, former: former, address, division, options, log: console.say).run()
      }
      return ExitCode.good
    } catch let error as Diagnostics {
      throw error
    } catch let error as Diagnostic {
      throw Diagnostics([error])
    } catch let error as StageError {
      console.say("error: \(error.message)")
      if case .failed = error { return ExitCode.failed }
      return ExitCode.wrong
    } catch let error as SystemError {
      throw Diagnostics([error.diagnostic(reading: "<stdin>")])
    } catch {
      console.say("error: \(error)")
      return ExitCode.wrong
    }
  }

  private func streamName(_ partition: PartitionFile) -> String {
    name ?? partition.stream.model.name
      ?? String(file.split(separator: "/").last?.split(separator: ".").first ?? "stream")
  }

  private var options: ShardOptions {
    var options = ShardOptions()
    options.leaseMilliseconds = Int(lease * 1_000)
    options.batch = batch
    options.mostShards = own
    options.keptInput = keep
    options.mostOutputs = most
    options.memory = memory * 1_048_576
    options.drains = drain
    options.skipsErrors = skipErrors
    options.metrics = metrics.path
    options.metricsMilliseconds = Int(min(metrics.seconds, 1e9) * 1_000)
    return options
  }
}
