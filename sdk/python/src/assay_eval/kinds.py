"""The built-in kinds of verify calls."""

from __future__ import annotations

from typing import Literal

IntegrityKind = Literal["integrity"]
TaskKind = Literal["task"]
CodeKind = Literal["code"]
ConsistencyKind = Literal["consistency"]
MissionKind = Literal["mission"]
DecompositionKind = Literal["decomposition"]
AgentOutputKind = Literal["agent-output"]
SynthesisKind = Literal["synthesis"]
TurnKind = Literal["turn"]
