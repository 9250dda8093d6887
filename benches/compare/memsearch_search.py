"""Asks memsearch through its library: a line {"query"}, {"file"} or {"count"} in, a line {"found"} out.

usage: memsearch_search.py EMBEDDINGS_URL STORE
"""

import asyncio
import json
import sys

from memsearch import MemSearch


async def main(address, store):
    memories = MemSearch(embedding_provider="openai", embedding_base_url=address, milvus_uri=store)
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        if "count" in asked:
            found = len(memories._store.indexed_sources())
        elif "file" in asked:
            found = await memories.index_file(asked["file"])
        else:
            hits = await memories.search(asked["query"], top_k=5)
            found = "\n".join(f"{hit['source']}\n{hit['content']}" for hit in hits)
        print(json.dumps({"found": found}), flush=True)


asyncio.run(main(*sys.argv[1:]))
