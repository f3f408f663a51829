"""The data that the client sends and receives, with the API's names (docs/reference/http.md)."""

from __future__ import annotations

import datetime
from typing import Any, Dict, List, Mapping, Optional, Sequence, TypedDict, Union

Time = Union[str, datetime.datetime]


class Message(TypedDict, total=False):
    role: str
    content: Any


class ToolResult(TypedDict, total=False):
    """A tool call with its result: a source for figures in the answer."""

    id: Optional[str]
    name: Optional[str]
    arguments: Any
    result: Any


class ContextBlock(TypedDict, total=False):
    """A block of context that the model received: also a source."""

    id: Optional[str]
    content: Any


class File(TypedDict):
    path: str
    content: str


class Tokens(TypedDict, total=False):
    input: Optional[int]
    output: Optional[int]


class Turn(TypedDict, total=False):
    """One answer of a model with its sources. It has an ``output`` or an ``envelope``."""

    #: A repeated id does not create a second turn. The client makes one if it is missing.
    id: Optional[str]
    session_id: Optional[str]
    trace_id: Optional[str]
    source: Optional[str]
    #: ``openai/gpt-4o``
    model: Optional[str]
    executor_model: Optional[str]
    mission_id: Optional[str]
    task_id: Optional[str]
    started_at: Optional[Time]
    ended_at: Optional[Time]
    input: Union[str, Sequence[Message], None]
    tools: Optional[Sequence[ToolResult]]
    context: Optional[Sequence[ContextBlock]]
    output: Optional[str]
    #: ``{answer, facts: [{value, source_id, path}]}``, as an object or its JSON text.
    envelope: Any
    relayed_from: Any
    files: Optional[Sequence[File]]
    #: The expected answer, for verifiers that compare with one.
    reference: Any
    cost_usd: Optional[float]
    tokens: Optional[Tokens]
    tags: Optional[Sequence[str]]
    metadata: Optional[Mapping[str, Any]]
    reprompt_used: Optional[bool]


class OutcomeReport(TypedDict, total=False):
    """Ground truth about one of ``turn_id``, ``verification_id`` and ``subject_id``."""

    id: Optional[str]
    subject_id: Optional[str]
    verification_id: Optional[str]
    turn_id: Optional[str]
    success: Optional[bool]
    #: 0 to 1.
    score: Optional[float]
    source: Optional[str]
    note: Optional[str]


class _Call(TypedDict, total=False):
    #: Repeated calls with the same id are one verification.
    id: Optional[str]
    #: ``task@3``: verifies only if that version is current.
    verifier: Optional[str]
    threshold: Optional[float]
    retries_used: int


class IntegrityWork(Turn, total=False):
    verifier: Optional[str]
    threshold: Optional[float]
    retries_used: int


class _Work(_Call, total=False):
    """Members that all kinds accept."""

    session_id: Optional[str]
    trace_id: Optional[str]
    mission_id: Optional[str]
    task_id: Optional[str]
    ended_at: Optional[Time]
    executor_model: Optional[str]
    verifier_model: Optional[str]
    cost_usd: Optional[float]
    has_dependents: bool
    metadata: Optional[Mapping[str, Any]]


class TaskWork(_Work, total=False):
    task_description: str
    success_criteria: Sequence[Union[str, Mapping[str, Any]]]
    task_output: str
    #: ``rubric``, ``binary`` or ``criteria_match``
    scoring_mode: str
    shared_context: Any


class CodeWork(_Work, total=False):
    request: str
    files: Sequence[File]
    model: Optional[str]
    contract: Optional[Mapping[str, Any]]
    repair: Any
    tool_results: Sequence[Any]
    run_tests: Optional[Mapping[str, Any]]
    force: bool
    partial: bool


class ConsistencyWork(_Work, total=False):
    outputs: Sequence[Mapping[str, Any]]
    shared_context: Any


class MissionWork(_Work, total=False):
    description: str
    tasks: Sequence[Mapping[str, Any]]


class DecompositionWork(_Work, total=False):
    query: str
    complexity: Optional[str]
    decomposition: Mapping[str, Any]
    agents: Sequence[Mapping[str, Any]]
    environment: Optional[str]
    context: Sequence[Any]
    scores: Optional[Mapping[str, Any]]


class AgentOutputWork(_Work, total=False):
    subgoal: Mapping[str, Any]
    output: Any
    agents_available: Sequence[str]


class SynthesisWork(_Work, total=False):
    query: str
    answer: str
    agent_outputs: Sequence[Mapping[str, Any]]
    claims: Sequence[Mapping[str, Any]]


class TurnAuditWork(_Work, total=False):
    messages: Sequence[Message]
    completion: str


class SubjectWork(TypedDict, total=False):
    """For a verifier that the project defined."""

    id: Optional[str]
    threshold: Optional[float]
    subject: Mapping[str, Any]
    task_id: Optional[str]


class Issue(TypedDict):
    code: str
    message: str
    severity: str
    path: Optional[str]


class _VerificationMembers(TypedDict):
    id: str
    kind: str
    #: ``integrity@3``
    verifier: str
    #: ``settled``, ``pending`` or ``quarantined``
    state: str
    #: ``passed``, ``failed``, ``needs_review``, ``steered``, ``inconclusive``, ``skipped``; None
    #: until it is settled.
    outcome: Optional[str]
    verdict: Optional[str]
    action: str
    score: Optional[float]
    confidence: Optional[float]
    needs_human_review: bool
    scores: List[Dict[str, Any]]
    issues: List[Issue]
    feedback: Optional[str]
    subject_id: str
    turn_id: Optional[str]
    session_id: Optional[str]
    model: Optional[str]
    created_at: str
    settled_at: Optional[str]
    url: str


class Verification(_VerificationMembers, total=False):
    """As the server returns it; the kind's own member has the name of the kind."""

    threshold: Optional[Dict[str, Any]]
    retries: Dict[str, Any]
    judge: Dict[str, Any]
    cost: Dict[str, Any]
    decision: Dict[str, Any]
    overrides: List[Dict[str, Any]]
    effective_verdict: Optional[str]
    effective_action: Optional[str]
    trace_id: Optional[str]
    experiment_id: Optional[str]
    integrity: Optional[Dict[str, Any]]
    task: Optional[Dict[str, Any]]
    code: Optional[Dict[str, Any]]
    consistency: Optional[Dict[str, Any]]
    mission: Optional[Dict[str, Any]]
    decomposition: Optional[Dict[str, Any]]
    agent_output: Optional[Dict[str, Any]]
    synthesis: Optional[Dict[str, Any]]
    turn: Optional[Dict[str, Any]]


class Override(TypedDict, total=False):
    id: Optional[str]
    #: A verdict of the kind, or ``pass`` or ``fail``.
    verdict: Optional[str]
    reason: Optional[str]
    #: 1 to 5.
    grade: Optional[int]
    action: Optional[str]
    rater: Optional[str]
    probability: Optional[float]
    blind: Optional[bool]
    created_at: Optional[Time]


class Label(TypedDict, total=False):
    """Of a turn, another subject or a verification."""

    id: Optional[str]
    turn_id: Optional[str]
    subject_id: Optional[str]
    verification_id: Optional[str]
    verifier: Optional[str]
    verdict: Optional[str]
    score: Optional[float]
    grade: Optional[int]
    reason: Optional[str]
    rater: Optional[str]
    probability: Optional[float]
    blind: Optional[bool]
    created_at: Optional[Time]


class NewItem(TypedDict, total=False):
    """An item of a dataset to store; without an id, it gets one."""

    id: str
    input: Any
    context: Any
    tools: Any
    #: The expected output, as any JSON; hidden from the target of an evaluation.
    reference: Any
    metadata: Mapping[str, Any]
    split: str
    tags: Sequence[str]


class Gate(TypedDict, total=False):
    """As ``POST /v1/experiments/{id}/gate`` accepts it."""

    #: By verifier: ``{"at_least": 0.9, "by": "low"}``
    min_pass_rate: Mapping[str, Mapping[str, Any]]
    #: The id of an experiment, or ``branch:`` and a name.
    no_regression_against: str
    max_cost_usd: float


class GateReason(TypedDict):
    code: str
    #: ``error`` or ``warning``; a warning does not fail the gate.
    severity: str
    message: str
    verifier: Optional[str]
    items_needed: Optional[int]


class GateResult(TypedDict):
    passed: bool
    #: The id of the experiment that was compared with.
    baseline: Optional[str]
    reasons: List[GateReason]


class ExperimentResult(TypedDict):
    """As ``GET /v1/experiments/{id}`` returns it."""

    id: str
    name: str
    #: ``refunds@3``
    dataset: str
    #: ``open``, ``running``, ``done``, ``over_budget``, ``cancelled`` or ``failed``
    state: str
    reason: Optional[str]
    branch: Optional[str]
    commit: Optional[str]
    baseline: Optional[str]
    counts: Dict[str, int]
    #: Per verifier: ``verifier``, ``pass_rate``, ``corrected_pass_rate``, ``mean_score`` …
    results: List[Dict[str, Any]]
    cost_usd: Dict[str, Any]
    latency_ms: Dict[str, Any]
    progress: Dict[str, int]
    url: str
