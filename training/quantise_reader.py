#!/usr/bin/env python3
"""quantise_reader.py TRAINED OUT HEAD: rounds what train_reader.py wrote to the form that is shipped, for one of its heads.

HEAD is `relation` (models/relation) or `sentence` (models/reader); what belongs to the other one is left out.

Matrices of the layers become 8-bit integers with one scale per output row; norms and heads stay numbers. OUT gets
relation.int8.safetensors and relation.json (the labels), or reader.int8.safetensors and reader.json. Needs numpy and safetensors.
"""
import json, pathlib, sys

import numpy as np
from safetensors.numpy import load_file, save_file


HEADS = {"relation": ("relation", ["relation."]), "sentence": ("reader", ["sentence.", "needs."])}


def main():
    trained, out = map(pathlib.Path, sys.argv[1:3])
    name_of_file, parts = HEADS[sys.argv[3]]
    tensors = {}
    for name, value in load_file(trained / "reader.layers.fp16.safetensors").items():
        value = value.astype(np.float32)
        if value.ndim == 2:
            scale = np.abs(value).max(axis=1) / 127
            scale[scale == 0] = 1
            tensors[name] = np.rint(value / scale[:, None]).astype(np.int8)
            tensors[name.removesuffix("weight") + "scale"] = scale.astype(np.float32)
        else:
            tensors[name] = value
    for name, value in load_file(trained / "reader.heads.safetensors").items():
        if name.startswith(tuple(parts)):
            tensors[name] = value.astype(np.float16)
    out.mkdir(parents=True, exist_ok=True)
    save_file(tensors, out / f"{name_of_file}.int8.safetensors")
    labels = json.load(open(trained / "reader.json"))
    json.dump({sys.argv[3]: labels[sys.argv[3]]}, open(out / f"{name_of_file}.json", "w"), indent=1)


if __name__ == "__main__":
    main()
