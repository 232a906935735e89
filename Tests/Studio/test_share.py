"""The Share view in a browser: python3 Tests/Studio/test_share.py"""
import os
import struct
import xml.etree.ElementTree

from browser import Keys, StudioTest, unittest


class ShareTest(StudioTest):
    def download(self, name):
        path = os.path.join(self.downloads, name)
        self.wait(lambda: os.path.exists(path) and os.path.getsize(path) > 0, f"the download of {name}")
        with open(path, "rb") as file:
            content = file.read()
        os.remove(path)
        return content

    def open_share(self):
        self.open("share", "search.json")
        self.wait(lambda: self.all(".preview img"), "the picture")

    def test_pictures(self):
        self.open_share()
        self.click("Download", ".share-view")
        root = xml.etree.ElementTree.fromstring(self.download("search.svg"))
        self.assertTrue(root.tag.endswith("svg"))
        self.assertIn("swift", "".join(root.itertext()))
        self.click("PNG")
        self.click("Download", ".share-view")
        content = self.download("search.png")
        self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", content[16:24])
        self.assertGreater(width, height)
        self.click("Text", ".share-view")
        self.wait_for(".preview", "debounce")
        self.click("Graph")
        self.click("Mermaid")
        self.wait_for(".preview", "flowchart LR")
        self.click("DOT")
        self.wait_for(".preview", "digraph")
        self.click("Download", ".share-view")
        self.assertIn(b"digraph", self.download("search-graph.dot"))
        self.check_accessibility()

    def test_a_page_that_needs_no_server(self):
        self.open_share()
        self.click("Download page")
        content = self.download("search.html").decode()
        self.assertIn("id=\"run\"", content)
        self.assertNotIn("http://127.0.0.1", content)

    def test_a_link_opens_as_an_unsaved_stream(self):
        self.open_share()
        link = self.js("return document.querySelector('.share-view input[readonly]').value")
        before = sorted(os.listdir(self.studio.folder))
        self.browser.get("about:blank")
        self.browser.get(link)
        self.wait_for(".bars", "This stream came with a link")
        self.wait_for(".top-bar .badge", "Not on disk")
        self.assertTrue(self.browser.current_url.endswith("#/marbles/search-2.json"), self.browser.current_url)
        self.assertEqual(sorted(os.listdir(self.studio.folder)), before)
        self.click("Save as\u2026")
        self.keys("shared", Keys.ENTER)
        self.wait(lambda: os.path.exists(self.studio.path("shared.json")), "the file")
        self.assertEqual(self.studio.read("shared.json"), self.studio.read("search.json"))
        self.wait(lambda: self.text(".bars") == "", "the end of the notice")

    def test_a_damaged_link(self):
        self.browser.get("about:blank")
        self.browser.get(f"{self.studio.url}index.html#s=nothing")
        self.wait_for(".toast", "The link is damaged")

    def test_a_stream_with_an_error(self):
        self.studio.write("bad.json", '{ "source": { "just": { "valu": 1 } } }')
        self.open("share", "bad.json")
        self.wait_for(".share-view .notice", "The stream has an error")


if __name__ == "__main__":
    unittest.main()
