"""Plays about the link, the folder, its files, and several people on one file."""
import json
import os
import time

from server import Server, expect, expect_equal, play

PLAYS = []

COUNTER = """{
  "name": "Mine",
  "inputs": { "q": { "type": "int" } },
  "source": { "input": { "name": "q" } },
  "operators": [
    { "debounce": { "seconds": 1 } },
    { "map": { "expression": "value * 2" } }
  ]
}
"""


@play(PLAYS, smoke=True)
def open_by_the_link(world):
    """The link opens the page, and leaves no secret in the address, and no cookie, which other ports would get."""
    person = world.person
    person.open_link(world.server.link)
    person.sees("search.json", "nav[aria-label=Files]")
    for word in ("token", "key"):
        expect(word not in person.driver.current_url, f"the {word} is in the address {person.driver.current_url}")
    expect_equal(person.driver.get_cookies(), [], "the cookies")


@play(PLAYS, smoke=True)
def refuse_strangers(world):
    """Without the token, from another host or page, and outside of the folder, nothing is answered."""
    server = world.server
    token = server.link.rsplit("token=", 1)[1]
    own = {"Authorization": f"Bearer {token}"}
    host = f"127.0.0.1:{server.port}"

    status, _, body = server.ask("GET", "/api/files", Host=host)
    expect_equal(status, 401, "a request without the token")
    expect("link" in json.loads(body)["title"], f"the refusal does not say what to do: {body!r}")
    status, _, _ = server.ask("GET", "/?token=wrong", Host=host)
    expect_equal(status, 401, "a link with a wrong token")
    status, _, _ = server.ask("GET", "/api/files", Host=host, **own)
    expect_equal(status, 200, "a request with the token")
    status, headers, _ = server.ask("GET", f"/?token={token}", Host=host)
    expect_equal((status, headers.get("set-cookie")), (303, None), "the link")
    key = headers["location"].rsplit("#key=", 1)[1]
    expect(token not in key, "the page gets the token")
    status, _, _ = server.ask("GET", "/api/files", Host=host, Authorization=f"Bearer {key}")
    expect_equal(status, 200, "a request with the key of the folder")
    for target in ("//api/files", "/api//files", "/./api/files", f"/api/files?key={key}", "/api/events?key=x",
                   "/api/events"):
        status, _, _ = server.ask("GET", target, Host=host, Cookie=f"streamstudio-{server.port}={token}")
        expect(status in (401, 404), f"{target} without the key was answered with {status}")
    for wrong in ("evil.example", f"evil.example:{server.port}", "127.0.0.1"):
        status, _, _ = server.ask("GET", "/api/files", Host=wrong, **own)
        expect(status in (400, 403, 421), f"the Host {wrong} was answered with {status}")
    for origin in ("http://evil.example", f"http://evil.example:{server.port}", "null"):
        draft = {"path": "a.json", "text": "{}"}
        status, _, _ = server.ask("POST", "/api/analyze", draft, Host=host, Origin=origin, **own)
        expect_equal(status, 403, f"a request of a page of {origin}")

    secret = os.path.join(os.path.dirname(server.folder), f"outside-{server.port}.json")
    with open(secret, "w", encoding="utf-8") as file:
        file.write("{}")
    os.symlink(secret, server.path("link.json"))
    try:
        name = os.path.basename(secret)
        for path in (f"../{name}", f"articles/../../{name}", secret, "link.json", "..%2F" + name, "/etc/passwd"):
            status, _, _ = server.ask("GET", f"/api/file?path={path}", Host=host, **own)
            expect(400 <= status < 500, f"the file {path} was answered with {status}")
            status, _, _ = server.ask("PUT", f"/api/file?path={path}", {"text": "[]", "base": None}, Host=host, **own)
            expect(400 <= status < 500, f"writing {path} was answered with {status}")
        for target in ("/../Package.swift", "/..%2f..%2fetc/passwd", "/core/../../x.js", "/%2e%2e/x.js"):
            status, _, _ = server.ask("GET", target, Host=host, **own)
            expect(400 <= status < 500, f"{target} was answered with {status}")
        with open(secret, encoding="utf-8") as file:
            expect_equal(file.read(), "{}", "the file outside of the folder")
    finally:
        os.remove(secret)
    status, headers, _ = server.ask("GET", "/index.html", Host=host, **own)
    expect("default-src 'none'" in headers.get("content-security-policy", ""), "the page has no strict policy")


@play(PLAYS)
def failing_test_is_shown_and_updated(world):
    """A failing test shows what differs; its expectation is updated; coverage counts the operators."""
    person, server = world.person, world.server
    text = server.read("search.json").replace('{ "at": 0.7, "value": "swift" }', '{ "at": 0.6, "value": "swift" }')
    server.write("wrong.json", text)
    person.open(server, "Tests", "wrong.json")
    person.sees("1 failed")
    person.sees("600 ms")
    person.sees("700 ms")
    person.sees("3 of 3 operators", "section[aria-label=Coverage]")
    person.click("button", "Update expectation")
    person.sees("1 passed")
    person.save()
    expect_equal(json.loads(server.read("wrong.json")), json.loads(server.read("search.json")), "the updated file")


@play(PLAYS)
def versions_are_compared(world):
    """The draft is compared with the saved file and with a commit, by meaning and by marbles."""
    person, server = world.person, world.server
    person.open(server, "Pipeline", "search.json")
    person.click("button", "debounce seconds 0.3")
    person.fill("textbox", "Seconds", "0.5")
    person.view("Compare")
    person.sees("operator 2 (debounce)")
    person.sees("0.3", ".change")
    person.sees("0.5", ".change")
    options = person.js("return [...arguments[0].options].map((o) => o.text)", person.find("combobox", "Old version"))
    expect("Saved" in options, f"the saved version is not offered: {options}")
    commit = next((text for text in options if "The streams of the repository" in text), None)
    expect(commit, f"git's commits are not offered: {options}")
    for version in ("Saved", commit):
        if person.js("return arguments[0].selectedOptions[0].text", person.find("combobox", "Old version")) != version:
            person.choose("Old version", version)
        person.sees("operator 2 (debounce)")
    person.click("button", "Marbles", person.find("group", "Kind of comparison"))
    person.sees("different output event")


@play(PLAYS)
def commits_of_a_folder_above(world):
    """A studio of a folder in a repository offers the commits of its files."""
    inner = Server(world.server.command, os.path.join(world.server.folder, "articles"))
    try:
        world.person.driver.get(inner.link)
        world.person.view("Compare")
        options = world.person.js(
            "return [...arguments[0].options].map((o) => o.text)", world.person.find("combobox", "Old version"))
        found = any("The streams of the repository" in text for text in options)
        expect(found, f"git's commits are not offered: {options}")
        world.person.driver.get("about:blank")
    finally:
        inner.kill()


@play(PLAYS)
def another_folder_at_the_port(world):
    """A page of a folder neither shows nor writes another folder that is served at its port later."""
    person, server = world.person, world.server
    server.write("mine.json", COUNTER)
    person.open(server, "Text", "mine.json")
    type_into_text(person, "value * 2", "value * 3")
    # A request of the page that meets the other server is refused, which the page reports.
    person.allow("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "net::ERR", "401", "404", "core/api.js")
    server.kill()
    other = Server(server.command, os.path.join(server.folder, "articles"), server.port)
    try:
        person.sees("Open the link that it has printed", patience=30)
        person.press("Ctrl+s")
        time.sleep(0.5)
        expect(not os.path.exists(other.path("mine.json")), "the page has written into another folder")
    finally:
        other.kill()
        server.start()


@play(PLAYS)
def a_changed_file_is_merged(world):
    """A file that another program changes while there are unsaved changes is merged, and never overwritten."""
    person, server = world.person, world.server
    server.write("merged.json", COUNTER)
    person.open(server, "Pipeline", "merged.json")
    person.click("button", "debounce seconds 1")
    person.fill("textbox", "Seconds", "5")
    server.write("merged.json", COUNTER.replace("Mine", "Theirs"))
    person.sees("Another program has changed this file")
    person.click("button", "Merge")
    person.wait(lambda: "Another program" not in person.text(".bars"), "the end of the merge")
    person.save()
    expected = COUNTER.replace("Mine", "Theirs").replace('"seconds": 1', '"seconds": 5')
    expect_equal(server.read("merged.json"), expected, "the merged file")


@play(PLAYS)
def save_right_after_typing(world):
    """Ctrl+S in a field of a form saves what was typed last, however fast it is pressed."""
    person, server = world.person, world.server
    server.write("fast.json", COUNTER)
    person.open(server, "Pipeline", "fast.json")
    person.click("button", "debounce seconds 1")
    person.click("textbox", "Seconds")
    person.press("Ctrl+a", "5", "Ctrl+s")
    person.wait(lambda: '"seconds": 5' in server.read("fast.json"), "the typed value in the file", patience=4)


@play(PLAYS)
def many_tabs(world):
    """Eight tabs of one browser show the studio: none waits for the connections of the others."""
    person, server = world.person, world.server
    person.open(server, "Marbles", "scan.json")
    first = person.driver.current_window_handle
    try:
        for number in range(2, 9):
            person.driver.switch_to.new_window("tab")
            person.driver.get(f"{server.origin}/index.html#/marbles/scan.json")
            person.wait(lambda: person.tracks(), f"the marbles in tab {number}")
    finally:
        for handle in person.driver.window_handles:
            if handle != first:
                person.driver.switch_to.window(handle)
                person.driver.close()
        person.driver.switch_to.window(first)


@play(PLAYS)
def two_browsers_and_an_editor(world):
    """A change of one browser, or of an editor, is seen in the other one; a save over it is asked about."""
    server, first, second = world.server, world.person, world.another_person()
    server.write("shared.json", COUNTER)
    first.open(server, "Text", "shared.json")
    second.open(server, "Text", "shared.json")
    type_into_text(first, "value * 2", "value * 3")
    first.save()
    second.wait(lambda: "value * 3" in second.value("textbox", "Stream as JSON"), "the change of the first browser")
    server.write("shared.json", server.read("shared.json").replace("Mine", "Editor"))
    for person in (first, second):
        person.wait(lambda: "Editor" in person.value("textbox", "Stream as JSON"), "the change of the editor")
    type_into_text(first, "value * 3", "value * 4")
    type_into_text(second, "value * 3", "value * 5")
    second.allow("409")
    first.allow("409")
    first.save()
    second.sees("Another program has changed this file")
    second.press("Ctrl+s")
    time.sleep(0.5)
    expect("value * 4" in server.read("shared.json"), "the second browser has overwritten the first one's change")
    expect("value * 5" in second.value("textbox", "Stream as JSON"), "the second browser has lost its change")


@play(PLAYS)
def the_server_goes_and_comes_back(world):
    """The page says that the server is away, keeps what one types, and continues once the server is back."""
    person, server = world.person, world.server
    server.write("away.json", COUNTER)
    person.open(server, "Text", "away.json")
    person.find("textbox", "Stream as JSON")
    person.allow("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "net::ERR", "401", "404")
    server.kill()
    person.sees("The server is away")
    type_into_text(person, "value * 2", "value * 3")
    person.press("Ctrl+s")
    person.sees("The text is kept in this tab")
    old, start = server.link, time.monotonic()
    server.start()
    if server.link == old:
        person.wait(lambda: not person.text(".bars"), "the page to notice that the server is back", patience=20)
    else:
        # The link of the new server has another token.
        person.sees("Open the link that it has printed", patience=20)
        person.driver.get(server.link)
        person.go(server, "Text", "away.json")
    world.note(f"noticed after {time.monotonic() - start:.1f} s")
    expect("value * 3" in person.value("textbox", "Stream as JSON"), "the typed text is lost")
    person.save()
    expect_equal(server.read("away.json"), COUNTER.replace("* 2", "* 3"), "the saved file")


def type_into_text(person, old, new):
    """Finds a part of the text with the editor's own search, and types over it."""
    person.click("textbox", "Stream as JSON")
    person.press("Ctrl+Home", "Ctrl+f")
    person.wait(lambda: person.focused()[1].startswith("Find"), "the field of the search")
    person.press("Ctrl+a")
    person.type(old)
    # The next place and back again: that selects the first one.
    person.press("Enter", "Shift+Enter", "Escape")
    person.wait(lambda: person.js("const a = document.activeElement;"
                                  "return a.value?.slice(a.selectionStart, a.selectionEnd)") == old, f"'{old}' found")
    person.type(new)
    person.press("Escape")
