#!/usr/bin/env bash
# Makes the packages and uses each as its users would: Tests/Packaging/check.sh [FOLDER]
#
# As root. Both commands run from the .tar.gz, in a Debian with nothing but the .deb and what it depends on, and in the
# file systems of the images; the units and the configuration of logrotate are checked by their own programs. A run
# follows a log that logrotate rotates, while Prometheus scrapes its metrics. The packages are made twice, with the same
# bytes.
# BIN=FOLDER takes built programs from there.
set -euo pipefail
cd "$(dirname "$0")/../.."
package=$PWD

need() { # command, Debian package
  command -v "$1" > /dev/null || { apt-get update -qq && apt-get install -y -qq "$2"; }
}
need debootstrap debootstrap
need umoci umoci
need skopeo skopeo
need logrotate logrotate
need systemd-analyze systemd
need faketime faketime
need prometheus prometheus
need prometheus-node-exporter prometheus-node-exporter

scratch=$(mktemp -d)
trap 'umount "$scratch/debian/proc" 2> /dev/null || true; rm -rf "$scratch"' EXIT
out=${1:-$scratch/packages}
scripts/package.sh "$out" > "$scratch/package.log" 2>&1 || { tail -50 "$scratch/package.log"; exit 1; }
out=$(cd "$out" && pwd)
(cd "$out" && sha256sum --check --quiet SHA256SUMS && ls -l)

check() { # what, expected, actual
  [ "$2" = "$3" ] || { printf '%s: expected\n%s\nbut there is\n%s\n' "$1" "$2" "$3"; exit 1; }
  echo "passed: $1"
}

# The events, and what the example makes of them.
events() {
  for status in 500 200 503 500 502 504; do echo "{\"service\": \"a\", \"status\": $status, \"path\": \"/$status\"}"; done
}
alert='{"service":"a","failures":5,"last":"/504"}'
commit="($(git log -1 --abbrev=8 --format=%h 2> /dev/null || true)"

# --- Programs with libraries that no package has
mkdir "$scratch/dynamic"
echo 'int one(void) { return 1; }' > "$scratch/foreign.c"
echo 'int one(void); int main(void) { return one() - 1; }' > "$scratch/main.c"
cc -shared -fPIC -o "$scratch/dynamic/libforeign.so" "$scratch/foreign.c"
cc -o "$scratch/dynamic/streamhub" "$scratch/main.c" -L"$scratch/dynamic" -lforeign -Wl,-rpath,"$scratch/dynamic"
cp "$(command -v true)" "$scratch/dynamic/streamrun"
code=0
told=$(BIN=$scratch/dynamic scripts/package.sh "$scratch/refused" 2>&1) || code=$?
check "a program that needs a foreign library is refused" \
  "2 package.sh: '$scratch/dynamic/streamhub' needs libraries that no package has: libforeign.so" "$code $(echo "$told" | head -1)"

# --- .tar.gz
mkdir "$scratch/tar"
tar -C "$scratch/tar" -xzf "$out"/streamrun-*-linux-*.tar.gz
tree=$(echo "$scratch"/tar/*)
check ".tar.gz: a stream runs" "$alert" "$(events | "$tree/bin/streamrun" "$tree/share/doc/streamrun/examples/failures.json")"
for program in streamrun streamhub; do
  version=$("$tree/bin/$program" --version)
  case $version in
  "$program "*"$commit"* | "$program "*"without a commit"*) echo "passed: $version" ;;
  *) echo "the version is $version; expected $commit"; exit 1 ;;
  esac
done
if ldd "$tree/bin/streamrun" > /dev/null 2>&1; then echo "streamrun is not static"; exit 1; fi
"$tree/bin/streamrun" test "$tree/share/doc/streamrun/examples"
bash -n "$tree/share/bash-completion/completions/streamrun"

# --- .deb, in a Debian of its own
debootstrap --variant=minbase bookworm "$scratch/debian" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" > "$scratch/debootstrap.log" 2>&1 ||
  { tail "$scratch/debootstrap.log"; exit 1; }
cp "$out"/*.deb "$scratch/debian/tmp/streamrun.deb"
cp /etc/resolv.conf "$scratch/debian/etc/resolv.conf"
mount -t proc proc "$scratch/debian/proc"
# systemd is there for its verification, as on a server.
chroot "$scratch/debian" sh -c \
  'apt-get install -y -qq --no-install-recommends /tmp/streamrun.deb systemd > /tmp/apt.log 2>&1 || { tail -20 /tmp/apt.log; exit 1; }'
check ".deb: a stream runs" "$alert" \
  "$(events | chroot "$scratch/debian" streamrun /usr/share/doc/streamrun/examples/failures.json)"
check ".deb: a repository is made" made "$(chroot "$scratch/debian" sh -c \
  'cd /tmp && STREAMHUB_PASSPHRASE=correct-horse streamhub init > /dev/null && find repository -name "*root.json" | grep -q . && echo made')"
check ".deb: its files are whole" "" "$(chroot "$scratch/debian" dpkg --verify streamrun)"
check ".deb: the units are right" "" "$(chroot "$scratch/debian" systemd-analyze verify \
  /usr/lib/systemd/system/streamrun@.service /usr/lib/systemd/system/streamhub.service 2>&1)"
chroot "$scratch/debian" systemd-analyze security --offline=yes /usr/lib/systemd/system/streamrun@.service | tail -1
chroot "$scratch/debian" apt-get purge -y -qq streamrun > /dev/null 2>&1
check ".deb: nothing stays after its removal" "" \
  "$(chroot "$scratch/debian" find / -xdev -path /proc -prune -o -name '*streamrun*' ! -path '/tmp/*' ! -path '/var/*' -print)"
umount "$scratch/debian/proc"

# --- Images
for program in streamrun streamhub; do
  archive=$(echo "$out/$program"-*.oci.tar)
  skopeo inspect "oci-archive:$archive" > /dev/null
  skopeo copy -q "oci-archive:$archive" "oci:$scratch/image-$program:it"
  umoci unpack --image "$scratch/image-$program:it" "$scratch/bundle-$program" > /dev/null 2>&1
  check "image $program: it runs what its configuration says" "[\"/usr/bin/$program\",\"--help\"] 65532" \
    "$(python3 -c 'import json, sys
process = json.load(open(sys.argv[1]))["process"]
print(json.dumps(process["args"], separators=(",", ":")), process["user"]["uid"])' "$scratch/bundle-$program/config.json")"
  root=$scratch/bundle-$program/rootfs
  check "image $program: the program starts" "$program" "$(chroot --userspec=65532:65532 "$root" "/usr/bin/$program" --version | cut -d' ' -f1)"
  check "image $program: a stream runs" "$alert" "$(events | chroot --userspec=65532:65532 "$root" /usr/bin/streamrun \
    /usr/share/doc/streamrun/examples/failures.json)"
  check "image $program: time zones are there" 2 "$(chroot "$root" /usr/bin/streamrun eval \
    "timestamp('2026-07-01T00:00:00Z').getHours('Europe/Berlin')")"
done
check "image streamrun: one program and no library" /usr/bin/streamrun \
  "$(cd "$scratch/bundle-streamrun/rootfs" && find . -type f \( -perm -u+x -o -name '*.so*' \) | sed 's/^\.//')"

# --- logrotate
logrotate -d "$package/scripts/Packaging/Examples/logrotate.conf" 2> "$scratch/logrotate.log" ||
  { cat "$scratch/logrotate.log"; exit 1; }
if grep -i error "$scratch/logrotate.log"; then exit 1; fi

# --- A service for six days, with its log, and Prometheus
Tests/Packaging/service.py "$tree/bin/streamrun" scripts/Packaging/Examples

# --- The same bytes once more, from the same programs.
bin=${BIN:-$(swift build -c release --enable-all-traits --static-swift-stdlib --scratch-path .build-package --show-bin-path)}
BIN=$bin scripts/package.sh "$scratch/again" > /dev/null
check "the packages are reproducible" "$(cat "$out/SHA256SUMS")" "$(cat "$scratch/again/SHA256SUMS")"

echo "all packages are right"
