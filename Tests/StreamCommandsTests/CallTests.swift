import StreamCore
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Calls that programs and addresses answer.
@Suite struct CallTests {
  /// Calls `f` for each value, and publishes the error value of a call that fails.
  private static let stream = """
    { "inputs": { "n": {} }, "source": { "input": { "name": "n" } },
      "operators": [ { "flatMap": { "stream": {
        "source": { "call": { "function": "f", "argument": "outer" } },
        "operators": [ { "catch": { "stream": {
          "source": { "sequence": { "values": [0] } },
          "operators": [ { "map": { "expression": "{'error': error}" } } ] } } } ] } } } ] }
    """
  private static let bare = """
    { "inputs": { "n": {} }, "source": { "input": { "name": "n" } },
      "operators": [ { "flatMap": { "stream": { "source": { "call": { "function": "f", "argument": "outer" } } } } } ] }
    """
  /// Answers each call with its argument.
  private static let echo = "while read -r l; do echo \"$l\" | sed 's/argument/value/'; done"

  private func run(_ arguments: [String], of stream: String = stream, input: String) -> Outcome {
    let folder = Fixture.Folder()
    folder.add("s.json", stream)
    return Subprocess.run(["s.json"] + arguments, input: input, in: folder.path)
  }

  private func sorted(_ text: String) -> [String] { text.split(separator: "\n").map(String.init).sorted() }

  @Test("A program answers calls", arguments: [[], ["--virtual"], ["--event-time", "value"], ["--call-limit", "1"]])
  func program(_ arguments: [String]) {
    let outcome = run(["--call", "f=\(Self.echo)"] + arguments, input: "1\n2\n3\n")
    #expect(outcome == Outcome(output: "1\n2\n3\n", errors: "", code: 0))
  }

  @Test("Answers may come in any order")
  func order() {
    let program = """
      read a; read b; read c; for l in "$c" "$a" "$b"; do echo "$l" | sed 's/argument/value/'; done; cat
      """
    #expect(run(["--call", "f=\(program)"], input: "1\n2\n3\n").output == "3\n1\n2\n")
  }

  @Test("Calls that a program has not answered at its end are asked again")
  func restart() {
    // Answers two calls, and ends.
    let program = "for i in 1 2; do read -r l && echo \"$l\" | sed 's/argument/value/'; done; exit 3"
    let outcome = run(["--call", "f=\(program)"], input: "1\n2\n3\n4\n5\n")
    #expect(sorted(outcome.output) == ["1", "2", "3", "4", "5"])
    #expect(outcome.code == 0)
    #expect(
      outcome.errors.contains(
        "the program of --call f has ended (exit code 3); it is started again in 0.1 seconds, and 3 calls are asked"
      ))
  }

  @Test("A program that never answers fails all calls, which the stream sees")
  func broken() {
    let outcome = run(["--call", "f=exit 3"], input: "1\n2\n")
    let message =
      "the function 'f' failed: its program ended 5 times in a row without an answer (exit code 3)"
    let error = #"{"error":{"code":"S413","message":"\#(message)"}}"#
    #expect(outcome.output == "\(error)\n\(error)\n")
    #expect(outcome.code == 0)
  }

  @Test("A program that does not exist fails the run at once")
  func missing() {
    let outcome = run(["--call", "f=no-such-program"], of: Self.bare, input: "1\n")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("its program ended without an answer (exit code 127)"))
    #expect(outcome.errors.contains("help: the shell cannot run it: no-such-program"))
  }

  @Test("Bad answers are reported, and fail the call that they name")
  func garbage() {
    let program = """
      echo hello; read -r l; echo '{"id": 0, "value": 1, "failure": 2}'; read -r l; echo '{"id": 1}'
      read -r l; echo '{"id": 99, "value": 1}'; echo '{"id": 2, "failure": {"message": "no", "code": 7}}'; cat
      """
    let outcome = run(["--call", "f=\(program)"], input: "1\n2\n3\n")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.contains("its program's answer has both 'value' and 'failure'") == true)
    #expect(lines.dropFirst().first?.contains("its program's answer has neither 'value' nor 'failure'") == true)
    #expect(lines.last == #"{"error":{"message":"no","code":7}}"#)
    #expect(outcome.errors.contains("has printed a line that is not JSON"))
    #expect(outcome.errors.contains("has the 'id' 99 of a call that is not open"))
    #expect(outcome.code == 0)
  }

  @Test("A call fails that has no answer in time")
  func timeout() {
    let outcome = run(["--call", "f=cat > /dev/null", "--call-timeout", "0.1"], input: "1\n")
    #expect(outcome.output.contains("its program has not answered within 0.1 seconds"))
    #expect(outcome.code == 0)
  }

  @Test("A canceled call that waits is not asked")
  func canceled() {
    let stream = Self.bare.replacing("flatMap", with: "switchMap")
    let outcome = run(["--call", "f=\(Self.echo)", "--virtual"], of: stream, input: "1\n2\n")
    #expect(outcome == Outcome(output: "2\n", errors: "", code: 0))
  }

  @Test("Programs end with the run, and with an interruption")
  func ends() {
    let folder = Fixture.Folder()
    folder.add("s.json", Self.bare)
    let pidFile = folder.path("pid")
    for signal in [SIGINT, SIGTERM] {
      let input = Pipe()
      let child = Child(
        ["s.json", "--call", "f=echo $$ > '\(pidFile)'; while :; do sleep 1; done"], input: input.reader,
        output: Subprocess.openWrite("/dev/null"), errors: Subprocess.openWrite(folder.path("errors")), in: folder.path)
      input.write("1\n")
      child.wait { Fixture.read(pidFile).hasSuffix("\n") }
      child.send(signal)
      #expect(child.wait() == 128 + signal)
      close(input.writer)
      let id = pid_t(Fixture.read(pidFile).dropLast()) ?? 0
      #expect(id > 0)
      #expect(kill(id, 0) != 0)
      unlink(pidFile)
    }
  }

  @Test(
    "Arguments that are wrong are refused, with help",
    arguments: [
      ([], "help: answer its calls with a program or an address: --call f='COMMAND'"),
      (["--call", "g=x"], "error S121"), (["--call", "f"], "write --call f='COMMAND'"),
      (["--call", "f="], "--call f has no command"), (["--call", "f=x", "--call", "f=y"], "is answered twice"),
      (["--call", "f=x", "--call", "ff=y"], "did you mean 'f'?"),
      (["--call", "f=x", "--call-limit", "0"], "expected 1 call or more"),
      (["--call", "f=x", "--call-timeout", "0"], "expected seconds above 0"), (["--call-limit", "3"], "need --call"),
      (["--call", "f=x", "--call-header", "f=A: b"], "is for an address, but --call f runs a program"),
      (["--call", "f=http://a", "--call-header", "g=A: b"], "has no --call with that name"),
      (["--call", "f=http://a", "--call-header", "f=A"], "is not a line of a header"),
      (["--call", "f=http://a b"], "contains a space"),
    ])
  func wrong(_ arguments: [String], _ part: String) {
    let outcome = run(arguments, input: "1\n")
    #expect(outcome.code == 2 || outcome.code == 64, "\(outcome.code)")
    #expect(outcome.errors.contains(part), "\(outcome.errors)")
    #expect(outcome.output == "")
  }

  // MARK: Addresses

  private static let server = """
    import http.server, json
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers['Content-Length']))
            code, out = 200, body
            if self.path == '/token': out = json.dumps(self.headers.get('X-Token')).encode()
            if self.path.startswith('/busy'): code, out = 503, b'{"busy": true}'
            if self.path == '/text': out = b'<html>'
            self.send_response(code)
            self.send_header('Content-Length', str(len(out)))
            self.end_headers()
            self.wfile.write(out)
        def log_message(self, *arguments): pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  /// Runs the body with the port of a server, if this machine has Python and curl.
  private func withServer(_ body: (String) -> Void) {
    guard access("/usr/bin/python3", X_OK) == 0, access("/usr/bin/curl", X_OK) == 0 else { return }
    let output = Pipe()
    let server = Child(
      program: "/usr/bin/python3", ["-c", Self.server], input: Subprocess.openRead("/dev/null"), output: output.writer,
      errors: Subprocess.openWrite("/dev/null"))
    let port = output.read(through: "\n").dropLast()
    body("http://127.0.0.1:\(port)")
    server.send(SIGKILL)
    _ = server.wait()
    close(output.reader)
  }

  @Test("An address answers calls, and sees the lines of the header")
  func addresses() {
    withServer { address in
      let outcome = run(["--call", "f=\(address)/echo"], input: "1\n{\"a\":[\"\\\"x\\n\"]}\n")
      #expect(sorted(outcome.output) == ["1", #"{"a":["\"x\n"]}"#])
      #expect(outcome.errors == "")
      let token = run(["--call", "f=\(address)/token", "--call-header", "f=X-Token: a\"b"], input: "1\n")
      #expect(token.output == "\"a\\\"b\"\n")
      let long = "\"" + String(repeating: "x", count: 300_000) + "\"\n"
      #expect(run(["--call", "f=\(address)/echo"], input: long).output == long)
    }
  }

  @Test("A bad response is a failure with a status, which the stream sees")
  func badResponses() {
    withServer { address in
      let busy = run(["--call", "f=\(address)/busy?key=1"], input: "1\n")
      let message = "\(address)/busy has answered with status 503"
      let error = #"{"error":{"code":"S413","message":"\#(message)","status":503,"body":{"busy":true}}}"#
      #expect(busy.output == error + "\n")
      #expect(run(["--call", "f=\(address)/text"], input: "1\n").output.contains("text that is not JSON"))
    }
    guard access("/usr/bin/curl", X_OK) == 0 else { return }
    let outcome = run(["--call", "f=http://127.0.0.1:1/"], of: Self.bare, input: "1\n")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("http://127.0.0.1:1/ cannot be reached"))
  }

  @Test("Without curl, a call fails with help")
  func withoutCurl() {
    let folder = Fixture.Folder()
    folder.add("s.json", Self.bare)
    let outcome = Subprocess.run(
      ["s.json", "--call", "f=http://127.0.0.1:1/"], input: "1\n", in: folder.path, environment: ["PATH=/nowhere"])
    // Some systems use the first of two variables of one name, and find curl.
    guard !outcome.errors.contains("cannot be reached") else { return }
    #expect(outcome.errors.contains("help: install curl"))
  }
}

/// Outputs that programs read.
@Suite struct ProgramOutputTests {
  private func run(_ arguments: [String], input: String) -> (outcome: Outcome, folder: Fixture.Folder) {
    let folder = Fixture.Folder()
    folder.add("s.json", RunTests.pass)
    return (Subprocess.run(["s.json"] + arguments, input: input, in: folder.path), folder)
  }

  private static let lines = (1...50_000).map { "\($0)\n" }.joined()

  @Test("A program reads the output, and the run waits for its end")
  func program() {
    let (outcome, folder) = run(["--output", "|sort -rn > out; sleep 0.1; echo end"], input: "1\n3\n2\n")
    #expect(outcome == Outcome(output: "end\n", errors: "", code: 0))
    #expect(Fixture.read(folder.path("out")) == "3\n2\n1\n")
  }

  @Test("The stream pauses while the program is behind")
  func slow() {
    let (outcome, folder) = run(["--output", "|sleep 0.3; cat > out"], input: Self.lines + Self.lines + Self.lines)
    #expect(outcome.code == 0)
    #expect(Fixture.read(folder.path("out")) == Self.lines + Self.lines + Self.lines)
  }

  @Test("A restarted program reads on where the one before it has stopped")
  func restart() {
    // Reads line by line, and ends after some of them: the shell reads no further than it has to.
    let program = "i=0; while [ $i -lt 400 ] && read -r l; do echo $l >> out; i=$((i+1)); done; [ $i -lt 400 ]"
    let input = (1...1000).map { "\($0)\n" }.joined()
    let (outcome, folder) = run(["--output", "|\(program)"], input: input)
    #expect(Fixture.read(folder.path("out")) == input)
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("has ended (exit code 1); it is started again in 0.1 seconds"))
  }

  @Test(
    "A program that fails is an error",
    arguments: [
      ("|no-such-program", "cannot be started (exit code 127)"),
      ("|cat > /dev/null; exit 3", "has failed (exit code 3)"),
      ("|exit 3", "2B of the output are lost"), ("| ", "has no command"),
    ])
  func wrong(_ output: String, _ part: String) {
    let (outcome, _) = run(["--output", output], input: "1\n")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(part), "\(outcome.errors)")
  }
}
