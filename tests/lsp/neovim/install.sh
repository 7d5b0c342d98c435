#!/bin/sh
# Unpacks Debian's Neovim, with the libraries that it needs, into a directory. Needs apt-get, but no privileges.
set -eu
mkdir -p "$1"
cd "$1"
apt-get download neovim neovim-runtime libluajit-5.1-2 libluajit-5.1-common libmsgpackc2 libtermkey1 \
  libtree-sitter0 libunibilium4 libuv1 libvterm0 lua-luv >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
rm -- *.deb
