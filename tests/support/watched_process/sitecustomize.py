"""Run by Python at the start of a process that a test starts: it is watched too."""

import os

import socket_watch  # type: ignore[import-not-found]  # Python finds it in this folder

if file := os.environ.get(socket_watch.VARIABLE):
    socket_watch.watch(file)
