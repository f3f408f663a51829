import { createHash } from 'node:crypto';
import type { Contract, ModelTier } from '../../domain';
import {
  bonusOf,
  type DimensionPoints,
  type GateResult,
  measureFiles,
  noGateNotes,
  type Proof,
  proofOf,
  staticPoints,
  type Total,
  scoreTotal,
} from '../../code';
import type { Walk } from '../plan-node';
import type { RunSetting } from '../kind';
import type { CodeConfig } from './config';
import { contractOf, passThresholdOf, tierOf } from './contract';
import {
  PROOF,
  type ProofDetail,
  READ,
  type ReadDetail,
  SEMANTIC,
  type SemanticDetail,
} from './nodes';
import { isTruncated } from './repair';
import type { CodeSubject } from './subject';

/** The result of a walk before the decision. */
export interface Weighed {
  readonly contract: Contract;
  readonly tier: ModelTier;
  readonly tierAssumed: boolean;
  readonly passThreshold: number;
  /** The files could not be read: the members below are meaningless. */
  readonly broken: string | null;
  readonly read: ReadDetail;
  readonly gates: readonly GateResult[];
  /** Why a gate was not run; null if each was, or there is none. */
  readonly notRun: string | null;
  readonly proof: Proof;
  /** Why nothing, or which part, is not proved. */
  readonly notes: readonly string[];
  readonly semantic: SemanticDetail | null;
  readonly bonus: number;
  readonly points: DimensionPoints;
  readonly total: Total;
  /** The total if all gates that were not run had passed. */
  readonly best: number;
  readonly truncated: boolean;
  /** Path → the first 16 hex digits of its content's SHA-256. */
  readonly hashes: ReadonlyMap<string, string>;
}

export function weigh(walk: Walk, subject: CodeSubject, setting: RunSetting<CodeConfig>): Weighed {
  const contract = contractOf(subject);
  const { tier, assumed: tierAssumed } = tierOf(subject);
  const { config, project } = setting;
  const found = walk.details.get(READ) as ReadDetail | undefined;
  const read = found ?? {
    files: [],
    measured: measureFiles(contract, [], { code: config.code_bytes, data: config.data_bytes }),
  };
  const proved = walk.details.get(PROOF) as ProofDetail | undefined;
  const gates = proved?.gates ?? [];
  const broke = walk.scores.find(
    ({ evaluator, state }) => evaluator === 'code.gates@1' && state === 'failed',
  );
  const notRun = proved?.notRun ?? broke?.reasoning ?? null;
  const proof = proofOf(gates);
  const semantic = (walk.details.get(SEMANTIC) as SemanticDetail | undefined) ?? null;
  const bonus = semantic?.value == null ? 0 : bonusOf(semantic.value);
  const points = { ...staticPoints(read.measured), proof: proof.points };
  // A gate that never started is not evidence about the environment, so the project's setting for
  // neutral proof does not apply.
  const neutral = notRun === null ? project.neutralProof : 'literal';
  const full = { ...proof, share: 1, points: 30 };
  return {
    contract,
    tier,
    tierAssumed,
    passThreshold: passThresholdOf(subject, setting),
    broken:
      found === undefined ? (walk.scores[0]?.reasoning ?? 'the files could not be read') : null,
    read,
    gates,
    notRun,
    proof,
    notes: notesOf(subject, gates, notRun),
    semantic,
    bonus,
    points,
    total: scoreTotal(points, proof, neutral, bonus),
    best:
      notRun === null
        ? 0
        : scoreTotal({ ...points, proof: full.points }, full, 'literal', bonus).total,
    truncated: isTruncated(subject.tool_results),
    hashes: new Map(
      subject.files.map(({ path, content }) => [
        path,
        createHash('sha256').update(content).digest('hex').slice(0, 16),
      ]),
    ),
  };
}

/** Always states the reason for missing proof points (QEL-29, QEL-32). */
function notesOf(
  subject: CodeSubject,
  gates: readonly GateResult[],
  notRun: string | null,
): readonly string[] {
  const paths = subject.files.map(({ path }) => path);
  const without = noGateNotes(paths);
  const explanations = gates.flatMap(({ command, status, reason, explanation }) =>
    status === 'neutral' || status === 'not_run'
      ? [`${command}: ${[reason ?? 'no result', explanation].filter(Boolean).join(': ')}`]
      : [],
  );
  const all = [
    ...new Set([
      ...without,
      ...explanations,
      ...(notRun === null || explanations.length > 0 ? [] : [notRun]),
    ]),
  ];
  const isProved = gates.some(({ status }) => status !== 'neutral' && status !== 'not_run');
  return all.length > 0 || isProved
    ? all
    : ['There is nothing to compile or to run in these files. Code was not verified.'];
}
