# An HTTP server that reports itself by python3-systemd, as the file NAME.go allows: argv is NAME PORT.
import os, signal, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from systemd import daemon

name, port = sys.argv[1], int(sys.argv[2])


def tell(text):
    try:
        daemon.notify(text)
    except OSError:
        pass  # no supervisor at this moment


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"served")

    def log_message(self, *_):
        pass


def reload(*_):
    tell("RELOADING=1")
    tell("READY=1")


signal.signal(signal.SIGHUP, reload)
server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
tell("STATUS=Loading")
while not os.path.exists(name + ".go"):
    time.sleep(0.05)
tell("READY=1")
beats = 0
while True:
    tell(f"WATCHDOG=1\nSTATUS=Serving, beat {beats}")
    beats += 1
    time.sleep(0.1)
