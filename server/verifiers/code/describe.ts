import { type GateResult, maxPoints } from '../../code';
import type { RunSetting } from '../kind';
import type { CodeConfig } from './config';
import type { CodeDetail } from './detail';
import type { Instruction } from './nudge';
import { reportOf } from './report';
import { type CodeSubject, modelOf } from './subject';
import type { RepairPlan, Native } from './verdict';
import type { Weighed } from './weighed';

export interface Decided {
  readonly weighed: Weighed;
  readonly verdict: Native | null;
  readonly repairPlan: RepairPlan;
  readonly skipped: string | null;
  readonly instructions: readonly Instruction[];
}

const STUBS_MAX = 200;

const cents = (points: number): number => Math.round(points * 100) / 100;

/** The member `code` of the verdict, in its API form (api.md, `POST /v1/verify/code`). */
export function detailOf(
  decided: Decided,
  subject: CodeSubject,
  setting: RunSetting<CodeConfig>,
): CodeDetail {
  const { weighed, repairPlan, skipped } = decided;
  const { contract, read, gates, total } = weighed;
  const { framework, structure } = read.measured;
  const { confidence, deliverables, framework: requested, patterns, expectedElements } = contract;
  return {
    active: contract.active,
    skipped,
    model: modelOf(subject),
    tier: weighed.tier,
    tier_assumed: weighed.tierAssumed,
    pass_threshold: weighed.passThreshold,
    contract: {
      confidence,
      deliverables: [...deliverables],
      framework: requested,
      patterns: [...patterns],
      expected_elements: { ...expectedElements },
    },
    points: skipped === null ? pointsOf(weighed) : { ...nothing, total: 0, max: maxOf(false) },
    structural_multiplier: structure.multiplier,
    stubs: structure.stubs.slice(0, STUBS_MAX).map(({ path, element }) => ({
      path,
      line: element.line,
      name: element.name.toWellFormed(),
      why: element.stub ?? '',
    })),
    syntax_errors: read.files.flatMap(({ path, errorLine }) =>
      errorLine === null ? [] : [{ path, line: errorLine }],
    ),
    framework: {
      expected: framework.expected,
      found: framework.found,
      all_found: [...framework.all],
      violation: framework.violation,
      path: framework.path,
    },
    patterns: read.measured.patterns.matches.map(({ pattern, how, distance, path, line }) => ({
      pattern: pattern.pattern,
      kind: pattern.kind,
      expected_path: pattern.path,
      matched: how !== 'missing',
      how,
      distance,
      path,
      line,
    })),
    files: filesOf(weighed),
    gates: gates.map(gateOf),
    proof_notes: skipped === null ? [...weighed.notes] : [],
    neutral_proof: total.rescaled ? 'rescale' : setting.project.neutralProof,
    truncated: weighed.truncated,
    nudge: repairPlan.nudge,
    no_nudge: repairPlan.noNudge,
    repair: repairOf(repairPlan),
    trajectory: skipped === null ? [...repairPlan.trajectory] : [],
    boost_suggestion: repairPlan.boostSuggestion,
    semantic: semanticOf(weighed),
    report: reportOf(decided, subject),
  };
}

function repairOf({ repairState, exhaustedNote, failedRepairs }: RepairPlan): CodeDetail['repair'] {
  return {
    iteration: repairState.iteration,
    budget: repairState.budget,
    bonus_granted: repairState.bonusGranted,
    exhausted_note: exhaustedNote,
    consecutive_failures: failedRepairs,
  };
}

function semanticOf({ semantic }: Weighed): CodeDetail['semantic'] {
  if (semantic === null) return null;
  const { result, value, why } = semantic;
  return { asked: result !== null, value, reason: why ?? 'a judge was asked' };
}

const nothing = { files: 0, patterns: 0, framework: 0, complete: 0, proof: 0 };

function maxOf(withSemantic: boolean): CodeDetail['points']['max'] {
  const { semantic, ...without } = maxPoints;
  return withSemantic ? { ...without, semantic } : without;
}

function pointsOf({ points, total, semantic, bonus }: Weighed): CodeDetail['points'] {
  const withSemantic = semantic !== null && semantic.value !== null;
  const { files, patterns, framework, complete, proof } = points;
  return {
    files: cents(files),
    patterns: cents(patterns),
    framework: cents(framework),
    complete: cents(complete),
    proof: cents(proof),
    ...(withSemantic ? { semantic: cents(bonus) } : {}),
    total: total.total,
    max: maxOf(withSemantic),
  };
}

/** The contract's files in the contract's order, then the extra files. */
function filesOf({ read, contract, hashes }: Weighed): CodeDetail['files'] {
  const { complete, files } = read.measured;
  const shaOf = (path: string | null): string | null =>
    path === null ? null : (hashes.get(path) ?? null);
  const measured = complete.map(({ planned, path, share, by, elements }) => ({
    planned,
    path,
    found:
      contract.deliverables.length === 0
        ? path !== null
        : files.found.some((each) => each.planned === planned),
    sha: shaOf(path),
    complete: share,
    complete_by: by,
    elements,
  }));
  const known = new Set(complete.map(({ path }) => path));
  const beyond = read.files
    .filter(({ path }) => !known.has(path))
    .map(({ path, elements }) => ({
      planned: null,
      path,
      found: true,
      sha: shaOf(path),
      complete: 1,
      complete_by: 'name' as const,
      elements: elements.filter(({ stub }) => stub === null).length,
    }));
  return [...measured, ...beyond];
}

function gateOf(gate: GateResult): CodeDetail['gates'][number] {
  const { receipt, tests } = gate;
  return {
    command: gate.command,
    language: gate.language,
    kind: gate.kind,
    status: gate.status,
    exit_code: gate.exitCode,
    stderr: gate.stderr,
    duration_ms: gate.durationMs,
    tier: gate.tier,
    reason: gate.reason,
    explanation: gate.explanation,
    evidence: gate.evidence,
    tests:
      tests === null ? null : { ...tests, failures: tests.failures.map((each) => ({ ...each })) },
    receipt:
      receipt === null
        ? null
        : {
            argv: [...receipt.argv],
            toolchain: receipt.toolchain,
            end: receipt.end,
            exit_code: receipt.exitCode,
            output_hash: receipt.outputHash,
            files_hash: receipt.filesHash,
            limits: {
              wall_ms: receipt.limits.wallMs,
              memory_bytes: receipt.limits.memoryBytes,
              tasks: receipt.limits.tasks,
              output_bytes: receipt.limits.outputBytes,
              disk_bytes: receipt.limits.diskBytes,
            },
            box: receipt.box,
          },
  };
}
