import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// `{"file": …}` sources on the command line.
@Suite struct ValueFileTests {
  @Test("A file is found beside the stream file that names it, from wherever that is run")
  func relative() {
    let folder = Fixture.Folder()
    folder.addFolder("inner")
    Fixture.write(
      #"{"source": {"file": {"path": "data/rows.csv", "format": "csv", "type": {"n": "int"}}}}"#,
      to: folder.path("inner/s.json"))
    mkdir(folder.path("inner/data"), 0o700)
    Fixture.write("n\r\n1\r\n2\r\n", to: folder.path("inner/data/rows.csv"))
    folder.add("outer.json", #"{"source": {"stream": {"file": "inner/s.json"}}}"#)
    for arguments in [["inner/s.json"], ["outer.json"], [folder.path("inner/s.json")]] {
      let outcome = Subprocess.run(arguments, in: folder.path)
      #expect(outcome == Outcome(output: "{\"n\":1}\n{\"n\":2}\n", errors: "", code: 0))
    }
    unlink(folder.path("inner/data/rows.csv"))
    rmdir(folder.path("inner/data"))
    unlink(folder.path("inner/s.json"))
  }

  @Test("Rows that pass are printed with the spelling of the file if that is canonical")
  func passing() {
    let folder = Fixture.Folder()
    let rows = ["1,a,0.5", "2,b c\\,-1.25", "3,,2.50", "4,\"d,e\",1e2", "05,f,7", "6,ä,0.125", "7,g,1000000.0"]
    folder.add("rows.csv", "n,s,x\n" + rows.joined(separator: "\n") + "\n")
    folder.add(
      "s.json",
      #"""
      {"source": {"file": {"path": "rows.csv", "format": "csv", "type": {"n": "int", "s": "string", "x": "double"}}},
       "operators": [{"filter": {"expression": "value.n != 6"}}]}
      """#)
    let table = Subprocess.run(["s.json", "--format", "csv"], in: folder.path)
    #expect(
      table.output == "n,s,x\r\n1,a,0.5\r\n2,b c\\,-1.25\r\n3,,2.5\r\n4,\"d,e\",100.0\r\n5,f,7.0\r\n7,g,1000000.0\r\n")
    let lines = Subprocess.run(["s.json"], in: folder.path)
    #expect(
      lines.output == #"""
        {"n":1,"s":"a","x":0.5}
        {"n":2,"s":"b c\\","x":-1.25}
        {"n":3,"s":"","x":2.5}
        {"n":4,"s":"d,e","x":100.0}
        {"n":5,"s":"f","x":7.0}
        {"n":7,"s":"g","x":1000000.0}

        """#)
  }

  @Test("An error in the file is reported with its place there, and with the source that reads it")
  func mistake() {
    let folder = Fixture.Folder()
    folder.add("s.json", #"{"source": {"file": {"path": "a.ndjson", "format": "ndjson"}}}"#)
    folder.add("a.ndjson", "1\n\n{\"a\": tru}\n")
    let outcome = Subprocess.run(["s.json"], in: folder.path)
    #expect(outcome.output == "1\n")
    #expect(
      outcome.errors.hasPrefix(
        """
        a.ndjson:3:7: error S001: 'tru' is not a JSON value
            = note: read by the source at s.json:1:30

        """))
    #expect(outcome.code == 2)
  }

  @Test("A missing file, and a directory, are reported when the stream runs, and not before")
  func missing() {
    let folder = Fixture.Folder()
    folder.add("s.json", #"{"source": {"file": {"path": "rows.json", "format": "json"}}}"#)
    folder.add("d.json", #"{"source": {"file": {"path": ".", "format": "json"}}}"#)
    #expect(Subprocess.run(["validate", "s.json"], in: folder.path).code == 0)
    let missing = Subprocess.run(["s.json"], in: folder.path)
    #expect(missing.errors.hasPrefix("s.json:1:30: error S502: there is no file 'rows.json'\n"))
    #expect(missing.code == 2)
    let directory = Subprocess.run(["d.json"], in: folder.path)
    #expect(directory.errors.hasPrefix("d.json:1:30: error S504: '.' is a directory; expected a file\n"))
  }

  @Test("A pipe without an end is read no further than values are asked for")
  func endless() {
    let folder = Fixture.Folder()
    folder.add(
      "s.json",
      #"{"source": {"file": {"path": "pipe", "format": "ndjson"}}, "operators": [{"prefix": {"count": 100000}}, {"count": {}}]}"#
    )
    let output = Subprocess.shell(
      "mkfifo pipe; yes 12345 > pipe & streamrun s.json --allow-read pipe; wait", in: folder.path)
    #expect(output.hasPrefix("100000\n"))
  }

  @Test("The values of a pipe are published before the stream waits for more")
  func prompt() {
    let folder = Fixture.Folder()
    folder.add("s.json", #"{"source": {"file": {"path": "pipe", "format": "ndjson"}}}"#)
    // The second line is written only when the first has come out.
    let output = Subprocess.shell(
      "mkfifo pipe out; streamrun s.json --allow-read pipe > out & exec 4< out 3> pipe; echo 1 >&3; head -n 1 <&4; echo 2 >&3; exec 3>&-; wait",
      in: folder.path)
    #expect(output == "1\n")
  }

  @Test("Tests of a stream read its files, or replace them")
  func tests() {
    let folder = Fixture.Folder()
    folder.add("a.json", "[1, 2]")
    folder.add(
      "s.json",
      """
      {"streams": {"rows": {"source": {"file": {"path": "a.json", "format": "json"}}}},
       "source": {"stream": {"name": "rows"}},
       "tests": [{"name": "reads", "expect": {"values": [1, 2]}},
                 {"name": "replaced", "inputs": {"rows": {"values": [3]}}, "expect": {"values": [3]}}]}
      """)
    #expect(Subprocess.run(["test", "s.json"], in: folder.path).output == "2 passed, 0 failed\n")
  }
}
