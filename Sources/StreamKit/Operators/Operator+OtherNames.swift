extension Operator {
  /// Names of operators in jq, Miller, SQL and Flink, with ours.
  static let namesOfTools: [(name: String, others: String)] = [
    ("sort", "sort_by"), ("min", "min_by minBy"), ("max", "max_by maxBy"), ("distinct", "unique_by uniqBy"),
    ("sum", "add"), ("filter", "qualify"), ("collectMap", "pivot reshape"), ("flatMap", "unpivot"),
    ("join", "coGroup cogroup"),
  ]

  /// Advice for operators of jq, Miller, SQL, Flink and RxJS that no single operator replaces.
  static let adviceOfTools: [(text: String, names: String)] = [
    ("it is a source: write {\"timer\": {\"every\": 1}}", "interval"),
    ("it is a source: write {\"sequence\": {\"values\": [1, 2]}}", "of from seqgen"),
    ("values from outside come through an input: \"inputs\": {\"clicks\": {}}", "fromEvent fromEventPattern"),
    ("it is a source: write {\"fail\": {…}}", "throwError"),
    ("a stream of a file begins with its subscription: write the source itself", "defer"),
    ("write {\"call\": {…}}, a source whose function the program of the stream provides", "ajax fetch webSocket"),
    ("write {\"collect\": {}}, {\"map\": {\"expression\": \"value.reverse()\"}} for the reversed array", "reverse tac"),
    ("write {\"map\": {\"expression\": \"{'a': value.a}\"}} with the members to keep, in their order", "cut reorder"),
    ("write {\"scan\": {…}}, which keeps the latest value that is there", "fillDown fill-down ffill"),
    ("write --columns a,b,c with --format csv", "unsparsify"),
    (
      "write {\"groupBy\": {\"key\": …, \"operators\": [{\"count\": {}}, {\"map\": {\"expression\": \"[key, value]\"}}]}}",
      "count-distinct countDistinct countBy histogram value_counts"
    ),
    ("write {\"withPrevious\": {…}} for differences, or {\"scan\": {…}} for running totals", "step cumsum"),
    ("write {\"map\": {\"expression\": \"string(timestamp(value.t))\"}}", "sec2gmt"),
    ("write {\"groupBy\": {…}} for a stream of each key, or \"outputs\" for a file of each", "split sideOutput"),
    ("write {\"join\": {…}} of type \"left\", and keep the values without a partner", "except minus antiJoin"),
    ("write {\"join\": {…}} with \"on\"", "intersect semiJoin"),
  ]
}
