#!/usr/bin/env python3
"""Makes a memory directory for measurements, the same one every time.

usage: gen_corpus.py OUT_DIR N [--seed 1] [--nested]

Writes OUT_DIR/<type>_<slug>_<i>.md: N memories with name, description and type, bodies of 300 to
3,000 bytes, times of change spread over the 730 days before 2026-11-01; and OUT_DIR/MEMORY.md with
the first 195 of them. Words are drawn by rank, as in real prose: a few are everywhere, most are
rare. Beside the directory, OUT_DIR.queries.jsonl holds 200 queries {q, gold} whose words come from
the file they should find.
"""

import argparse
import itertools
import json
import os
import random

COMMON = """the a to of and in for is on that we it with as are be this by from at or not was when use used using
should must never always before after because only into over under than then but also each every all any one two
run runs running build builds built test tests testing code file files change changes changed add adds added remove
removed user team asked wants prefers said told decided agreed note reason why how apply applies where which what who
new old current previous next last first week month quarter day sprint release version branch merge review""".split()
TECH = """database migration schema index query transaction deadlock replica shard cache redis memcached postgres mysql
sqlite kafka rabbitmq queue worker consumer producer topic partition offset broker stream batch pipeline etl warehouse
snowflake bigquery parquet arrow spark airflow dagster dbt lineage api endpoint rest graphql grpc protobuf openapi
gateway proxy nginx envoy istio kubernetes helm pod deployment daemonset ingress namespace cluster node autoscaler
terraform ansible pulumi module provider state drift docker container image registry layer buildkit compose swarm
auth oauth oidc saml session token cookie csrf cors jwt secret vault rotation permission role policy audit compliance
gdpr hipaa soc2 encryption tls certificate mtls kms frontend react vue svelte angular component hook reducer store
router hydration bundle webpack vite esbuild rollup tree-shaking typescript javascript eslint prettier storybook
accessibility layout css tailwind grid flexbox animation modal tooltip form validation backend python django flask
fastapi celery asyncio pydantic mypy pytest fixture mock stub golang goroutine channel mutex context rust cargo tokio
lifetime borrow trait macro unsafe java spring hibernate gradle maven kotlin swift xcode android gradlew ios metro
expo flaky coverage snapshot regression benchmark latency throughput p99 profiling flamegraph allocator heap leak gc
observability grafana prometheus loki tempo jaeger tracing span metric alert pagerduty oncall runbook incident
postmortem rollback canary blue-green feature-flag launchdarkly experiment rollout freeze deadline roadmap milestone
stakeholder legal security finance billing invoice stripe subscription refund ledger tax payment checkout cart
inventory catalog search elasticsearch opensearch tantivy lucene ranking embedding vector retrieval rerank prompt
agent memory transcript summary hook tool permission sandbox linter formatter commit rebase cherry-pick squash
changelog semver monorepo workspace submodule lockfile dependency vulnerability dependabot renovate license sbom
linear jira confluence notion slack figma zendesk salesforce hubspot segment amplitude mixpanel datadog sentry
logging structured correlation retry backoff timeout circuit-breaker idempotency dedupe webhook cron scheduler
timezone locale i18n unicode utf8 encoding regex parser tokenizer compiler linker debugger gdb lldb strace perf
""".split()
SYLLABLES = """ba be bi bo bu ca ce ci co cu da de di do du fa fe fi fo ga ge go ha he ho ja jo ka ke ki ko la le li lo lu
ma me mi mo mu na ne ni no nu pa pe pi po qua ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo wa we wi xa ya
yo za ze zo""".split()
ENDINGS = ["", "n", "r", "s", "x", "th", "nd", "rk", "st", "l", "m"]
TYPES = ["user", "feedback", "project", "reference"]
TYPE_WEIGHTS = [10, 35, 40, 15]
NEWEST = 1793491200  # 2026-11-01T00:00:00Z
DAYS = 730
INDEXED = 195
QUERIES = 200


def rare_words(rng, count):
    """Names of people, services, files and tickets that no dictionary has."""
    seen, words = set(COMMON) | set(TECH), []
    while len(words) < count:
        word = "".join(rng.choice(SYLLABLES) for _ in range(rng.choice((2, 2, 3, 3, 4)))) + rng.choice(ENDINGS)
        kind = rng.random()
        if kind < 0.12:
            word = word + "_" + rng.choice(TECH).replace("-", "_")
        elif kind < 0.18:
            word = rng.choice(TECH).replace("-", "_") + "_" + word + ".rs"
        elif kind < 0.22:
            word = word[:3].upper() + "-" + str(rng.randrange(100, 9999))
        elif kind < 0.30:
            word = word.capitalize()
        if word not in seen:
            seen.add(word)
            words.append(word)
    return words


class Writer:
    """Draws words by rank and puts them together to memories."""

    def __init__(self, seed, count):
        self.rng = random.Random(seed * 1000003 + count)
        self.rare = rare_words(random.Random(seed), 20000)  # the same vocabulary at every size
        self.words = COMMON + TECH + self.rare
        weights = [3.0 / (i + 8) ** 0.75 for i in range(len(COMMON))]
        weights += [0.22 / (1 + i * 0.002) for i in range(len(TECH))]
        weights += [0.9 / (i + 40) for i in range(len(self.rare))]
        self.heap = list(itertools.accumulate(weights))

    def pick(self, count):
        return self.rng.choices(self.words, cum_weights=self.heap, k=count)

    def body(self, name, kind, topic, names):
        rng, lines, first = self.rng, [f"# {name}"], True
        target, size = int(300 + 2700 * rng.betavariate(1.3, 2.6)), len(lines[0])
        while size < target:
            words = self.pick(rng.randrange(8, 22))
            if rng.random() < 0.35:
                words.insert(rng.randrange(len(words)), rng.choice(topic))
            if rng.random() < 0.30:
                words.insert(rng.randrange(len(words)), rng.choice(names))
            line = " ".join(words)
            line = line[0].upper() + line[1:] + "."
            shape = rng.random()
            if first and kind in ("feedback", "project"):
                line += "\n\n**Why:** " + " ".join(self.pick(12)) + ".\n**How to apply:** " + " ".join(self.pick(10)) + "."
            elif shape < 0.12:
                line = "- " + line
            elif shape < 0.16:
                line = "\n## " + " ".join(words[:3]) + "\n" + line
            elif shape < 0.18:
                line = "```\n" + " ".join(words[:6]) + "\n```"
            first = False
            lines.append(line)
            size += len(line) + 1
        return "\n".join(lines)


def generate(out, count, seed=1, nested=False):
    """Writes the directory; returns known-item queries."""
    writer = Writer(seed, count)
    rng, index, queries = writer.rng, [], []
    step = max(1, count // QUERIES)
    os.makedirs(out, exist_ok=True)
    for i in range(count):
        kind = rng.choices(TYPES, TYPE_WEIGHTS)[0]
        names = [rng.choice(writer.rare) for _ in range(3)]
        topic = rng.choices(TECH, k=3)
        slug = "_".join(word.replace("-", "_").replace(".", "_").lower() for word in topic[:2])
        file = f"{kind}_{slug}_{i:06d}.md"
        name = " ".join(topic[:2] + [names[0]])
        about = [topic[0], topic[1], "for", names[0], *writer.pick(rng.randrange(5, 14)), topic[2]]
        description = " ".join(about)[:150]
        body = writer.body(name, kind, topic, names)
        folder = out
        if nested and i % 10 == 0:
            folder = os.path.join(out, "logs", str(2025 + i % 2), f"{i % 12 + 1:02d}")
            os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, file)
        with open(path, "w", encoding="utf-8") as memory:
            memory.write(f"---\nname: {name}\ndescription: {description}\ntype: {kind}\n---\n\n{body}\n")
        changed = NEWEST - rng.randrange(DAYS * 86400)
        os.utime(path, (changed, changed))
        if i < INDEXED:
            index.append(f"- [{name}]({file}) — {description[:90]}\n")
        if i % step == 0 and len(queries) < QUERIES:
            query = f"{names[0]} {topic[0]} {topic[1]} {names[1]}"
            queries.append({"q": query, "gold": os.path.relpath(path, out)})
    with open(os.path.join(out, "MEMORY.md"), "w", encoding="utf-8") as memory:
        memory.write("".join(index))
    return queries


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("n", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nested", action="store_true", help="every tenth memory into dated folders")
    args = parser.parse_args()
    queries = generate(args.out, args.n, args.seed, args.nested)
    with open(args.out.rstrip("/") + ".queries.jsonl", "w", encoding="utf-8") as out:
        out.writelines(json.dumps(query) + "\n" for query in queries)


if __name__ == "__main__":
    main()
