"""A tiny sentence-transformers model, made on the spot: random weights, which tell equal words from others."""

import subprocess
import sys
from pathlib import Path

_MAKE = """
import string, sys, warnings
warnings.filterwarnings("ignore")
from pathlib import Path
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.models import Pooling, Transformer
from transformers import BertConfig, BertModel, BertTokenizerFast

folder, dimension, pooling = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
torch.manual_seed(dimension)
folder.mkdir(parents=True)
raw = folder / "raw"
raw.mkdir()
letters = list(string.ascii_lowercase + string.digits + string.punctuation)
vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *("##" + letter for letter in letters)]
(raw / "vocab.txt").write_text("\\n".join(vocabulary))
tokenizer = BertTokenizerFast(vocab=str(raw / "vocab.txt"))
tokenizer.save_pretrained(raw)
config = BertConfig(
    vocab_size=len(tokenizer), hidden_size=dimension, num_hidden_layers=2, num_attention_heads=2,
    intermediate_size=2 * dimension, max_position_embeddings=64,
)
BertModel(config).eval().save_pretrained(raw)
SentenceTransformer(modules=[Transformer(str(raw), max_seq_length=64), Pooling(dimension, pooling)]).save(str(folder))
import shutil
shutil.rmtree(raw)
"""


def make_tiny_embedder(folder: Path, *, dimension: int = 32, pooling: str = "mean") -> Path:
    """Write the model into a folder; takes as long as torch takes to load."""
    made = subprocess.run(
        [sys.executable, "-c", _MAKE, str(folder), str(dimension), pooling], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr[-2000:]
    return folder
