import Testing

@testable import StreamPartition

@Suite struct ShardMetricsTests {
  @Test("The metrics have the totals of each owned shard, and the age of its newest record")
  func text() {
    var meta = ShardMeta()
    (meta.records, meta.outputs, meta.late, meta.failures) = (30, 20, 3, 2)
    let shards = [
      ShardOwner.Figures(number: 1, totals: ShardTotals(meta), keys: 5, memory: 1_000, newest: 90),
      ShardOwner.Figures(number: 4, totals: ShardTotals(), keys: 0, memory: 0, newest: nil),
    ]
    let text = ShardMetrics.text(shards, uptime: 7, now: 100, of: "a.json")
    let samples = text.split(separator: "\n").filter { $0.contains("shard") && !$0.hasPrefix("#") }
    #expect(
      samples == [
        "streamrun_shards_owned 2",
        #"streamrun_shard_records_total{shard="1"} 30"#, #"streamrun_shard_records_total{shard="4"} 0"#,
        #"streamrun_shard_results_total{shard="1"} 20"#, #"streamrun_shard_results_total{shard="4"} 0"#,
        #"streamrun_shard_records_late_total{shard="1"} 3"#, #"streamrun_shard_records_late_total{shard="4"} 0"#,
        #"streamrun_shard_records_skipped_total{shard="1"} 2"#, #"streamrun_shard_records_skipped_total{shard="4"} 0"#,
        #"streamrun_shard_keys{shard="1"} 5"#, #"streamrun_shard_keys{shard="4"} 0"#,
        #"streamrun_shard_memory_bytes{shard="1"} 1000"#, #"streamrun_shard_memory_bytes{shard="4"} 0"#,
        #"streamrun_shard_event_time_seconds{shard="1"} 90"#, #"streamrun_shard_event_time_lag_seconds{shard="1"} 10"#,
      ])
  }

  @Test("A file that cannot be written is refused")
  func refused() {
    let metrics = ShardMetrics("/nowhere/m.prom", everyMilliseconds: 1, of: "a.json")
    #expect(throws: (any Error).self) { try metrics.write([]) }
  }
}
