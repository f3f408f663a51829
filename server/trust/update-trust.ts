import { sql } from 'drizzle-orm';
import type { ProjectCtx } from '../access';
import { storableJson } from '../domain';
import { type Database, newId } from '../platform';
import type { PromptDefaults } from '../prompts';
import {
  listTrustSettings,
  type TrustChange,
  type TrustState,
  trustSettingsOf,
} from '../thresholds';
import { readDrifts } from './drifts';
import { readCurrentSeries } from './current-series';
import { checkedSeriesOf, readFacts } from './read-facts';
import { boundText, type TrustFound, trustOf } from './trust-of';

/** The result for one judge of one series. */
interface Found extends TrustFound {
  readonly verifier: string;
  readonly version: number;
  readonly judge: string;
  readonly isCurrent: boolean;
}

interface Before {
  readonly verifier: string;
  readonly version: number;
  readonly judge: string;
  readonly in_force: boolean;
  readonly state: TrustState;
  [name: string]: unknown;
}

/**
 * Computes and stores the trust state of every verifier with a verdict, for its current judge and
 * for every other labelled judge. Appends a change of the current state to `trust_changes`.
 * Serialises checks of one project: an older check never overwrites a newer one. Repeating it
 * changes only the time of the check. Returns the changes.
 * @throws on storage faults
 */
export async function updateTrust(
  ctx: ProjectCtx,
  { prompts, ifFree = false }: UpdateDeps,
): Promise<TrustChange[]> {
  return ctx.db.transaction(async (tx) => {
    const at = await lockProject(ctx, tx, ifFree);
    if (at === null) return [];
    const found = await findStates(ctx, prompts);
    const before = [
      ...(await tx.execute<Before>(sql`
        select verifier_slug as verifier, version, judge, in_force, state from trust_states where project_id = ${ctx.projectId}`)),
    ];
    const changes = found
      .filter(({ isCurrent }) => isCurrent)
      .flatMap((each) => changeOf(ctx, each, before));
    await storeStates(ctx, tx, found, at);
    await storeChanges(ctx, tx, changes);
    return changes.map(({ verifier: _, ...change }) => change);
  });
}

interface UpdateDeps {
  readonly prompts: PromptDefaults;
  /** Does nothing while another process is checking. */
  readonly ifFree?: boolean;
}

/**
 * Locks the project for a check, and returns the database time before any read: later changes are
 * not part of this check.
 */
async function lockProject(ctx: ProjectCtx, tx: Database, ifFree: boolean): Promise<string | null> {
  const key = sql`hashtextextended(${`trust ${ctx.projectId}`}, 0)`;
  if (ifFree) {
    const [free] = await tx.execute<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(${key}) as mine`,
    );
    if (free?.mine !== true) return null;
  } else await tx.execute(sql`select pg_advisory_xact_lock(${key})`);
  const [row] = await tx.execute<{ now: string }>(sql`select clock_timestamp()::text as now`);
  return row?.now ?? null;
}

async function findStates(ctx: ProjectCtx, prompts: PromptDefaults): Promise<Found[]> {
  const [currentSeries, drifts, settings] = await Promise.all([
    readCurrentSeries(ctx, prompts),
    readDrifts(ctx),
    listTrustSettings(ctx),
  ]);
  const facts = await readFacts(
    ctx,
    currentSeries.map((series) => checkedSeriesOf(series, drifts, settings)),
  );
  return currentSeries.flatMap(({ series, slug, version }) =>
    (facts.get(series) ?? []).map(({ judge, isCurrent, facts: own }) => ({
      verifier: series,
      version,
      judge,
      isCurrent,
      ...trustOf(own, trustSettingsOf(settings, slug)),
    })),
  );
}

/**
 * The previous state is the one that was in effect, for any version and judge: people and callers
 * saw that one.
 */
function changeOf(
  ctx: ProjectCtx,
  found: Found,
  all: readonly Before[],
): (TrustChange & { readonly verifier: string })[] {
  const { verifier, version, judge, state } = found;
  const before = all.find((each) => each.verifier === verifier && each.in_force);
  if (before?.state === state) return [];
  const now = ctx.clock.now();
  return [
    {
      id: newId('tch', now),
      verifier,
      version,
      judge: judge === '' ? null : judge,
      before: before?.state ?? null,
      after: state,
      reason: reasonOf(found),
      at: now,
    },
  ];
}

const reasonChars = 2_000;

function reasonOf({ state, gaps, measures }: Found): string {
  if (state !== 'qualified')
    return gaps
      .map(({ text }) => text)
      .join(' ')
      .slice(0, reasonChars)
      .toWellFormed();
  const { catchRate, falseRejectionRate } = measures;
  return `The lower bound of the catch rate is ${boundText(catchRate.bound ?? 0)} and the upper bound of the false rejection rate is ${boundText(falseRejectionRate.bound ?? 1)}; both meet their targets.`;
}

/** An outdated state keeps its row, marked by `in_force`. */
async function storeStates(
  ctx: ProjectCtx,
  tx: Database,
  found: readonly Found[],
  checkedAt: string,
): Promise<void> {
  const rows = found.map(({ verifier, version, judge, isCurrent, state, gaps, measures }) => ({
    verifier,
    version,
    judge,
    in_force: isCurrent,
    state,
    gaps,
    measures,
  }));
  await tx.execute(sql`
    with found as materialized (
      select * from jsonb_to_recordset(${storableJson(rows)}::text::jsonb) as f(
        verifier text, version int, judge text, in_force boolean, state text, gaps jsonb, measures jsonb)
    ), kept as (
      insert into trust_states as t (project_id, verifier_slug, version, judge, in_force, state, gaps, measures, since, looked_at)
      select ${ctx.projectId}, verifier, version, judge, in_force, state, gaps, measures, ${checkedAt}::timestamptz, ${checkedAt}::timestamptz from found
      on conflict (project_id, verifier_slug, version, judge) do update set in_force = excluded.in_force, state = excluded.state, gaps = excluded.gaps,
        measures = excluded.measures, looked_at = excluded.looked_at, since = case when t.state = excluded.state then t.since else excluded.since end
    )
    update trust_states t set in_force = false
    where t.project_id = ${ctx.projectId} and t.in_force
      and not exists (select from found f where f.verifier = t.verifier_slug and f.version = t.version and f.judge = t.judge)`);
}

async function storeChanges(
  ctx: ProjectCtx,
  tx: Database,
  changes: readonly (TrustChange & { readonly verifier: string })[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ id, verifier, version, judge, before, after, reason }) => ({
    id,
    verifier,
    version,
    judge: judge ?? '',
    before,
    after,
    reason,
  }));
  await tx.execute(sql`
    insert into trust_changes (project_id, id, verifier_slug, version, judge, before, after, reason)
    select ${ctx.projectId}, c.* from jsonb_to_recordset(${storableJson(rows)}::text::jsonb) as c(
      id text, verifier text, version int, judge text, before text, after text, reason text)`);
}
