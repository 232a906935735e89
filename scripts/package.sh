#!/usr/bin/env bash
# Makes the packages of both commands for the machine's architecture: scripts/package.sh [FOLDER]
#
# FOLDER (.build-package/packages by default) then has, for version 0.1.0 on amd64:
#   streamrun-0.1.0-linux-amd64.tar.gz   both commands, completions, units and examples
#   streamrun_0.1.0_amd64.deb            the same for Debian and Ubuntu
#   streamrun-0.1.0-amd64.oci.tar        an image with the static `streamrun`, the time zones and nothing else
#   streamhub-0.1.0-amd64.oci.tar        an image with both commands and the libraries of `streamhub`
#   SHA256SUMS
#
# Images are OCI archives: `skopeo copy oci-archive:FILE …`, `podman load -i FILE` and Docker 25's `docker load -i FILE`
# read them. No container engine is needed here, and no root: dates, owners and orders are fixed, so that the same
# programs give the same bytes.
#
# BIN=FOLDER takes built programs from there instead of building them: with Swift's libraries linked into both, and
# `streamrun` static.
set -euo pipefail
cd "$(dirname "$0")/.."
# SwiftPM passes the traits to the compiler in the order of a set.
export SWIFT_DETERMINISTIC_HASHING=1
export LC_ALL=C

need() { # command, Debian package
  command -v "$1" > /dev/null || { echo "package.sh: '$1' is missing (Debian's package $2)" >&2; exit 2; }
}
need dpkg-deb dpkg
need python3 python3

out=${1:-.build-package/packages}
version=$(sed -n 's/.*static let text = "\(.*\)".*/\1/p' Sources/StreamFiles/System/ProgramVersion.swift)
case $(uname -m) in
x86_64) arch=amd64 ;;
aarch64) arch=arm64 ;;
*) arch=$(dpkg --print-architecture) ;;
esac
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2> /dev/null || stat -c %Y Package.swift)}
export SOURCE_DATE_EPOCH

# One build of both, in a folder of its own: Swift's runtime is linked into both, and into `streamrun` all else, too.
if [ -z "${BIN:-}" ]; then
  # SwiftPM runs the plugin that names the commit when it plans a build. With a cached plan, a build after another commit
  # would name the commit before.
  build=(swift build -c release --enable-all-traits --static-swift-stdlib --scratch-path .build-package
    --disable-build-manifest-caching)
  "${build[@]}" --product streamrun
  "${build[@]}" --product streamhub
  BIN=$("${build[@]}" --show-bin-path)
fi

# A library of a toolchain is on no other machine, and no package has it.
foreign=$(ldd "$BIN/streamhub" 2> /dev/null | sed -n 's/^[[:space:]]*\([^ ]*\) => \(.*\)/\1 \2/p' | while read -r name path _; do
  # The packages of a system whose /lib is a link to /usr/lib may have either path.
  [ -f "$path" ] && dpkg -S "*$(realpath "$path" | sed 's|^/usr/|/|')" > /dev/null 2>&1 || echo "$name"
done)
if [ -n "$foreign" ]; then
  echo "package.sh: '$BIN/streamhub' needs libraries that no package has: $(echo "$foreign" | paste -sd' ')" >&2
  echo "package.sh: build it with --static-swift-stdlib" >&2
  exit 2
fi
if ldd "$BIN/streamrun" > /dev/null 2>&1; then
  echo "package.sh: '$BIN/streamrun' is not static; build it with --static-swift-stdlib" >&2
  exit 2
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$out"
out=$(cd "$out" && pwd)
rm -f "$out"/*.tar.gz "$out"/*.deb "$out"/*.oci.tar "$out"/SHA256SUMS

# Files with fixed dates and owners, in a fixed order.
archive() { # folder: a tar file on standard output
  tar -C "$1" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu -cf - .
}

# The tree that all packages share.
root=$scratch/root
doc=$root/usr/share/doc/streamrun
install -d "$root/usr/bin" "$doc/examples" "$root/usr/lib/systemd/system"
for program in streamrun streamhub; do
  install -m 755 "$BIN/$program" "$root/usr/bin/$program"
  strip --strip-all "$root/usr/bin/$program" 2> /dev/null || true
  for shell in bash zsh fish; do
    case $shell in
    bash) file=$root/usr/share/bash-completion/completions/$program ;;
    zsh) file=$root/usr/share/zsh/vendor-completions/_$program ;;
    fish) file=$root/usr/share/fish/vendor_completions.d/$program.fish ;;
    esac
    install -d "$(dirname "$file")"
    "$root/usr/bin/$program" --generate-completion-script "$shell" > "$file"
  done
done
install -m 644 scripts/Packaging/*.service "$root/usr/lib/systemd/system/"
install -m 644 scripts/Packaging/Examples/* "$doc/examples/"
install -m 644 README.md CHANGELOG.md "$doc/"
install -m 644 LICENSE "$doc/copyright"

# --- .tar.gz: paths below a folder of its own, to be copied to /usr/local
folder=streamrun-$version-linux-$arch
install -d "$scratch/tar/$folder"
cp -a "$root/usr/." "$scratch/tar/$folder/"
archive "$scratch/tar" | gzip -6n > "$out/$folder.tar.gz"

# --- .deb
debian=$scratch/debian
cp -a "$root" "$debian"
install -d "$debian/DEBIAN" "$debian/etc/streamrun"
gzip -9n "$debian/usr/share/doc/streamrun/CHANGELOG.md"
find "$debian/usr" -type f -printf '%P\n' | sort | (cd "$debian/usr" && xargs -d '\n' md5sum) \
  | sed 's|  |  usr/|' > "$debian/DEBIAN/md5sums"
# The libraries that remain dynamic, as packages with the versions that they need.
if command -v dpkg-shlibdeps > /dev/null; then
  install -d "$scratch/shlibs/debian"
  printf 'Source: streamrun\n\nPackage: streamrun\nArchitecture: any\n' > "$scratch/shlibs/debian/control"
  depends=$(cd "$scratch/shlibs" && dpkg-shlibdeps -O "$root/usr/bin/streamhub" 2> /dev/null \
    | sed -n 's/^shlibs:Depends=//p')
else
  depends=$(ldd "$root/usr/bin/streamhub" | sed -n 's|.* => \(/[^ ]*\) .*|\1|p' | xargs -n 1 realpath \
    | xargs dpkg -S | cut -d: -f1 | sort -u | paste -sd, | sed 's/,/, /g')
fi
cat > "$debian/DEBIAN/control" << CONTROL
Package: streamrun
Version: $version
Architecture: $arch
Maintainer: The streamrun project <streamrun@localhost>
Installed-Size: $(du -k -s "$debian/usr" | cut -f1)
Depends: $depends
Recommends: ca-certificates, tzdata
Suggests: curl, logrotate
Section: utils
Priority: optional
Description: Runs reactive streams written as JSON
 A stream file holds sources, operators and their fields; streamrun runs it
 with Combine's semantics, and continues after an interruption where it was.
 streamhub publishes stream files in signed repositories and runs them.
CONTROL
printf '#!/bin/sh\nset -e\n[ ! -d /run/systemd/system ] || systemctl daemon-reload || true\n' > "$debian/DEBIAN/postinst"
cp "$debian/DEBIAN/postinst" "$debian/DEBIAN/postrm"
chmod 755 "$debian/DEBIAN/postinst" "$debian/DEBIAN/postrm"
dpkg-deb --root-owner-group -Zxz --build "$debian" "$out/streamrun_${version}_$arch.deb" > /dev/null

# --- Images

# Users, and folders that a container's user can write to.
skeleton() { # root of an image
  install -d "$1/etc" "$1/var/lib/streamrun" "$1/tmp"
  chmod 1777 "$1/tmp" "$1/var/lib/streamrun"
  printf 'root:x:0:0:root:/:/sbin/nologin\nstreamrun:x:65532:65532::/var/lib/streamrun:/sbin/nologin\n' > "$1/etc/passwd"
  printf 'root:x:0:\nstreamrun:x:65532:\n' > "$1/etc/group"
  # The time zones that expressions name.
  if [ -d /usr/share/zoneinfo ]; then
    install -d "$1/usr/share/zoneinfo"
    tar -C /usr/share/zoneinfo --exclude=./posix --exclude=./right --exclude=./tzdata.zi -cf - . \
      | tar -C "$1/usr/share/zoneinfo" -xf -
  fi
}

image() { # root of an image, program
  archive "$1" > "$scratch/layer.tar"
  python3 scripts/Packaging/image.py "$scratch/layer.tar" --program "/usr/bin/$2" --architecture "$arch" \
    --reference "$2:$version" --output "$out/$2-$version-$arch.oci.tar"
}

install -d "$scratch/small/usr/bin" "$scratch/small/usr/share/doc"
skeleton "$scratch/small"
cp -a "$root/usr/bin/streamrun" "$scratch/small/usr/bin/"
cp -a "$doc" "$scratch/small/usr/share/doc/"
image "$scratch/small" streamrun

large=$scratch/large
cp -a "$scratch/small" "$large"
cp -a "$root/usr/bin/streamhub" "$large/usr/bin/"
# The libraries, the dynamic linker, and those for names of hosts, where the linker looks for them.
{
  ldd "$root/usr/bin/streamhub" | sed -n 's|^[^/]*\(/[^ ]*\) (.*|\1|p'
  for name in libnss_files.so.2 libnss_dns.so.2 libresolv.so.2; do
    ldconfig -p | sed -n "s|.*$name .* => \(/.*\)|\1|p" | head -1
  done
} | sort -u | while read -r library; do
  install -D -m 755 "$(realpath "$library")" "$large$library"
done
[ ! -f /etc/ssl/certs/ca-certificates.crt ] ||
  install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$large/etc/ssl/certs/ca-certificates.crt"
echo 'hosts: files dns' > "$large/etc/nsswitch.conf"
image "$large" streamhub

(cd "$out" && sha256sum -- *.tar.gz *.deb *.oci.tar > SHA256SUMS)
ls -l "$out"
