extension Operator {
  /// The names of operators in other libraries, with ours.
  static let aliases: [String: String] = {
    var table: [String: String] = [:]
    for (name, others) in groups + namesOfTools {
      for other in others.split(separator: " ") { table[String(other)] = name }
    }
    return table
  }()

  /// Advice for operators of other libraries that no single operator replaces.
  static let advice: [String: String] = {
    var table: [String: String] = [:]
    for (text, names) in phrases + adviceOfTools {
      for name in names.split(separator: " ") { table[String(name)] = text }
    }
    return table
  }()

  private static let groups: [(name: String, others: String)] = [
    ("allSatisfy", "every all isEvery"),
    ("append", "concat onErrorResumeNext concatWith endWith"),
    ("audit", "auditTime"),
    ("average", "avg mean"),
    ("catch", "catchError onErrorResume rescue recover"),
    ("collect", "bufferCount toArray toList batch chunk chunks chunked chunksOf slurp"),
    ("collectTime", "bufferTime bufferTimeout groupedWithin"),
    ("collectUntil", "bufferToggle bufferUntil bufferWhen"),
    ("compactMap", "mapNotNull filterMap"),
    ("contains", "any some exists"),
    ("debounce", "debounceTime"),
    ("delay", "delayElements sleep"),
    ("distinct", "unique uniq dedup dedupe deduplicate distinctBy uniqueBy"),
    ("drop", "dropFirst skip offset"),
    ("dropLast", "skipLast"),
    ("dropUntil", "skipUntil"),
    ("dropWhile", "skipWhile"),
    ("enumerated", "withIndex zipWithIndex rowNumber row_number"),
    ("exhaustMap", "flatMapFirst flatMapDrop"),
    ("failIfEmpty", "throwIfEmpty"),
    ("filter", "where when keep having grep"),
    ("first", "find firstOrNull"),
    ("flatMap", "mergeMap concatMap unnest explode mapcat flatten mapMany"),
    ("groupBy", "keyBy groupby group_by key_by keyed branch"),
    ("handleEvents", "tap do finalize doFinally doOnNext onEach wireTap"),
    ("ignoreOutput", "ignoreElements drain"),
    ("last", "takeLast tail lastOrNull"),
    ("map", "select pluck remap mapping bloblang transform project change set"),
    ("measureInterval", "elapsed timeInterval"),
    ("merge", "mergeWith union unionAll"),
    ("nwise", "pairwise windowed sliding"),
    ("output", "elementAt nth"),
    ("prefix", "take limit head top_n"),
    ("prefixUntil", "takeUntil"),
    ("prefixWhile", "takeWhile"),
    ("prepend", "startWith"),
    ("print", "log debug echo inspect trace peek"),
    ("race", "amb raceWith firstOf"),
    ("rateLimit", "rate limitRate throttleRate spread"),
    ("reduce", "fold aggregate foldl accumulate inject"),
    ("removeDuplicates", "distinctUntilChanged distinctUntilKeyChanged changes"),
    ("replaceEmpty", "defaultIfEmpty"),
    ("replaceError", "onErrorReturn catchErrorJustReturn"),
    ("sample", "sampleTime"),
    ("scan", "runningFold runningReduce accumulateBy"),
    ("share", "shareReplay publish refCount multicast replay broadcast"),
    ("sort", "orderBy order_by sorted sortBy"),
    ("switchMap", "flatMapLatest switchToLatest mapLatest transformLatest"),
    ("mergeScan", "switchScan"),
    ("throttle", "throttleTime throttleFirst throttleLast"),
    ("timeout", "timeoutWith"),
    ("toLoadingState", "convertToLoadingState"),
    ("toResult", "convertToResult"),
    (
      "window",
      "windowTime windowCount tumble tumbling hop hopping windowWhen windowToggle "
        + "session sessionWindow tumblingWindow hoppingWindow slidingWindow"
    ),
    ("withLatestFrom", "lookup enrich temporalJoin"),
    ("withPrevious", "lag previous delta diff"),
    ("zip", "zipWith"),
  ]

  private static let phrases: [(text: String, names: String)] = [
    ("write {\"join\": {…}}; 'streamrun operators join' shows the forms", "leftJoin innerJoin outerJoin intervalJoin"),
    (
      "write withLatestFrom of the other stream, whose latest value it adds, or {\"join\": {…}} with times",
      "asofJoin asOfJoin asof joinAsof merge_asof"
    ),
    (
      "write 'collectTime' with \"align\" and \"emitEmpty\", then 'scan'; 'Resampling' in the page of the format shows it",
      "resample ffill fillForward forwardFill bfill interpolate upsample downsample"
    ),
    (
      "an input has it, in its \"time\": {\"expression\": \"value.t\", \"lateness\": 5}, or --event-time and --lateness",
      "watermark lateness allowedLateness withTimestampAssigner assignTimestamps eventTime event_time"
    ),
    (
      "collect the rows of a key in a map: groupBy(value.id, (collectMap(…))); the recipe 'Pivot' shows it",
      "pivot spread_wide pivot_wider reshape"
    ),
    (
      "a file has it as its member \"partition\", beside \"source\"; within a stream it is 'groupBy'",
      "partition partitionBy partition_by"
    ),
    ("write {\"map\": {\"expression\": \"parseJSON(value)\"}}", "parse_json fromJSON parseJSON json_parse"),
    (
      "write {\"map\": {\"expression\": …}} with a map of all members: {'a': value.a, 'b': value.b}",
      "rename rename_keys addField add_fields mutate put nest"
    ),
    ("an operator of its own for each case: {\"groupBy\": …}, or streams with a filter each", "route switch case"),
    (
      "a file has no code; write an expression in 'map', 'filter' or 'scan'",
      "function script javascript lua python jq code template"
    ),
    (
      "sort, collect, and take the percentile of the sorted list: {\"sort\": {\"by\": …, \"limit\": 10000000}}, "
        + "{\"collect\": {}}, {\"map\": {\"expression\": \"value.percentile(50)\"}}",
      "percentile quantile median percentile_cont quantile_cont"
    ),
    (
      "write {\"sort\": {\"by\": …, \"descending\": true, \"limit\": 10000000}}, {\"prefix\": {\"count\": 3}}",
      "top topN top_n nlargest largest"
    ),
    (
      "write {\"sort\": {\"by\": …, \"limit\": 10000000}}, and use the variable 'index' after it",
      "rank over dense_rank"
    ),
    (
      "collect the values with 'collect' or 'window', and compute it of the list in an expression",
      "stddev stdev variance"
    ),
    (
      "a file has no outputs but its own; pipe the results to the program that writes them",
      "tee sink output_to archive csv http kafka"
    ),
  ]
}
