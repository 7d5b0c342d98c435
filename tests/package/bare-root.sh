#!/bin/sh
# Runs a shell line as another user, without a name and with an empty home, in a root file system that has only /usr and
# the archives in /archives. Only /home, /project and /tmp can be written. Needs Linux, root and a mount namespace.
# Arguments: an empty directory, the directory of the archives, the line.

set -eu
root=$1
archives=$2
line=$3
mount -t tmpfs none "$root"
cd "$root"
mkdir usr dev proc tmp home project archives
for name in bin lib lib64 sbin; do ln -s "usr/$name" "$name"; done
mount --rbind /usr usr
mount -o remount,bind,ro usr
mount --bind "$archives" archives
mount -o remount,bind,ro archives
for name in null urandom; do
  : > "dev/$name"
  mount --bind "/dev/$name" "dev/$name"
done
mount -t proc none proc
for name in home project tmp; do mount -t tmpfs -o uid=54321,gid=54321 none "$name"; done
mount -o remount,ro "$root"
exec chroot --userspec=54321:54321 . /usr/bin/env -i PATH=/usr/local/bin:/usr/bin HOME=/home \
  /bin/sh -c "cd /project && $line"
