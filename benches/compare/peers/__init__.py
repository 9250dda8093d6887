"""The systems that are measured, memdir first: every ratio is to it."""

from .basic_memory import BasicMemory
from .claude_mem import ClaudeMem
from .memdir import Memdir, MemdirExact
from .memory_service import MemoryService
from .memsearch import Memsearch
from .node_scan import NodeScan
from .qwen import Qwen
from .server_memory import ServerMemory

ALL = [Memdir, MemdirExact, NodeScan, Qwen, ClaudeMem, BasicMemory, Memsearch, MemoryService, ServerMemory]
