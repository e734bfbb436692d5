"""A small server that uses portico.py, with Python alone."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from portico import Refused, access_of, session_of


class Handler(BaseHTTPRequestHandler):
    def answer(self):
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            if self.path == "/session":
                body = session_of(self.command, headers)
            elif self.path == "/drafts":
                body = session_of(self.command, headers, "editor")
            else:
                body = access_of(headers, "notes:read")
            status = 200
        except Refused as refused:
            status, body = refused.status, {"error": str(refused)}
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
