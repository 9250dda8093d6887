#!/usr/bin/env python3
"""folds.py BASE PARALLEL OUT [--folds 5]: vectors that the encoder has not seen the prompts of.

The ranker's weights are fitted on training/stores, but the shipped encoder was trained on them too: its cosines there are better than
a stranger's store would give. So the stores are split into folds, an encoder is trained without each, and the left-out stores are
encoded by it. OUT/foldN.bin: one JSON line {"store", "memories": [names], "prompts": [texts]} a store, each followed by its vectors
(whole and header of each memory, then the prompts): 384 signed bytes and one float32 scale each.
Everything runs at once on one GPU. Pass --collect to write the results of finished runs only."""
import argparse, glob, json, os, shutil, subprocess, sys
ap = argparse.ArgumentParser(); ap.add_argument("base"); ap.add_argument("parallel"); ap.add_argument("out"); ap.add_argument("--work", default="/tmp/folds")
ap.add_argument("--folds", type=int, default=5); ap.add_argument("--collect", action="store_true"); ap.add_argument("--eval", default="./evals")
a = ap.parse_args(); here = os.path.dirname(os.path.abspath(__file__)); stores = sorted(glob.glob(here + "/stores/*.jsonl")); os.makedirs(a.out, exist_ok=True)
recipe = "--lr 6e-5 --epochs 6 --neg_w 2 --nce 0.7 --keep 0.8 --utt 1.0 --focal 1.0 --nothing 6 --s1 1600".split()
def held(k): return stores[k :: a.folds]
def start(name, files, seed):
    data = f"{a.work}/{name}/data"; shutil.rmtree(f"{a.work}/{name}", ignore_errors=True); os.makedirs(data)
    for f in files + [here + "/utterances.jsonl"]: os.symlink(f, data + "/" + os.path.basename(f))
    log = open(f"{a.work}/{name}/log", "w")
    return subprocess.Popen([sys.executable, here + "/train_encoder.py", a.base, data, a.parallel, f"{a.work}/{name}/model", "--eval", a.eval, "--seed", str(seed), *recipe], stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
if not a.collect:
    runs = [start(f"fold{k}", [f for f in stores if f not in held(k)], 1) for k in range(a.folds)]
    for r in runs: r.wait()

import numpy as np, torch, torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import BertWordPieceTokenizer
from transformers import BertConfig, BertModel
cfg = BertConfig(**{k: v for k, v in json.load(open(a.base + "/config.json")).items() if k not in ("architectures", "model_type", "transformers_version", "_name_or_path")})
def encoder(state, vocab):
    m = BertModel(cfg, add_pooling_layer=False); m.load_state_dict({k: v.float() for k, v in state.items()}, strict=False); m = m.cuda().eval()
    tok = BertWordPieceTokenizer(vocab={v: i for i, v in enumerate(open(vocab, encoding="utf-8").read().split("\n")) if v}, lowercase=True)
    def enc(texts, maxlen):
        tok.enable_truncation(maxlen); tok.enable_padding(); out = []
        for i in range(0, len(texts), 128):
            e = tok.encode_batch(texts[i : i + 128]); ids, mask = torch.tensor([x.ids for x in e]).cuda(), torch.tensor([x.attention_mask for x in e]).cuda()
            with torch.no_grad(): h = m(input_ids=ids, attention_mask=mask).last_hidden_state
            k = mask.unsqueeze(-1).float(); out.append(F.normalize((h * k).sum(1) / k.sum(1), dim=-1).cpu().numpy())
        return np.concatenate(out)
    return enc
for k in range(a.folds):
    home = f"{a.work}/fold{k}/model"
    if not os.path.exists(home + "/head.json"): print("fold", k, "is not finished"); continue
    enc = encoder(load_file(home + "/model.fp16.safetensors"), home + "/vocab.txt")
    with open(f"{a.out}/fold{k}.bin", "wb") as f:
        for path in held(k):
            lines = [json.loads(l) for l in open(path) if l.strip()]; ms = [d for d in lines if "m" in d]
            prompts = [q[1] for d in ms for q in d.get("q", [])] + [x for d in lines if "nothing" in d for x in d["nothing"] if isinstance(x, str)] + [d["multi"][0] for d in lines if "multi" in d]
            V = np.concatenate([enc([f"{d['name']}. {d['description']} {d['body']}" for d in ms], 128), enc([f"{d['name']}. {d['description']}" for d in ms], 128), enc(prompts, 64)])
            s = np.abs(V).max(1, keepdims=True) / 127; q = np.round(V / s).astype(np.int8)
            f.write((json.dumps({"store": os.path.basename(path)[:-6], "memories": [d["m"] for d in ms], "prompts": prompts}) + "\n").encode())
            f.write(q.tobytes() + s.astype("<f4").tobytes())
