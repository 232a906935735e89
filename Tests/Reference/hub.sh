#!/usr/bin/env bash
# hub.sh STREAMHUB [READERS]: a hub under load. Prints the time until all readers have an event, the memory of a reader,
# static files beside nginx, and the time of a publication; then has schemathesis make up requests from the hub's OpenAPI
# description. Needs nginx, wrk, curl, jq and python3.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
streamhub=$(realpath "$1")
readers=${2:-10000}
scratch=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$scratch"' EXIT
# The processes of nginx have another user.
chmod 755 "$scratch"
cd "$scratch"

"$streamhub" init --no-passphrase > /dev/null
token=$("$streamhub" tokens new --scope admin)
"$streamhub" serve --port 0 --public --rate 1000000 2> log &
hub=$!
until [ -s log ]; do sleep 0.1; done
url=http://127.0.0.1:$(head -1 log | jq .port)

cat > publish << END
#!/usr/bin/env bash
tag=\$(curl -sD - -o /dev/null "$url/v1/streams/demo" | tr -d '\r' | sed -n 's/^etag: //p')
condition="If-Match: \$tag"
[ -n "\$tag" ] || condition='If-None-Match: *'
number=\$SRANDOM
jq -n --argjson number \$number '{source: {just: {value: \$number}}, tests:
  [range(20) | {name: "\\(.)", expect: {values: [\$number]}}]}' > stream.json
curl -s -o reply -w '%{http_code} %{time_total} s for a publication with 20 tests\n' -X PUT --data-binary @stream.json \
  -H 'Content-Type: application/json' -H "\$condition" -H "Authorization: Bearer $token" "$url/v1/streams/demo"
END
chmod +x publish
for _ in {1..5}; do ./publish; done
python3 "$here/hub_load.py" events --url "$url" --pid $hub --clients "$readers" --rounds 3 --publish ./publish

cat > nginx.conf << END
worker_processes 1;
daemon off;
pid $scratch/nginx.pid;
error_log $scratch/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  open_file_cache max=1000;
  keepalive_requests 1000000;
  client_body_temp_path $scratch/body;
  proxy_temp_path $scratch/proxy;
  fastcgi_temp_path $scratch/fastcgi;
  uwsgi_temp_path $scratch/uwsgi;
  scgi_temp_path $scratch/scgi;
  server { listen 127.0.0.1:8399; location /repository/ { alias $scratch/repository/; } }
}
END
nginx -c "$scratch/nginx.conf" 2> /dev/null &
sleep 1
for file in metadata/timestamp.json "$(cd repository && ls metadata/*.targets.json | tail -1)"; do
  python3 "$here/hub_load.py" files "$url/repository/$file" "http://127.0.0.1:8399/repository/$file"
done

python3 -m venv venv
venv/bin/pip install -q 'schemathesis>=4,<5'
# A schema states neither conditions such as entity tags nor the length of a body.
cat > schemathesis.toml << END
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 412, 413, 415, 422, 428, 429]
END
venv/bin/schemathesis run "$url/openapi.json" -H "Authorization: Bearer $token" --exclude-path /v1/events \
  --exclude-checks positive_data_acceptance --max-examples 40 --request-timeout 5 --suppress-health-check all
jq -es 'map(select(.level == "error")) == []' log > /dev/null || { grep '"error"' log; exit 1; }
