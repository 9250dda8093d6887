#!/usr/bin/env python3
"""quantise_reader.py TRAINED OUT: rounds what train_reader.py wrote to the form that is shipped.

Matrices of the layers become 8-bit integers with one scale per output row; norms and heads stay numbers. OUT gets
reader.int8.safetensors and reader.json (the labels). Needs numpy and safetensors.
"""
import json, pathlib, sys

import numpy as np
from safetensors.numpy import load_file, save_file


def main():
    trained, out = map(pathlib.Path, sys.argv[1:3])
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
        if not name.startswith("message."):
            tensors[name] = value.astype(np.float16)
    out.mkdir(parents=True, exist_ok=True)
    save_file(tensors, out / "reader.int8.safetensors")
    labels = json.load(open(trained / "reader.json"))
    json.dump({key: labels[key] for key in ("relation", "sentence")}, open(out / "reader.json", "w"), indent=1)


if __name__ == "__main__":
    main()
