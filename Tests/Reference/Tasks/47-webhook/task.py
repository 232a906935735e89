import http.server
import json
import threading

from support import ndjson

TITLE = "Webhooks"
ABOUT = "Posts each alert to an address, again if the server fails, in order."
COMMAND = "streamrun stream.json --call post=http://127.0.0.1:8080/hook < readings.ndjson"


def data(random):
    return {"readings.ndjson": [{"id": index, "celsius": round(random.uniform(15, 40), 1)} for index in range(60)]}


class Server(http.server.BaseHTTPRequestHandler):
    asked, posted = 0, []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Server.asked += 1
        good = Server.asked % 5 != 0
        if good:
            Server.posted.append(body)
        self.send_response(200 if good else 500)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


def run(folder, command):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            output = command(COMMAND.replace("8080", str(server.server_port)))
        finally:
            server.shutdown()
    (folder / "posted.ndjson").write_text(ndjson(Server.posted))
    return output


def expected(data):
    hot = [row for row in data["readings.ndjson"] if row["celsius"] > 30]
    return {
        "stdout": [row["id"] for row in hot],
        "posted.ndjson": [{"text": f"{row['celsius']:.1f} degrees", "id": row["id"]} for row in hot],
    }
