import type { Outcome, PromptText } from '../../domain';
import type { Ctx } from '../../platform';
import { type SubjectDeps, type Tried, type TriedVerdict, trySubject } from '../../verdicts';
import { saysOf, type StoredVerdict } from './stored-verdicts';
import type { TrialJob } from './trial-job';

/** What one version says of a subject. */
export interface Said {
  readonly outcome: Outcome;
  readonly verdict: string | null;
  readonly score: number | null;
  readonly reason: string | null;
}

/** One subject of a trial, judged. */
export interface TrialResult {
  readonly tried: Said;
  readonly judge: string | null;
  /** Null where the version that is tried is the one in production. */
  readonly production: (Said & { readonly source: 'stored' | 'run' | 'same' }) | null;
  readonly calls: number;
  readonly tokens: number;
  /** US dollars, of the calls whose price is known. */
  readonly costUsd: number;
}

export interface TryOne {
  readonly projectId: string;
  readonly trialId: string;
  readonly job: TrialJob;
  readonly prompt: PromptText;
  /** Of the version in production; null where that is the one that is tried. */
  readonly production: PromptText | null;
  readonly subjectId: string;
  readonly stored: StoredVerdict | null;
  readonly signal: AbortSignal;
}

/**
 * Judges one subject with the version that is tried, and with the one in production where no stored verdict says what that gives. Null
 * while a judge cannot be asked, with the reason.
 * @throws on faults of storage only: a subject that cannot be judged is inconclusive, and says why
 */
export async function tryOne(ctx: Ctx, deps: SubjectDeps, input: TryOne): Promise<TrialResult | { readonly blocked: string }> {
  const tried = await run(ctx, deps, input, input.prompt);
  if (tried.state === 'blocked') return { blocked: tried.reason };
  const base = { tried: saidBy(tried), judge: tried.judge, calls: tried.calls, tokens: tried.tokens, costUsd: tried.costUsd };
  const { production, stored } = input;
  if (production === null) return { ...base, production: null };
  // Where checks alone decided no judge read either text.
  if (tried.calls === 0 && tried.verdict !== null) return { ...base, production: { ...base.tried, source: 'same' } };
  const { verifierVersion, threshold, judge } = tried;
  // Where the first came to nothing there is no judge that the other's could differ from.
  const oneJudge = tried.verdict === null || stored?.judge === judge;
  if (stored !== null && oneJudge && saysOf(stored, { prompt: production.version, verifierVersion, threshold })) {
    const { outcome, verdict, score } = stored;
    return { ...base, production: { outcome, verdict, score, reason: null, source: 'stored' } };
  }
  const other = await run(ctx, deps, input, production);
  if (other.state === 'blocked') return { blocked: other.reason };
  return {
    ...base,
    production: { ...saidBy(other), source: 'run' },
    calls: tried.calls + other.calls,
    tokens: tried.tokens + other.tokens,
    costUsd: tried.costUsd + other.costUsd,
  };
}

function run(ctx: Ctx, deps: SubjectDeps, { projectId, trialId, job, subjectId, signal }: TryOne, prompt: PromptText): Promise<Tried> {
  const purpose = `trial ${trialId}`;
  const pinned = { slug: job.slug, prompt };
  return trySubject(ctx, deps, { projectId, kind: job.kind, subjectId, pinned, purpose, signal });
}

function saidBy({ outcome, verdict, score, reason }: TriedVerdict): Said {
  return { outcome, verdict, score, reason };
}
