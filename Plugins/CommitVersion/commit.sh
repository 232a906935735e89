#!/bin/sh
# commit.sh PACKAGE OUTPUT: writes OUTPUT/BuildCommit.swift with the commit of the sources in the folder PACKAGE.
#
# The commit comes from git; in an archive that `git archive` has made, from the file beside this script, into which git
# has written it; elsewhere there is none.
package=$1 output=$2/BuildCommit.swift

# Another repository may contain the folder, such as that of a distribution's package.
top=$(git -C "$package" rev-parse --show-toplevel 2> /dev/null)
if [ -n "$top" ] && [ "$(cd "$top" && pwd -P)" = "$(cd "$package" && pwd -P)" ]; then
  commit=$(git -C "$package" log -1 --abbrev=8 --format='%h, %cs' 2> /dev/null)
  git -C "$package" diff-index --quiet HEAD 2> /dev/null || commit="${commit%%,*} with changes,${commit#*,}"
else
  commit=$(sed 's/^\(........\)[0-9a-f]*,/\1,/' "$package/Plugins/CommitVersion/commit.txt" 2> /dev/null)
  case $commit in *Format*) commit= ;; esac
fi

# Only a commit's own characters, since the text becomes part of a program.
case $commit in *[!0-9a-z,\ -]*) commit= ;; esac
text="/// The commit from which this program is built, and its date; empty if there is none.
let buildCommit = \"$commit\""
[ "$(cat "$output" 2> /dev/null)" = "$text" ] || printf '%s\n' "$text" > "$output"
