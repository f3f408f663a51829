import { type Evidence, meetsThreshold, type Score } from '../../domain';
import { type EvaluatorContext, measuredBy } from '../../evaluators';
import type { ClaimsFinding } from '../../evaluators/judges';
import { ASKING, JUDGE_NODE_TIMEOUT_MS, scoreOfNoJudge, thresholdOf } from '../asking';
import type { Details, NodeResult, PlanNode } from '../plan-node';
import type { RunSetting } from '../kind';
import { type Answered, answerOnce, needsJudgeCall } from './judging';
import type { SynthesisConfig, SynthesisSubject } from './subject';
import { type FoundClaim, readGiven, traceClaims } from './trace-claims';
import { type ClaimSupport, claimSupportOf } from './claim-support';

type Setting = RunSetting<SynthesisConfig>;

const MATCHED_BY = 'claims.match@1';
const JUDGED_BY = 'judges.claims@1';
const GIVEN_BY = 'claims.given@1';
const CLAIMS = 'claims';
export const TRACEABILITY = 'traceability';
const EVIDENCE_MAX = 200;

/** The detail of the node `claims`. */
export interface ClaimsDetail {
  readonly claims: readonly FoundClaim[];
}

/** The detail of the node `traceability`. */
export interface TracedDetail {
  readonly claimSupport: ClaimSupport;
  /** Null if no judge was called. */
  readonly answered: Answered | null;
}

const wholes = [
  {
    name: 'coherence',
    title: 'The answer holds together',
    valueOf: (f: ClaimsFinding) => f.coherence,
    why: (f: ClaimsFinding) => f.coherenceReasoning,
  },
  {
    name: 'completeness',
    title: 'The answer uses what the outputs hold, and says what is missing',
    valueOf: (f: ClaimsFinding) => f.completeness,
    why: (f: ClaimsFinding) => f.completenessReasoning,
  },
] as const;

/**
 * First matches claims without a judge, then makes one judge call about the rest and the whole
 * answer (SOAR-21).
 */
export function planSynthesis(subject: SynthesisSubject, setting: Setting): readonly PlanNode[] {
  if (subject.agent_outputs.length === 0) return [skippedNode()];
  const usesJudge = needsJudgeCall(subject, setting);
  const answer = answerOnce(subject, setting);
  const judging = {
    mustPass: false,
    cost: usesJudge ? ASKING : 0,
    timeoutMs: JUDGE_NODE_TIMEOUT_MS,
  };
  return [
    {
      name: CLAIMS,
      title: 'Claims found and compared with the outputs',
      evaluator: subject.claims === null ? MATCHED_BY : GIVEN_BY,
      needs: [],
      mustPass: false,
      weight: 0,
      cost: 0,
      timeoutMs: 60_000,
      run: () => findClaims(subject),
    },
    {
      ...judging,
      name: TRACEABILITY,
      title: 'Claims rest on outputs',
      evaluator: usesJudge ? JUDGED_BY : MATCHED_BY,
      needs: [CLAIMS],
      weight: 1,
      run: async (details, ctx) =>
        trace(claimsOf(details), usesJudge ? answer : null, setting, ctx),
    },
    ...wholes.map(
      (whole): PlanNode => ({
        ...judging,
        name: whole.name,
        title: whole.title,
        evaluator: JUDGED_BY,
        needs: [CLAIMS],
        weight: 0,
        run: async (details, ctx) =>
          scoreWhole(whole, claimsOf(details), usesJudge ? answer : null, subject, setting, ctx),
      }),
    ),
  ];
}

/** A node's detail; it exists, since the walker runs a node only after the nodes that it needs. */
const claimsOf = (details: Details): readonly FoundClaim[] =>
  (details.get(CLAIMS) as ClaimsDetail).claims;

/** SOAR-25: without outputs there is nothing to compare claims with. */
function skippedNode(): PlanNode {
  const title = 'Claims rest on outputs';
  const score: Score = {
    ...measuredBy(MATCHED_BY, title),
    state: 'unscored',
    value: null,
    met: null,
    reasoning: 'not judged: no agent returned an output',
  };
  const node = {
    name: TRACEABILITY,
    title,
    evaluator: MATCHED_BY,
    needs: [],
    mustPass: false,
    weight: 1,
    cost: 0,
    timeoutMs: 1_000,
  };
  return { ...node, run: () => ({ score, detail: null }) };
}

function findClaims(subject: SynthesisSubject): NodeResult {
  const claims = subject.claims === null ? traceClaims(subject) : readGiven(subject);
  const detail: ClaimsDetail = { claims };
  const base = measuredBy(
    subject.claims === null ? MATCHED_BY : GIVEN_BY,
    'Claims found and compared with the outputs',
  );
  if (claims.length === 0) {
    const reasoning = 'the answer makes no claim that can be compared with an output';
    return { score: { ...base, state: 'unscored', value: null, met: null, reasoning }, detail };
  }
  const count = (state: string): number =>
    claims.filter(({ claim }) => claim.state === state).length;
  const [supported, unsupported, left] = [
    count('supported'),
    count('unsupported'),
    count('undecided'),
  ];
  const reasoning = `${supported} of ${claims.length} claims rest on an output, ${unsupported} on none; ${left} are left to a judge`;
  const evidence = evidenceOf(claims);
  return {
    score: {
      ...base,
      state: 'scored',
      value: supported / claims.length,
      met: unsupported === 0,
      reasoning,
      evidence,
    },
    detail,
  };
}

function evidenceOf(claims: readonly FoundClaim[]): Evidence[] {
  return claims.flatMap(({ evidence }) => evidence).slice(0, EVIDENCE_MAX);
}

async function trace(
  claims: readonly FoundClaim[],
  answer: ReturnType<typeof answerOnce> | null,
  setting: Setting,
  ctx: EvaluatorContext,
): Promise<NodeResult> {
  // An answer without claims needs a person; it could only sway a judge.
  const answered = answer === null || claims.length === 0 ? null : await answer(claims, ctx);
  const threshold = thresholdOf(setting, 'pass_threshold', 0.7);
  const claimSupport = claimSupportOf(claims, answered, threshold);
  const detail: TracedDetail = { claimSupport, answered };
  const base = {
    ...measuredBy(answered === null ? MATCHED_BY : JUDGED_BY, 'Claims rest on outputs'),
    ...judgeFieldsOf(answered, setting),
  };
  const { traceability, supported, undecided } = claimSupport;
  if (claims.length === 0)
    return {
      score: { ...base, state: 'unscored', value: null, met: null, reasoning: 'there is no claim' },
      detail,
    };
  if (traceability === null) {
    const none = scoreOfNoJudge(setting, MATCHED_BY, 'Claims rest on outputs');
    const reasoning = `${undecided} of ${claims.length} claims could not be decided: ${answered === null ? (none.reasoning ?? '') : whyNot(answered)}`;
    const state = answered === null && none.state === 'unscored' ? 'unscored' : 'failed';
    return {
      score: {
        ...base,
        state,
        value: null,
        met: null,
        reasoning: reasoning.slice(0, 1_000).toWellFormed(),
      },
      detail,
    };
  }
  const rest =
    undecided === 0
      ? ''
      : `; ${undecided} could not be decided and count as unsupported, which changes nothing`;
  const reasoning = `${supported} of ${claims.length} claims rest on an output${rest}`;
  const met = meetsThreshold(traceability, threshold);
  return {
    score: {
      ...base,
      state: 'scored',
      value: traceability,
      met,
      reasoning,
      evidence: evidenceOf(claimSupport.claims),
    },
    detail,
  };
}

const whyNot = ({ judged }: Answered): string =>
  judged.state === 'failed'
    ? `${judged.errorClass}: ${judged.reason}`
    : 'a judge is asked about so many only';

function judgeFieldsOf(
  answered: Answered | null,
  setting: Setting,
): Pick<Score, 'model' | 'prompt_version' | 'cost_usd' | 'cached'> | null {
  if (answered === null) return null;
  const { judged, cached } = answered;
  // One judge call returns three scores, so each score has a third of the cost.
  return {
    model: judged.model,
    prompt_version: setting.prompts.get('synthesis-claims')?.version ?? null,
    cost_usd: judged.usage.costUsd / 3,
    cached,
  };
}

async function scoreWhole(
  whole: (typeof wholes)[number],
  claims: readonly FoundClaim[],
  answer: ReturnType<typeof answerOnce> | null,
  subject: SynthesisSubject,
  setting: Setting,
  ctx: EvaluatorContext,
): Promise<NodeResult> {
  const unscored = (reasoning: string): NodeResult => ({
    score: {
      ...measuredBy(JUDGED_BY, whole.title),
      state: 'unscored',
      value: null,
      met: null,
      reasoning,
    },
    detail: null,
  });
  if (subject.claims !== null)
    return unscored('no judge was asked: the claims were handed over judged');
  if (claims.length === 0) return unscored('there is no claim');
  if (answer === null)
    return { score: scoreOfNoJudge(setting, JUDGED_BY, whole.title), detail: null };
  const answered = await answer(claims, ctx);
  const { judged } = answered;
  const base = { ...measuredBy(JUDGED_BY, whole.title), ...judgeFieldsOf(answered, setting) };
  if (judged.state === 'failed') {
    const reasoning = whyNot(answered).slice(0, 1_000).toWellFormed();
    return { score: { ...base, state: 'failed', value: null, met: null, reasoning }, detail: null };
  }
  const value = whole.valueOf(judged.reply);
  const met = meetsThreshold(value, thresholdOf(setting, 'pass_threshold', 0.7));
  return {
    score: { ...base, state: 'scored', value, met, reasoning: whole.why(judged.reply) },
    detail: null,
  };
}
