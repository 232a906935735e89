import TestSupport
import Testing

/// The types of a table's columns from the arguments, and what is said about columns without a type.
@Suite struct ColumnTypeTests {
  private let folder = Fixture.Folder()

  init() { folder.add("x.csv", "id,ms\n1,9\n2,100\n") }

  private func run(_ arguments: String..., input: String = "") -> Outcome {
    Subprocess.run(arguments, input: input, in: folder.path)
  }

  @Test(
    "A one-liner takes the types of columns from an argument",
    arguments: ["ms:int", " ms : int ", "infer", #"{"ms": "int"}"#, "ms:double,id:string"])
  func given(_ types: String) {
    let file = run("-e", "max(by: value.ms) | map(value.ms)", "--input", "x.csv", "--csv-types", types)
    #expect(file.output == (types.contains("double") ? "100.0\n" : "100\n"), "\(file.errors)")
    #expect(file.errors.isEmpty)
    let piped = run(
      "-e", "sum(value.ms)", "--input-format", "csv", "--csv-types", types, input: "id,ms\n1,9\n2,100\n")
    #expect(piped.output == (types.contains("double") ? "109.0\n" : "109\n"), "\(piped.errors)")
  }

  @Test("A field that is inferred is what it is written as")
  func inferred() {
    let rows = "a,b,c,d,e\n007,-3,1e3,true,\n+1,1.50,0,x1,-\n12345678901234567890,-0.5,0x1F,nan,1 2\n"
    let outcome = run("-e", "map(value)", "--input-format", "csv", "--csv-types", "infer", input: rows)
    #expect(
      outcome.output == """
        {"a":"007","b":-3,"c":1000.0,"d":true,"e":null}
        {"a":"+1","b":1.5,"c":0,"d":"x1","e":"-"}
        {"a":12345678901234567890,"b":-0.5,"c":"0x1F","d":"nan","e":"1 2"}

        """)
    let commas = run(
      "-e", "map(value.a)", "--input-format", "csv", "--csv-types", "infer", input: "a;b\n1,5;2\n1.5;x\n")
    #expect(commas.output == "1.5\n1.5\n")
  }

  @Test(
    "A number that is inferred keeps its digits, or stays a string",
    arguments: [
      ("9223372036854775807", "9223372036854775807"), ("9223372036854775808", "9223372036854775808"),
      ("12345678901234567891", "12345678901234567891"), ("18446744073709551615", "18446744073709551615"),
      ("18446744073709551616", "\"18446744073709551616\""), ("-9223372036854775808", "-9223372036854775808"),
      ("-9223372036854775809", "\"-9223372036854775809\""), ("1234567890123456789012", "\"1234567890123456789012\""),
      ("-0", "0"), ("-0.0", "-0.0"), (".5", "\".5\""), ("-.5", "\"-.5\""), ("5.", "\"5.\""), ("1.e3", "\"1.e3\""),
      ("1E+2", "100.0"),
      ("1e", "\"1e\""), ("--1", "\"--1\""), ("-", "\"-\""), ("00", "\"00\""), ("0.0", "0.0"),
    ])
  func exact(_ field: String, _ value: String) {
    let outcome = run(
      "-e", "map(value.a)", "--input-format", "csv", "--csv-types", "infer", input: "a,b\n\(field),x\n")
    #expect(outcome.output == value + "\n", "\(outcome.errors)")
    // JSON reads the same number, or refuses it.
    let json = run("-e", "map(value)", input: field + "\n")
    #expect(value.hasPrefix("\"") ? json.code == 2 : json.output == value + "\n", "\(json)")
  }

  @Test("Different integers of 64 bits are different values")
  func different() {
    let rows = "id\n12345678901234567890\n12345678901234567891\n12345678901234567890\n"
    let outcome = run(
      "-e", "distinct(value.id) | count()", "--input-format", "csv", "--csv-types", "infer", input: rows)
    #expect(outcome.output == "2\n", "\(outcome.errors)")
  }

  @Test(
    "A number with a decimal comma is inferred as one with a decimal point is",
    arguments: [
      ("0,5", "0.5", "0.5"), ("-1,5", "-1.5", "-1.5"), ("007,50", "\"007,50\"", "\"007,50\""),
      ("-007,5", "\"-007,5\"", "\"-007,5\""), ("+1,5", "\"+1,5\"", "\"+1,5\""), ("0123,4", "\"0123,4\"", "\"0123,4\""),
      (",5", "\",5\"", "\",5\""), ("5,", "\"5,\"", "\"5,\""), ("1.234,5", "\"1.234,5\"", "1234.5"),
      ("0.123,4", "\"0.123,4\"", "\"0.123,4\""), ("0.123", "0.123", "\"0.123\""), ("1.234", "1.234", "\"1.234\""),
      ("192.168.100.200", "\"192.168.100.200\"", "\"192.168.100.200\""),
      ("12345678901234567890", "12345678901234567890", "12345678901234567890"),
    ])
  func commas(_ field: String, _ either: String, _ comma: String) {
    let arguments = ["-e", "map(value.a)", "--input-format", "csv", "--csv-types", "infer"]
    let rows = "a;b\n\(field);x\n"
    #expect(Subprocess.run(arguments, input: rows, in: folder.path).output == either + "\n")
    #expect(Subprocess.run(arguments + ["--csv-decimal", ","], input: rows, in: folder.path).output == comma + "\n")
  }

  @Test(
    "A column of Booleans takes them as spreadsheets write them",
    arguments: [("true", "true"), ("True", "true"), ("TRUE", "true"), ("False", "false"), ("FALSE", "false")])
  func booleans(_ field: String, _ value: String) {
    for type in ["a:bool", "a:bool?"] {
      let outcome = run("-e", "map(value.a)", "--input-format", "csv", "--csv-types", type, input: "a,b\n\(field),x\n")
      #expect(outcome.output == value + "\n", "\(outcome.errors)")
    }
  }

  @Test(
    "A number that its column cannot hold is reported as a number, without help for other files",
    arguments: [
      ("int", "9223372036854775808", "the integer does not fit the declared type int, which has 64 bits"),
      ("uint", "18446744073709551616", "the integer does not fit the declared type uint, which has 64 bits"),
      ("uint", "-1", "the integer is negative, but the declared type is uint"),
      ("int?", "1.5", "found a number that is not an integer, but the declared type is int?"),
      ("bool", "12345678", "found a number, but the declared type is bool"),
      ("timestamp", "12345678", "the string is not a timestamp"),
      ("double", "1e400", "the number is too large for a double"),
    ])
  func numbers(_ type: String, _ field: String, _ message: String) {
    let outcome = run(
      "-e", "map(value)", "--input-format", "csv", "--csv-types", "a:\(type)", input: "a,b\n\(field),x\n")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("column 'a': \(message)"), "\(outcome.errors)")
    #expect(outcome.errors.contains("the field contains \"\(field)\""), "\(outcome.errors)")
    #expect(outcome.errors.contains("change the type of the column in --csv-types"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("--csv-decimal"), "\(outcome.errors)")
  }

  @Test("The help for a column that the table lacks names its columns, and that for an empty field the type with null")
  func columnsOfTheTable() {
    let named = run("-e", "map(value)", "--input-format", "csv", "--csv-types", "ids:int", input: "id,x\n1,2\n")
    #expect(named.errors.contains("did you mean 'id'? the columns are 'id', 'x'"), "\(named.errors)")
    let empty = run("-e", "map(value)", "--input-format", "csv", "--csv-types", "x:double", input: "id,x\n1,\n")
    #expect(empty.errors.contains("write x:double? in --csv-types"), "\(empty.errors)")
  }

  @Test("Rows and values of typed columns are the same, and so are their errors")
  func rows() {
    let lines = (1...3000).map { "\($0),\($0 % 7),x\n" }.joined()
    let all = run(
      "-e", "filter(value.n > 2990) | map(value.n + value.m)", "--input-format", "csv", "--csv-types", "n:int,m:int",
      input: "n,m,t\n" + lines)
    #expect(all.output.split(separator: "\n").count == 10, "\(all.errors)")
    let wrong = run(
      "-e", "filter(value.n > 2990)", "--input-format", "csv", "--csv-types", "n:int,m:int",
      input: "n,m,t\n" + lines + "1,y,x\n")
    #expect(wrong.code == 2 && wrong.errors.contains("column 'm'"), "\(wrong.errors)")
    #expect(wrong.errors.contains("--csv-types"))
  }

  @Test(
    "Types that are wrong, or that nothing takes, are refused with what to write",
    arguments: [
      (["--input", "x.csv", "--csv-types", "ms"], "'ms' has no type"),
      (["--input", "x.csv", "--csv-types", "ms:in"], "did you mean \"int\"?"),
      (["--input", "x.csv", "--csv-types", "ms:int,ms:int"], "has two types"),
      (["--input", "x.csv", "--csv-types", "mss:int"], "'mss' is missing"),
      (["--input", "n.ndjson", "--csv-types", "a:int"], "--input-format csv"),
      (["--input", "n.ndjson", "--csv-delimiter", ";"], "--input-format csv"),
      (["--input", "x.csv", "--items", "/a"], "--items is for JSON"),
      (["--input", "n.ndjson", "--input-format", "json", "--csv-types", "a:int"], "are for tables"),
    ])
  func refused(_ arguments: [String], _ message: String) {
    folder.add("n.ndjson", "{\"a\": 1}\n")
    let outcome = Subprocess.run(["-e", "map(value)"] + arguments, in: folder.path)
    #expect(outcome.code != 0 && outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test("An input that declares its type takes none from the arguments")
  func declared() {
    folder.add("t.json", #"{"inputs": {"x": {"type": {"ms": "string"}}}, "source": {"input": {"name": "x"}}}"#)
    let outcome = run("t.json", "--input", "x.csv", "--csv-types", "ms:int")
    #expect(outcome.code == 2 && outcome.errors.contains("without a 'type'"), "\(outcome.errors)")
  }

  @Test(
    "A warning reports numbers that are ordered as text, and nothing else",
    arguments: [
      ("max(by: value.ms)", true), ("min(by: value.ms)", true), ("sort(10, by: value.ms)", true),
      ("sort(10, by: [value.ms, value.id])", true), ("max(by: double(value.ms))", false),
      ("max(by: value.id)", false), ("sort(10, by: value.id)", false), ("count()", false),
      ("map(value.ms) | max()", true), ("max(compare: int(first.ms) - int(second.ms))", false),
    ])
  func ordered(_ text: String, _ isTold: Bool) {
    let outcome = run("-e", text, "--input", "x.csv")
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty == !isTold, "\(outcome.errors)")
    if isTold { #expect(outcome.errors.contains("\"100\" before \"9\"") && outcome.errors.contains("--csv-types")) }
    // Strings of JSON are meant.
    let json = run("-e", text, input: "{\"id\": \"1\", \"ms\": \"9\"}\n{\"id\": \"2\", \"ms\": \"100\"}\n")
    #expect(json.errors.isEmpty, "\(json.errors)")
  }

  @Test("Each input may have a format of its own")
  func formats() {
    folder.add("n.ndjson", "{\"id\": 3}\n")
    let outcome = run(
      "-e", "input(a) | merge(b) | map(string(value.id))", "--input-format", "a=csv", "--input", "a=-", "--input",
      "b=n.ndjson", "--virtual", input: "id\n1\n2\n")
    #expect(outcome.output == "\"1\"\n\"3\"\n\"2\"\n", "\(outcome.errors)")
    let unknown = run("-e", "count()", "--input-format", "inptu=csv", input: "id\n")
    #expect(unknown.code == 2 && unknown.errors.contains("did you mean 'input'?"), "\(unknown.errors)")
  }
}
