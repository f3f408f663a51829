import type { Outcome, PromptText } from '../../domain';
import type { Ctx } from '../../platform';
import { type SubjectDeps, type TryResult, type TriedVerdict, trySubject } from '../../verdicts';
import { judgesOf } from './judge-list';
import { isCurrentAnswer, type StoredVerdict } from './stored-verdicts';
import type { TrialJob } from './trial-job';

/** The answer of one version about a subject. */
export interface TrialAnswer {
  readonly outcome: Outcome;
  readonly verdict: string | null;
  readonly score: number | null;
  readonly reason: string | null;
}

/**
 * The cost in US dollars and the duration in milliseconds of judging the subject with one option;
 * null if unknown.
 */
export interface CostAndLatency {
  readonly costUsd: number | null;
  readonly latencyMs: number | null;
}

/** One subject of a trial, judged. */
export interface TrialResult {
  readonly candidate: TrialAnswer;
  readonly judge: string | null;
  readonly took: CostAndLatency;
  /** Null if there is no other option. */
  readonly production:
    | (TrialAnswer & {
        readonly source: 'stored' | 'run' | 'same';
        readonly judge: string | null;
        readonly took: CostAndLatency;
      })
    | null;
  readonly calls: number;
  readonly tokens: number;
  /** US dollars, over the calls with a known price. */
  readonly costUsd: number;
}

export interface TryOne {
  readonly projectId: string;
  readonly trialId: string;
  readonly job: TrialJob;
  readonly prompt: PromptText;
  /** The prompt of the other option, usually the production version; null if there is none. */
  readonly production: PromptText | null;
  readonly subjectId: string;
  readonly stored: StoredVerdict | null;
  readonly signal: AbortSignal;
}

/**
 * Judges one subject with the candidate, and with the other option unless a stored verdict contains
 * its answer; another judge's verdict never does. Returns blocked, with the reason, while a judge
 * cannot be called.
 * @throws on storage faults only: a subject that cannot be judged is inconclusive, with the reason
 */
export async function tryOne(
  ctx: Ctx,
  deps: SubjectDeps,
  input: TryOne,
): Promise<TrialResult | { readonly blocked: string }> {
  const { job } = input;
  const candidate = await run(ctx, deps, input, { prompt: input.prompt, judge: job.judge });
  if (candidate.state === 'blocked') return { blocked: candidate.reason };
  const took = costAndLatencyOf(candidate);
  const base = {
    candidate: answerOf(candidate),
    judge: candidate.judge,
    took,
    calls: candidate.calls,
    tokens: candidate.tokens,
    costUsd: candidate.costUsd,
  };
  const { production, stored } = input;
  if (production === null) return { ...base, production: null };
  // If only checks decided, no judge saw either prompt.
  if (candidate.calls === 0 && candidate.verdict !== null)
    return { ...base, production: { ...base.candidate, source: 'same', judge: null, took } };
  const { verifierVersion, threshold, judge } = candidate;
  // Without a result of the first option, its judge is unknown and cannot differ from the other's.
  const oneJudge =
    job.judge === job.againstJudge &&
    (stored?.judge === judge || (candidate.verdict === null && job.judge === null));
  if (
    stored !== null &&
    oneJudge &&
    isCurrentAnswer(stored, { prompt: production.version, verifierVersion, threshold })
  ) {
    const { outcome, verdict, score } = stored;
    const { costUsd, latencyMs } = stored;
    return {
      ...base,
      production: {
        outcome,
        verdict,
        score,
        reason: null,
        source: 'stored',
        judge: stored.judge,
        took: { costUsd, latencyMs },
      },
    };
  }
  const other = await run(ctx, deps, input, { prompt: production, judge: job.againstJudge });
  if (other.state === 'blocked') return { blocked: other.reason };
  return {
    ...base,
    production: {
      ...answerOf(other),
      source: 'run',
      judge: other.judge,
      took: costAndLatencyOf(other),
    },
    calls: candidate.calls + other.calls,
    tokens: candidate.tokens + other.tokens,
    costUsd: candidate.costUsd + other.costUsd,
  };
}

function run(
  ctx: Ctx,
  deps: SubjectDeps,
  { projectId, trialId, job, subjectId, signal }: TryOne,
  { prompt, judge }: { readonly prompt: PromptText; readonly judge: string | null },
): Promise<TryResult> {
  const purpose = `trial ${trialId}`;
  const pinned = { slug: job.slug, prompt };
  return trySubject(ctx, deps, {
    projectId,
    verifier: job.kind,
    subjectId,
    pinned,
    judges: judgesOf(judge),
    purpose,
    signal,
  });
}

function costAndLatencyOf({ costUsd, priceUnknown, latencyMs }: TriedVerdict): CostAndLatency {
  return { costUsd: priceUnknown ? null : costUsd, latencyMs };
}

function answerOf({ outcome, verdict, score, reason }: TriedVerdict): TrialAnswer {
  return { outcome, verdict, score, reason };
}
