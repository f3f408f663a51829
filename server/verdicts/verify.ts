import { classifyStorageError, type Ctx } from '../platform';
import {
  type ClaimedWork,
  dropWork,
  endUndecided,
  failWork,
  parkWork,
  moveToSlowLane,
  type UndecidedWork,
} from '../queue';
import { partBySize } from '../ingest';
import type { AnyKind } from '../verifiers';
import type { Settlement } from './settle';
import { storeVerdictsBisecting } from './store-verdicts-bisecting';
import { askWithinBudget } from './subjects/ask-within-budget';
import {
  decideSubject,
  skippedSettlement,
  type SlowReach,
  slowReach,
  type SubjectEnd,
} from './subjects/decide-subject';
import type { StoredSubject } from './subjects/load-subjects';
import type { RunsFor } from './subjects/recent-runs';
import { createRunSource, type RunSource } from './subjects/run-setting';
import type { SubjectDeps } from './subjects/subject-deps';
import { loadWorkItems, type WorkItem } from './work-items';

export interface VerifyInput {
  readonly owner: string;
  readonly claimed: readonly ClaimedWork[];
  readonly signal: AbortSignal;
  /** The work runs in the slow lane: models may be called, and gates may run. */
  readonly asks?: boolean;
  /** A caller waits for the verdicts. */
  readonly urgent?: boolean;
  /** Settings shared with other batches; if omitted, the batch reads its own. */
  readonly runsFor?: RunsFor | undefined;
  /** Subjects that were stored just now; a null one must be loaded. */
  readonly read?: ReadonlyMap<ClaimedWork, StoredSubject | null>;
  /** Stores a verdict together with those of other batches; whether it was stored. */
  readonly store?: ((settlement: Settlement) => Promise<boolean>) | undefined;
}

/**
 * The longest interval between two settlements, so that a slow subject does not delay the verdicts
 * of others for long.
 */
const settleEveryMs = 1_000;
/**
 * The longest time without yielding to the event loop, so that lease heartbeats and other requests
 * can run between two subjects.
 */
const yieldEveryMs = 20;

/**
 * Verifies claimed work of any kind and stores the verdicts together, in parts if they are large or
 * slow; in the fast lane, work that needs a model is passed to the slow one. A subject that cannot
 * be verified fails its attempt with the reason and does not affect the others. Returns the ids of
 * the verdicts stored now.
 * @throws on storage faults: the remaining verdicts are not stored, and their work becomes
 * claimable again when its leases expire
 */
export async function verifyClaimed(
  ctx: Ctx,
  deps: SubjectDeps,
  input: VerifyInput,
): Promise<ReadonlySet<string>> {
  const { owner } = input;
  const stored = new Set<string>();
  const slow: ClaimedWork[] = [];
  // VS-31: work that other work depends on comes before other work.
  const urgent: ClaimedWork[] = [];
  const own = createRunSource(ctx, deps);
  for (const part of await partBySize(ctx, input.claimed)) {
    const items = await loadWorkItems(ctx, part, input.read);
    let settlements: Settlement[] = [];
    const ended: UndecidedWork[] = [];
    const settle = async (): Promise<void> => {
      for (const id of await storeAll(ctx, input, settlements)) stored.add(id);
      settlements = [];
    };
    let settledAt = ctx.clock.monotonicMs();
    let yieldedAt = settledAt;
    for (const work of part) {
      ctx.budget?.begin(work);
      ctx.budget?.enter('reading the subject');
      const end = await endOf(ctx, deps, input, {
        work,
        load: items.get(work),
        runs: (await input.runsFor?.(work)) ?? own,
      });
      if (end?.state === 'decided') settlements.push(end.settlement);
      else if (end?.state === 'slow')
        (input.urgent === true || end.hasDependents ? urgent : slow).push(work);
      else if (end?.state === 'blocked') await parkWork(ctx, owner, work, end);
      else if (end?.state === 'no_subject' || end?.state === 'over_budget')
        ended.push({ ...end, work });
      const now = ctx.clock.monotonicMs();
      if (now - yieldedAt > yieldEveryMs) {
        await new Promise((resolve) => setImmediate(resolve));
        yieldedAt = now;
      }
      if (now - settledAt > settleEveryMs) {
        await settle();
        settledAt = ctx.clock.monotonicMs();
      }
    }
    await settle();
    await endUndecided(ctx.sql, owner, ended);
  }
  if (urgent.length > 0) await moveToSlowLane(ctx, owner, urgent, { urgent: true });
  if (slow.length > 0) await moveToSlowLane(ctx, owner, slow);
  return stored;
}

/** The ids of the work whose verdict was stored. @throws on storage faults */
async function storeAll(
  ctx: Ctx,
  { owner, store }: VerifyInput,
  settlements: readonly Settlement[],
): Promise<Iterable<string>> {
  if (store === undefined) return storeVerdictsBisecting(ctx, owner, settlements);
  const stored = await Promise.all(
    settlements.map(async (each) => ((await store(each)) ? [each.work.id] : [])),
  );
  return stored.flat();
}

interface OneWork {
  readonly work: ClaimedWork;
  readonly load: (() => WorkItem) | undefined;
  readonly runs: RunSource;
}

/** A verdict, or why there is none (yet). */
type WorkEnd =
  | SubjectEnd
  | { readonly state: 'no_subject' | 'over_budget'; readonly reason: string };

/** Null if the attempt failed or the work was dropped. @throws on storage faults */
async function endOf(
  ctx: Ctx,
  deps: SubjectDeps,
  { owner, signal, asks }: VerifyInput,
  { work, load, runs }: OneWork,
): Promise<WorkEnd | null> {
  const { kind: name } = await runs.judgingOf(work.projectId, work.verifier);
  const kind = deps.kinds.get(name);
  if (kind === undefined) {
    await failWork(ctx, owner, work, `the project has no verifier "${work.verifier}"`);
    return null;
  }
  try {
    const item = load?.();
    if (item === undefined) throw new Error(`the ${work.subjectKind} is not stored`);
    if (item.facts.revision === work.revision) {
      const models = asks === true ? await modelsOf(ctx, deps, work) : null;
      const end = await decideItem(ctx, {
        work,
        item,
        kind,
        runs,
        slow: models?.slow ?? null,
        signal,
      });
      const overBudget = models?.refused() ?? null;
      return overBudget === null ? end : { state: 'over_budget', reason: overBudget };
    }
    await dropWork(ctx, owner, work);
  } catch (error) {
    if (signal.aborted || classifyStorageError(error) !== 'unknown') throw error;
    ctx.log.error({ err: error, subject: work.subjectId }, 'a subject could not be verified');
    await failWork(ctx, owner, work, error instanceof Error ? error.message : String(error));
  }
  return null;
}

/** Model calls within the dollar budget of the rule that created the work. */
async function modelsOf(
  ctx: Ctx,
  deps: SubjectDeps,
  work: ClaimedWork,
): Promise<{ readonly slow: SlowReach; readonly refused: () => string | null }> {
  const ask = deps.askFor({ projectId: work.projectId, verdictId: work.id });
  const budgeted = await askWithinBudget(ctx, deps, work, ask);
  return { slow: slowReach(deps, budgeted.ask), refused: budgeted.refused };
}

export interface DecideItem {
  readonly work: ClaimedWork;
  readonly item: WorkItem;
  readonly kind: AnyKind;
  readonly runs: RunSource;
  readonly slow: SlowReach | null;
  readonly signal: AbortSignal;
  /** A trial: neither reads nor writes cached judgements. */
  readonly isTrial?: true;
}

/**
 * The verdict on the stored subject, or why there is none yet; stores nothing. @throws on storage
 * faults, and on content that this release cannot read
 */
export async function decideItem(
  ctx: Ctx,
  { item, ...input }: DecideItem,
): Promise<SubjectEnd | { readonly state: 'no_subject'; readonly reason: string }> {
  const { work, kind, runs } = input;
  const stored = item.facts;
  const judging = await runs.judgingOf(work.projectId, work.verifier);
  const read = item.read(kind, judging);
  if (read.state === 'no_subject') return read;
  if (read.state === 'skipped')
    return {
      state: 'decided',
      settlement: skippedSettlement({ work, stored, kind }, judging, read),
    };
  return decideSubject(ctx, { ...input, stored, content: read.content });
}
