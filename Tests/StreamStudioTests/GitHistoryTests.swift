import Foundation
import StreamCore
import TestSupport
import Testing

@testable import StreamFiles
@testable import StreamStudio

/// The versions of files that git keeps, in folders of strangers.
@Suite struct GitHistoryTests {
  private let folder = Fixture.Folder()

  /// A repository in `repository`, whose file `Streams/a.json` has two versions.
  init() {
    let made = shell(
      """
      git init -q -b main repository && cd repository && mkdir Streams
      git config user.name Tester && git config user.email tester@example.com
      printf '1\\n' > Streams/a.json && git add . && git commit -q -m 'the first'
      printf '2\\n' > Streams/a.json && git commit -q -a -m 'the second' && git tag two
      """)
    #expect(made.isEmpty)
  }

  @discardableResult
  private func shell(_ command: String) -> String { Subprocess.shell(command, in: folder.path) }

  /// The titles of the versions of a file, and the texts of the newest and the oldest of them.
  private func history(of path: String = "Streams/a.json", in name: String = "repository") async throws -> [String] {
    let history = GitHistory(try StudioFolder(folder.path(name)))
    guard case .list(let versions)? = try await history.versions(of: path).member("versions") else { return [] }
    var found = versions.compactMap { $0.member("title")?.text }
    for version in [versions.first, versions.last] {
      guard let revision = version?.member("rev")?.text else { continue }
      found.append(try await history.text(of: path, in: revision).member("text")?.text ?? "")
    }
    return found
  }

  private static let both = ["the second", "the first", "2\n", "1\n"]

  /// Why the repository is not read.
  private func refusal(_ name: String = "repository") async -> String? {
    do { _ = try await history(in: name) } catch { return (error as? StudioProblem)?.detail }
    return nil
  }

  private func isReadable(_ name: String) throws -> Bool { GitHistory(try StudioFolder(folder.path(name))).isReadable }

  // MARK: Programs

  /// The keys whose values git runs, by the documentation of git 2.55: git-config, gitattributes, git-hook,
  /// git-send-email and the pages of the tools.
  private static let programs = """
    alias.x browser.x.cmd browser.x.path core.alternateRefsCommand core.askPass core.editor core.fsmonitor core.gitProxy
    core.hooksPath core.pager core.sshCommand credential.helper credential.x.helper diff.external diff.x.command
    diff.x.textconv difftool.x.cmd difftool.x.path filter.x.clean filter.x.process filter.x.smudge gc.recentObjectsHook
    gpg.openpgp.program gpg.program gpg.ssh.defaultKeyCommand gpg.ssh.program gpg.x509.program guitool.x.cmd
    hook.x.command imap.tunnel include.path instaweb.httpd interactive.diffFilter man.x.cmd man.x.path merge.x.driver
    mergetool.x.cmd mergetool.x.path pager.cat-file pager.log pager.rev-list pager.show receive.procReceiveRefs
    remote.x.receivepack remote.x.uploadpack remote.x.vcs sendemail.aliasFileType sendemail.ccCmd sendemail.headerCmd
    sendemail.smtpServer sendemail.toCmd sequence.editor submodule.x.update trailer.x.cmd trailer.x.command
    uploadpack.packObjectsHook web.browser
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  /// A line of configuration for a key such as `diff.x.textconv`.
  private static func line(_ key: String, _ value: String) -> String {
    let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, let name = parts[1].split(separator: ".").last else { return "" }
    let section = parts[0]
    let inner = parts[1].dropLast(name.count).dropLast()
    return "[\(section)\(inner.isEmpty ? "" : " \"\(inner)\"")]\n\t\(name) = \"\(value)\"\n"
  }

  /// Adds a program that leaves a mark, and names it wherever git looks for one. Returns the path of the mark.
  private func addPrograms(_ keys: [String]) -> String {
    let (program, mark) = (folder.path("repository/evil.sh"), folder.path("mark"))
    Fixture.write("#!/bin/sh\necho \"$0 $*\" >> \(mark)\nexit 0\n", to: program)
    shell("chmod +x repository/evil.sh")
    var text = Fixture.read(folder.path("repository/.git/config"))
    for key in keys {
      text += Self.line(key, program)
      if ["alias.x", "credential.helper", "submodule.x.update"].contains(key) { text += Self.line(key, "!\(program)") }
    }
    text += "[log]\n\tshowSignature = true\n[extensions]\n\tworktreeConfig = true\n"
    text += "[protocol \"ext\"]\n\tallow = always\n"
    text += "[remote \"origin\"]\n\turl = ext::\(program)\n\tpromisor = true\n"
    // Git reads the program as configuration then, and fails.
    if keys.contains("include.path") { text += "[includeIf \"gitdir:/\"]\n\tpath = \(program)\n" }
    Fixture.write(text, to: folder.path("repository/.git/config"))
    Fixture.write(text, to: folder.path("repository/.git/config.worktree"))
    for place in [".gitattributes", ".git/info/attributes"] {
      Fixture.write("* diff=x filter=x merge=x\n", to: folder.path("repository/\(place)"))
    }
    let hooks = [
      "post-checkout", "post-index-change", "pre-auto-gc", "reference-transaction", "fsmonitor-watchman", "pre-commit",
    ]
    for hook in hooks { shell("cp repository/evil.sh repository/.git/hooks/\(hook)") }
    return mark
  }

  /// Replaces the newest commit with one that has a signature, which `log.showSignature` verifies.
  private func sign() {
    shell(
      """
      cd repository && printf 'tree %s\\nparent %s\\nauthor n <a@b> 1700000000 +0000\\ncommitter n <a@b> 1700000000 +0000\\n\
      gpgsig -----BEGIN PGP SIGNATURE-----\\n \\n iQ==\\n -----END PGP SIGNATURE-----\\n\\nthe second\\n' \
      $(git rev-parse HEAD^{tree}) $(git rev-parse HEAD^) > ../commit
      git update-ref HEAD $(git hash-object -t commit -w ../commit)
      """)
  }

  @Test("No key of git's configuration that names a program has an effect")
  func programs() async throws {
    sign()
    let before = try await history()
    #expect(before == Self.both)
    let mark = addPrograms(["gpg.program"])
    shell("cd repository && git log -1")
    #expect(Fixture.read(mark).contains("--verify"), "git itself has not run the program")
    shell("rm mark")
    _ = addPrograms(Self.programs)
    #expect(try await history() == before)
    #expect(Fixture.read(mark) == "", "a program of the folder has run")
  }

  @Test("No key that this git knows has an effect, whatever its value")
  func allKeys() async throws {
    let known = shell("git help --config").split(separator: "\n").map(String.init).filter { $0.contains(".") }
      .map { $0.replacing(/<[^>]*>|\*/, with: "x") }
    #expect(known.count > 500)
    let named = Set(known.map { $0.lowercased() })
    // Those of newer versions and of programs beside git are in the list above.
    let unknown = Self.programs.filter { !named.contains($0.lowercased()) }
    #expect(unknown.count < Self.programs.count / 2, "\(unknown)")
    let mark = addPrograms(known)
    #expect(try await history() == Self.both)
    #expect(Fixture.read(mark) == "", "a program of the folder has run")
  }

  @Test("Objects that a partial clone lacks are missing; nothing is fetched")
  func promisor() async throws {
    let mark = addPrograms(["core.sshCommand"])
    shell("cd repository && rm -f .git/objects/$(git rev-parse HEAD:Streams/a.json | sed 's/^../&\\//')")
    let history = GitHistory(try StudioFolder(folder.path("repository")))
    await #expect(throws: StudioProblem.self) { try await history.text(of: "Streams/a.json", in: "HEAD") }
    #expect(Fixture.read(mark) == "")
  }

  // MARK: Repositories

  @Test("A repository in a folder above is found, also by 'hasGit'")
  func above() async throws {
    #expect(try await history(of: "a.json", in: "repository/Streams") == Self.both)
    #expect(try isReadable("repository/Streams"))
    folder.addFolder("plain")
    #expect(try !isReadable("plain"))
    #expect(await refusal("plain") == nil)
  }

  @Test("References are found as git finds them", arguments: [false, true])
  func references(_ arePacked: Bool) async throws {
    shell("cd repository && git branch old HEAD~1 && git tag -a -m annotated one HEAD~1")
    if arePacked { shell("cd repository && git pack-refs --all && git gc -q") }
    let history = GitHistory(try StudioFolder(folder.path("repository")))
    let short = shell("cd repository && git rev-parse --short HEAD~1").trimmingCharacters(in: .whitespacesAndNewlines)
    for (revision, text) in [
      ("HEAD", "2\n"), ("@", "2\n"), ("main", "2\n"), ("refs/heads/main", "2\n"), ("two", "2\n"), ("HEAD~1", "1\n"),
      ("main^", "1\n"), ("old", "1\n"), ("one", "1\n"), ("one^{commit}", "1\n"), ("tags/one", "1\n"), (short, "1\n"),
    ] {
      #expect(try await history.text(of: "Streams/a.json", in: revision).member("text") == .string(text), "\(revision)")
    }
    for revision in ["", "-p", "nothing", "main:x", "../HEAD", "refs/heads/../../config"] {
      await #expect(throws: StudioProblem.self) { try await history.text(of: "Streams/a.json", in: revision) }
    }
    #expect(try await self.history() == Self.both)
  }

  @Test("Work trees, submodules, shallow clones and repositories with SHA-256 are read")
  func kinds() async throws {
    shell(
      """
      git -C repository worktree add -q ../tree
      git init -q -b main outer && cd outer && git -c protocol.file.allow=always submodule -q add ../repository inner
      cd .. && git clone -q --depth 1 "file://$PWD/repository" shallow
      git init -q -b main --object-format=sha256 long && cd long && mkdir Streams && printf '1\\n' > Streams/a.json
      git add . && git -c user.name=n -c user.email=a@b commit -q -m long
      """)
    #expect(try await history(in: "tree") == Self.both)
    #expect(try await history(in: "outer/inner") == Self.both)
    #expect(try await history(in: "shallow") == ["the second", "2\n", "2\n"])
    #expect(try await history(in: "long") == ["long", "1\n", "1\n"])
  }

  @Test("A branch without commits has no versions, and a name with special characters is one file")
  func names() async throws {
    shell("git init -q empty")
    #expect(try await history(of: "a.json", in: "empty") == [])
    #expect(try isReadable("empty"))
    shell("cd repository && printf '3\\n' > 'a*?[b] \"é.json' && git add . && git commit -q -m odd")
    #expect(try await history(of: "a*?[b] \"é.json") == ["odd", "3\n", "3\n"])
    #expect(try await history(of: "*") == [])
  }

  @Test(
    "A repository that leads out of the folder is not read",
    arguments: [
      ("mkdir got && echo \"gitdir: $PWD/repository/.git\" > got/.git", "elsewhere"),
      ("mkdir got && ln -s ../repository/.git got/.git", "elsewhere"),
      ("git init -q got && echo ../../repository/.git > got/.git/commondir", "elsewhere"),
      ("git -C repository worktree add -q ../tree && mkdir got && cp tree/.git got/.git", "elsewhere"),
      ("git clone -q --shared repository got", "alternates"),
      ("git init -q got && rm -r got/.git/objects && ln -s ../../repository/.git/objects got/.git/objects", "links"),
      ("git init -q got && ln -s ../../../../repository/.git/objects/info got/.git/objects/aa", "links"),
      ("git init -q got && mkdir got/.git/reftable", "reftable"),
      ("mkdir got && echo nothing > got/.git", "not a repository"),
    ])
  func elsewhere(_ setup: String, _ reason: String) async throws {
    shell(setup)
    let refusal = await refusal("got")
    #expect(refusal?.contains(reason) == true, "\(refusal ?? "it is read")")
    #expect(try !isReadable("got"))
  }
}
