import http.server
import json
import threading

TITLE = "Enrich by HTTP"
ABOUT = "Asks a server for each order, four at a time. It tries again if the server fails, not if it knows no answer."
COMMAND = "streamrun stream.json --call city=http://127.0.0.1:8080/city < orders.ndjson"
UNORDERED = True
CITIES = {"10115": "Berlin", "20095": "Hamburg", "80331": "München"}


def data(random):
    return {"orders.ndjson": [{"id": index, "zip": random.choice([*CITIES, "0"])} for index in range(40)]}


class Server(http.server.BaseHTTPRequestHandler):
    asked = 0

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Server.asked += 1
        status = 503 if Server.asked % 7 == 0 else 200 if body in CITIES else 404
        content = json.dumps(CITIES.get(body)).encode() if status == 200 else b"{}"
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass


def run(folder, command):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            return command(COMMAND.replace("8080", str(server.server_port)))
        finally:
            server.shutdown()


def expected(data):
    return [{"id": row["id"], "city": CITIES.get(row["zip"], "?")} for row in data["orders.ndjson"]]
