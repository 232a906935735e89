"""Plays about pictures, pages and links."""
import os
import struct
import xml.etree.ElementTree

from server import expect, expect_equal, expect_in, play

PLAYS = []


def download(world, name):
    person = world.person
    path = os.path.join(person.downloads, name)
    person.wait(lambda: os.path.exists(path) and os.path.getsize(path) > 0, f"the download of {name}")
    with open(path, "rb") as file:
        content = file.read()
    os.remove(path)
    return content


def open_share(world):
    person, server = world.person, world.server
    person.open(server, "Share", "search.json")
    person.wait(lambda: person.css(".preview img"), "the picture")


@play(PLAYS)
def pictures(world):
    """Pictures."""
    person = world.person
    open_share(world)
    person.click("button", "Download", ".share-view")
    root = xml.etree.ElementTree.fromstring(download(world, "search.svg"))
    expect(root.tag.endswith("svg"), "it is not so")
    expect_in("swift", "".join(root.itertext()))
    person.click("button", "PNG")
    person.click("button", "Download", ".share-view")
    content = download(world, "search.png")
    expect_equal(content[:8], b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    expect(width > height, f"{width}")
    person.click("button", "Text", ".share-view")
    person.sees("debounce", ".preview")
    person.click("button", "Graph")
    person.click("button", "Mermaid")
    person.sees("flowchart LR", ".preview")
    person.click("button", "DOT")
    person.sees("digraph", ".preview")
    person.click("button", "Download", ".share-view")
    expect_in(b"digraph", download(world, "search-graph.dot"))
    person.check_accessibility()


@play(PLAYS)
def a_page_that_needs_no_server(world):
    """A page that needs no server."""
    person = world.person
    open_share(world)
    person.click("button", "Download page")
    content = download(world, "search.html").decode()
    expect_in("id=\"run\"", content)
    expect("http://127.0.0.1" not in content, "http://127.0.0.1")


@play(PLAYS)
def a_link_opens_as_an_unsaved_stream(world):
    """A link opens as an unsaved stream."""
    person, server = world.person, world.server
    open_share(world)
    link = person.js("return document.querySelector('.share-view input[readonly]').value")
    before = sorted(os.listdir(server.folder))
    person.driver.get("about:blank")
    person.driver.get(link)
    person.sees("This stream came with a link", ".bars")
    person.sees("Not on disk", ".top-bar .badge")
    expect(person.driver.current_url.endswith("#/marbles/search-2.json"), "it is not so")
    expect_equal(sorted(os.listdir(server.folder)), before)
    person.click("button", "Save as\u2026")
    person.type("shared")
    person.press("Enter")
    person.wait(lambda: os.path.exists(server.path("shared.json")), "the file")
    expect_equal(server.read("shared.json"), server.read("search.json"))
    person.wait(lambda: person.text(".bars") == "", "the end of the notice")


@play(PLAYS)
def a_damaged_link(world):
    """A damaged link."""
    person, server = world.person, world.server
    person.driver.get(server.link)
    person.sees("search.json", ".tree")
    person.driver.get("about:blank")
    person.driver.get(f"{server.origin}/index.html#s=nothing")
    person.sees("The link is damaged", ".toast")


@play(PLAYS)
def a_stream_with_an_error(world):
    """A stream with an error."""
    person, server = world.person, world.server
    server.write("bad.json", '{ "source": { "just": { "valu": 1 } } }')
    person.open(server, "Share", "bad.json")
    person.sees("The stream has an error", ".share-view .notice")
