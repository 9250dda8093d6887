"""The encoder as PyTorch knows it: its folder, its tokenizer, and texts to vectors. Shared by the scripts that train it."""
import glob, json, os

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from tokenizers import BertWordPieceTokenizer
from transformers import BertConfig, BertModel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def vocabulary(folder):
    words = open(f"{folder}/vocab.txt", encoding="utf-8").read().split("\n")
    return words[:-1] if words[-1] == "" else words


def tokenizer(words):
    return BertWordPieceTokenizer(vocab={word: at for at, word in enumerate(words)}, lowercase=True)


def load(folder, size=None, dropout=0.1, attention_dropout=0.1):
    """The trunk of a folder, with room for `size` words."""
    stored = {name: value for path in sorted(glob.glob(f"{folder}/*.safetensors")) if "languages" not in path for name, value in load_file(path).items()}
    scales = {name: stored.pop(name) for name in list(stored) if name.endswith(".scale")}
    rounded = lambda name: name.removesuffix("weight") + "scale"
    weights = {name: value.float() * scales[rounded(name)][:, None] if value.dtype == torch.int8 else value.float() for name, value in stored.items()}
    table = weights.pop("embeddings.word_embeddings.weight")
    positions = len(weights["embeddings.position_embeddings.weight"])
    config = BertConfig(vocab_size=size or len(table), hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536,
                        max_position_embeddings=positions, hidden_dropout_prob=dropout, attention_probs_dropout_prob=attention_dropout)
    model = BertModel(config, add_pooling_layer=False)
    missing = [name for name in model.load_state_dict(weights, strict=False).missing_keys if "word_embeddings" not in name and "position_ids" not in name]
    assert not missing, missing
    with torch.no_grad():
        model.embeddings.word_embeddings.weight[:len(table)] = table
    return model.to(DEVICE)


def save(model, words, folder):
    os.makedirs(folder, exist_ok=True)
    save_file({name: value.half().contiguous().cpu() for name, value in model.state_dict().items() if "position_ids" not in name},
              f"{folder}/model.fp16.safetensors")
    open(f"{folder}/vocab.txt", "w", encoding="utf-8").write("\n".join(words) + "\n")


class Rows:
    """Token numbers of many texts, on the device, so that a batch costs one gather."""

    def __init__(self, words_to_ids, texts, most):
        words_to_ids.no_padding()
        words_to_ids.enable_truncation(most)
        rows = [one.ids for one in words_to_ids.encode_batch(list(texts))]
        self.lengths = torch.tensor([len(row) for row in rows], device=DEVICE)
        self.starts = self.lengths.cumsum(0) - self.lengths
        self.flat = torch.tensor([one for row in rows for one in row] + [0], device=DEVICE)
        self.host_lengths = [len(row) for row in rows]

    def __len__(self):
        return len(self.host_lengths)

    def batch(self, places):
        """Padded token numbers and their mask."""
        width = max(self.host_lengths[place] for place in places)
        places = torch.tensor(places, device=DEVICE)
        columns = torch.arange(width, device=DEVICE)[None, :]
        mask = columns < self.lengths[places][:, None]
        at = (self.starts[places][:, None] + columns).clamp(max=len(self.flat) - 1)
        return torch.where(mask, self.flat[at], 0), mask


def mean(model, padded, mask):
    """The mean of the last layer over each row of token numbers."""
    with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
        out = model(input_ids=padded, attention_mask=mask.long()).last_hidden_state
    weight = mask.unsqueeze(-1).float()
    return (out.float() * weight).sum(1) / weight.sum(1)


def unit(model, rows, places):
    return F.normalize(mean(model, *rows.batch(places)), dim=-1)


def vectors(model, rows, size=512):
    """Unit vectors of all rows, without a gradient."""
    order = sorted(range(len(rows)), key=lambda at: rows.host_lengths[at])
    out = torch.empty(len(rows), 384, device=DEVICE)
    with torch.no_grad():
        for start in range(0, len(rows), size):
            part = order[start:start + size]
            out[part] = unit(model, rows, part)
    return out


def memory_text(memory):
    return f"{memory['name']}. {memory['description']} {memory['body']}"


def memory_head(memory):
    return f"{memory['name']}. {memory['description']}"


def read_stores(paths):
    """Stores of training/stores: memories, prompts with the memories they need, and prompts that need none."""
    stores = []
    for path in sorted(paths):
        store = {"name": os.path.basename(path)[:-6], "m": {}, "q": [], "nothing": [], "universal": set(), "old": []}
        for line in open(path, encoding="utf-8"):
            row = json.loads(line) if line.strip() else {}
            if "m" in row:
                store["m"][row["m"]] = row
                if row.get("u"):
                    store["universal"].add(row["m"])
                store["q"] += [(one[1], [row["m"], *(one[2] if len(one) > 2 else [])], one[0]) for one in row.get("q", [])]
            elif "nothing" in row:
                store["nothing"] += [one for one in row["nothing"] if isinstance(one, str)]
            elif "multi" in row:
                store["q"].append((row["multi"][0], list(row["multi"][1]), "multi"))
            elif "old" in row:
                store["old"].append((row["old"], row["new"]))
        known = lambda names: [name.removesuffix(".md") for name in names if name.removesuffix(".md") in store["m"]]
        store["q"] = [(text, known(names), kind) for text, names, kind in store["q"] if known(names)]
        if len(store["m"]) > 10:
            stores.append(store)
    return stores
