"""A stand-in for an embedding model: OpenAI's API on loopback, vectors drawn from the text's hash.

Prints {"port"} and serves until its standard input ends. The vectors mean nothing.
"""

import base64
import hashlib
import json
import random
import struct
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SIZE, POOL = 1536, 512  # the size of text-embedding-3-small

draw = random.Random(1)
VECTORS = [[draw.gauss(0, 1 / SIZE**0.5) for _ in range(SIZE)] for _ in range(POOL)]
PACKED = [base64.b64encode(struct.pack(f"<{SIZE}f", *vector)).decode() for vector in VECTORS]


class Embeddings(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        texts = asked["input"] if isinstance(asked["input"], list) else [asked["input"]]
        vectors = PACKED if asked.get("encoding_format") == "base64" else VECTORS
        picked = [int.from_bytes(hashlib.blake2b(str(text).encode(), digest_size=4).digest()) % POOL for text in texts]
        data = [{"object": "embedding", "index": index, "embedding": vectors[pick]} for index, pick in enumerate(picked)]
        body = json.dumps({"object": "list", "data": data, "model": asked["model"], "usage": {"prompt_tokens": 0, "total_tokens": 0}}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Embeddings)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(json.dumps({"port": server.server_address[1]}), flush=True)
sys.stdin.read()
