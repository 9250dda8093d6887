#!/usr/bin/env python3
"""quantise_encoder.py TRAINED OUT: rounds what train_recall.py wrote to the form that is shipped.

The table of words and the matrices of the layers become 8-bit integers with one scale per row; positions and norms stay numbers. OUT
gets words.int8.safetensors, layers.int8.safetensors, vocab.txt and head.json. Needs numpy and safetensors.
"""
import pathlib, shutil, sys

import numpy as np
from safetensors.numpy import load_file, save_file


def main():
    trained, out = map(pathlib.Path, sys.argv[1:3])
    words, layers = {}, {}
    for name, value in load_file(trained / "model.fp16.safetensors").items():
        value = value.astype(np.float32)
        into = words if "word_embeddings" in name else layers
        if value.ndim == 2 and "position" not in name and "token_type" not in name:
            scale = np.abs(value).max(axis=1) / 127
            scale[scale == 0] = 1
            into[name] = np.rint(value / scale[:, None]).astype(np.int8)
            into[name.removesuffix("weight") + "scale"] = scale.astype(np.float32)
        elif "position" in name:
            layers[name] = value[:256].astype(np.float16)
        else:
            layers[name] = value.astype(np.float32)
    out.mkdir(parents=True, exist_ok=True)
    save_file(words, out / "words.int8.safetensors")
    save_file(layers, out / "layers.int8.safetensors")
    for name in ("vocab.txt", "head.json"):
        shutil.copyfile(trained / name, out / name)


if __name__ == "__main__":
    main()
