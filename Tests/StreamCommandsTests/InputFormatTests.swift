import TestSupport
import Testing

/// Files of values as they come: JSON over several lines, tables with other punctuation, and compressed files.
@Suite struct InputFormatTests {
  private let folder = Fixture.Folder()

  init() {
    folder.add("s.json", #"{"inputs": {"x": {}}, "source": {"input": {"name": "x"}}}"#)
    folder.add(
      "t.json",
      #"{"inputs": {"x": {"type": {"n": "string", "p": "double"}}}, "source": {"input": {"name": "x"}}}"#)
  }

  private func run(_ arguments: [String], _ text: String = "") -> Outcome {
    Subprocess.run(arguments, input: text, in: folder.path)
  }

  @Test(
    "JSON that does not keep to lines is read",
    arguments: [
      ("{\n  \"a\": 1\n}\n{\n  \"a\": [2,\n3]\n}\n", "{\"a\":1}\n{\"a\":[2,3]}\n"),
      ("[\n  {\"a\": 1},\n  2\n]\n", "{\"a\":1}\n2\n"),
      ("[{\"a\": 1}, {\"a\": 2}]\n", "{\"a\":1}\n{\"a\":2}\n"),
      ("{\"a\": 1}{\"a\": 2} 3\n", "{\"a\":1}\n{\"a\":2}\n3\n"),
      ("1 2 3\n4 \"x\"\n", "1\n2\n3\n4\n\"x\"\n"), ("true null\n", "true\nnull\n"),
      ("[1, 2]\n[3]\n", "[1,2]\n[3]\n"), ("[1, 2]\n", "[1,2]\n"),
      ("[{\"a\": 1}]\n[{\"a\": 2}]\n", "[{\"a\":1}]\n[{\"a\":2}]\n"), ("[\n]\n", ""), ("[]\n", ""),
    ])
  func texts(_ text: String, _ values: String) {
    let outcome = run(["s.json"], text)
    #expect(outcome.output == values, "\(outcome.errors)")
    folder.add("d.data", text)
    #expect(run(["s.json", "--input", "d.data"]).output == values)
    #expect(run(["s.json", "--input", "d.data", "--event-time", "0"]).output == values)
  }

  @Test("An input of arrays takes them unchanged")
  func lists() {
    folder.add("l.json", #"{"inputs": {"x": {"type": ["dyn"]}}, "source": {"input": {"name": "x"}}}"#)
    #expect(run(["l.json"], "[{\"a\": 1}]\n").output == "[{\"a\":1}]\n")
    #expect(run(["l.json"], "[\n1,\n2]\n[3]\n").output == "[1,2]\n[3]\n")
  }

  @Test("The first line is wrong, and the others are values")
  func torn() {
    let outcome = run(["s.json", "--skip-errors"], "{\"a\": 1\n{\"a\": 2}\n{\"a\": 3}\n")
    #expect(outcome.output == "{\"a\":2}\n{\"a\":3}\n")
    #expect(outcome.errors.contains("skipped 1 line"))
  }

  @Test("The values are under a member of each text")
  func items() {
    let text = "{\"n\": {\"r\": [0]}, \"r\": [1, {\"k\": \"]}\"}], \"z\": [9]}\n{\"r\": []}{\"r\": 4, \"s\": \"}\"}\n"
    #expect(run(["s.json", "--items", "/r"], text).output == "1\n{\"k\":\"]}\"}\n4\n")
    #expect(run(["s.json", "--items", "/n/r"], "{\"n\": {\"r\": [0]}}").output == "0\n")
    let missing = run(["s.json", "--items", "/q"], text)
    #expect(missing.code == 2 && missing.errors.contains("'/q' is missing"))
    folder.add("d.json", text)
    folder.add("f.json", #"{"source": {"file": {"path": "d.json", "items": "/r"}}}"#)
    #expect(run(["f.json"]).output == "1\n{\"k\":\"]}\"}\n4\n")
  }

  @Test("A run that is resumed continues within an array")
  func resumed() {
    let values = (0..<40).map { "  {\"n\": \($0)}" }.joined(separator: ",\n")
    folder.add("d.ndjson", "[\n\(values)\n]\n")
    folder.add("i.json", "{\"a\": 1, \"r\": [\n\(values)\n], \"z\": {}}\n{\"r\": [{\"n\": 40}]}\n")
    for (arguments, count) in [(["--input", "d.ndjson"], 40), (["--input", "i.json", "--items", "/r"], 41)] {
      let state = "state\(count)"
      let all = ["s.json"] + arguments + ["--state", state, "--virtual"]
      let first = run(all + ["--limit", "7"])
      let second = run(all)
      #expect(first.output.split(separator: "\n").count == 7, "\(first.errors)")
      #expect(second.output.split(separator: "\n").count == count - 7, "\(second.errors)")
      #expect(second.output.hasPrefix("{\"n\":7}\n"))
    }
  }

  @Test("-0 is the integer 0 in every format and for every declared type, and -0.0 keeps its sign")
  func negativeZero() {
    for (type, expected) in [("int", "0"), ("dyn", "0"), ("double", "0.0")] {
      folder.add("z.json", #"{"inputs": {"a": {"type": {"n": "\#(type)"}}}, "source": {"input": {"name": "a"}}}"#)
      for line in [#"{"n": -0}"#, #"{"n":-0}"#] {
        let outcome = run(["z.json"], line + "\n" + line + "\n")
        #expect(outcome.output == String(repeating: "{\"n\":\(expected)}\n", count: 2), "\(type): \(outcome)")
      }
    }
    folder.add("z.json", #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}}"#)
    let typed = ["z.json", "--input-format", "csv", "--csv-types"]
    #expect(run(typed + ["infer"], "n\n-0\n-0.0\n").output == "{\"n\":0}\n{\"n\":-0.0}\n")
    #expect(run(typed + ["n:int"], "n\n-0\n-0\n").output == "{\"n\":0}\n{\"n\":0}\n")
    #expect(run(typed + ["n:double"], "n\n-0\n-0\n").output == "{\"n\":-0.0}\n{\"n\":-0.0}\n")
    folder.add("v.json", #"{"source":{"just":{"value":-0}},"x-a":-0}"#)
    let formatted = run(["format", "v.json"]).output
    #expect(formatted.contains(#""value": -0 "#) && formatted.contains(#""x-a": -0"#), "\(formatted)")
  }

  @Test("The separator, the quotation mark and the decimal mark of a table are found or given")
  func dialects() {
    let rows = "{\"n\":\"A;1\",\"p\":12.5}\n{\"n\":\"B\",\"p\":1.5}\n"
    let csv = ["t.json", "--input-format", "csv"]
    #expect(run(csv, "n;p\n\"A;1\";12,5\nB;1.5\n").output == rows)
    #expect(run(csv + ["--csv-delimiter", ":", "--csv-quote", "'"], "n:p\n'A;1':12.5\nB:1.5\n").output == rows)
    #expect(
      run(csv + ["--csv-decimal", ","], "n;p\nA;1.234,5\nB;1.234\n").output
        == "{\"n\":\"A\",\"p\":1234.5}\n{\"n\":\"B\",\"p\":1234.0}\n")
    #expect(run(csv, "sep=;\r\nn;p\r\n\"A;1\";12,5\r\nB;1.5\r\n").output == rows)
    #expect(run(csv + ["--csv-delimiter", "|"], "sep=;\nn|p\n\"A;1\"|12.5\nB|1.5\n").output == rows)
    let wrong = run(csv, "n,p\nA,\"12,5\"\n")
    #expect(wrong.code == 2)
    #expect(wrong.errors.contains("column 'p'") && wrong.errors.contains("\"12,5\""), "\(wrong.errors)")
    #expect(wrong.errors.contains("--csv-decimal ','"))
    #expect(run(csv + ["--csv-delimiter", "ab"], "").errors.contains("expected one ASCII character"))
    folder.add("d.csv", "n:p\nA:1,5\n")
    folder.add(
      "f.json",
      """
      {"source": {"file": {"path": "d.csv", "delimiter": ":", "decimal": ",", "type": {"n": "string", "p": "double"}}}}
      """)
    #expect(run(["f.json"]).output == "{\"n\":\"A\",\"p\":1.5}\n")
  }

  @Test(
    "A decimal point in a column with decimal commas is an error, and not a separator of thousands",
    arguments: ["0.123", "00.123", "-0.123", "0.123,5", "1.5", "12.34"])
  func points(_ field: String) {
    let csv = ["t.json", "--input-format", "csv", "--csv-decimal", ","]
    let outcome = run(csv, "n;p\nA;1.234,5\nB;\(field)\n")
    #expect(outcome.code == 2 && outcome.output == "{\"n\":\"A\",\"p\":1234.5}\n", "\(outcome)")
    #expect(outcome.errors.contains("column 'p'") && outcome.errors.contains("\"\(field)\""), "\(outcome.errors)")
    let isNumber = !field.contains(",")
    #expect(outcome.errors.contains("--csv-decimal '.'") == isNumber, "\(outcome.errors)")
    if isNumber, field != "00.123" {
      #expect(outcome.errors.contains("the number has a decimal point, but the decimal mark of the table is a comma"))
    }
  }

  @Test(
    "An error in the first row has its column and the row",
    arguments: [
      ("a,a,b\n1,2,3\n", "1:3: error S003: the name 'a' appears twice", " 1 | a,a,b\n   |   ^\n"),
      ("\"a\"\"\",b,\"a\"\"\"\n", "1:9: error S003: the name 'a\"' appears twice", "   |         ^\n"),
    ])
  func names(_ text: String, _ message: String, _ line: String) {
    folder.add("d.csv", text)
    let outcome = run(["s.json", "--input", "d.csv"])
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("d.csv:\(message)") && outcome.errors.contains(line), "\(outcome.errors)")
  }

  @Test("A name that is not valid UTF-8 is reported with the first row")
  func invalidName() {
    _ = Subprocess.shell("printf 'a,b\\377\\n1,2\\n' > d.csv", in: folder.path)
    let outcome = run(["s.json", "--input", "d.csv"])
    #expect(outcome.code == 2)
    let start = "d.csv:1:3: error S002: the field is not valid UTF-8\n 1 | a,b"
    #expect(outcome.errors.hasPrefix(start), "\(outcome.errors)")
  }

  @Test("Compressed files are decompressed, wherever they come from")
  func compressed() {
    folder.add("d.csv", "n,p\nA,1\nB,2\n")
    let rows = "{\"n\":\"A\",\"p\":1.0}\n{\"n\":\"B\",\"p\":2.0}\n"
    _ = Subprocess.shell("gzip -c d.csv > d.csv.gz; cat d.csv.gz d.csv.gz > two.gz", in: folder.path)
    #expect(run(["t.json", "--input", "d.csv.gz"]).output == rows)
    for start in ["cat d.csv.gz |", "< d.csv.gz"] {
      #expect(Subprocess.shell("\(start) streamrun t.json --input-format csv", in: folder.path) == rows)
    }
    folder.add(
      "f.json", #"{"source": {"file": {"path": "d.csv.gz", "type": {"n": "string", "p": "double"}}}}"#)
    #expect(run(["f.json"]).output == rows)
    let first = run(["t.json", "--input", "d.csv.gz", "--state", "state", "--virtual", "--limit", "1"])
    let second = run(["t.json", "--input", "d.csv.gz", "--state", "state", "--virtual"])
    #expect(first.output + second.output == rows, "\(first.errors)\(second.errors)")
    let followed = run(["t.json", "--input", "d.csv.gz", "--follow"])
    #expect(followed.code == 2 && followed.errors.contains("--follow"), "\(followed.errors)")
  }

  @Test("A damaged file ends the run with the message of the program")
  func damaged() {
    let text = "n,p\n" + (0..<5_000).map { "A\($0),\($0 * 7919 % 1000)\n" }.joined()
    folder.add("d.csv", text)
    _ = Subprocess.shell("gzip -c d.csv | head -c 9000 > d.csv.gz", in: folder.path)
    let outcome = run(["t.json", "--input", "d.csv.gz"])
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("'d.csv.gz' cannot be read: gzip: "), "\(outcome.errors)")
  }
}
