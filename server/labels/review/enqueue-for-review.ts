import { type SQL, sql } from 'drizzle-orm';
import type { ProjectCtx } from '../../access';
import type { Outcome } from '../../domain';
import { type Database, newId } from '../../platform';
import { enqueueRefresh } from '../../queue';
import { enqueueLabelled } from '../enqueue-labelled';
import { resolveReviewItem } from '../resolve-review-item';
import { lotOf } from './audit-draw';
import {
  auditRateAt,
  loadReviewSettings,
  reviewSettingsOf,
  type StoredSettings,
} from './review-settings';
import { type ReviewFacts, type ReviewPlace, reviewReason } from './review-reason';

/**
 * The most open items per verifier, not counting audit draws: no one reviews more, and newer or
 * more urgent items replace others.
 */
const openItemsMax = 1_000;

/** The parameters of a queue's audit draw. */
interface Draw {
  /**
   * Seconds since 1970. Verdicts that settled up to this time were never read, and are not drawn.
   */
  readonly began: number;
  readonly lotKey: string;
}

interface FactsRow extends Record<string, unknown> {
  id: string;
  kind: string;
  verifier_slug: string;
  verifier_version: number;
  subject_id: string;
  settled_at: string;
  settled_s: number;
  outcome: Outcome;
  score: number | null;
  threshold: number | null;
  confidence: number | null;
  needs_human_review: boolean;
  judge_calls: number;
  grave: string[] | null;
  jury_split: boolean;
  otherwise: string[] | null;
  reported: boolean | null;
  superseded: boolean;
  ruled: boolean;
  item: string | null;
}

interface NewItem {
  readonly id: string;
  readonly row: FactsRow;
  readonly place: ReviewPlace;
  readonly raters: number;
  readonly blind: boolean;
}

/**
 * Enqueues verdicts that need a person, in `tx`, and removes those superseded by later revisions of
 * their subject. Adds newly applicable queues to existing items, but never changes whether they
 * were drawn. The draw depends only on the verdict's id, its verifier and its settling time, not on
 * when or why the verdict is read.
 */
export async function enqueueForReview(
  tx: Database,
  ctx: ProjectCtx,
  ids: readonly string[],
  draw: Draw,
): Promise<void> {
  if (ids.length === 0) return;
  await withdrawSuperseded(tx, ctx, ids);
  const stored = await loadReviewSettings(ctx);
  const items: NewItem[] = [];
  for (const row of await loadFacts(tx, ctx.projectId, ids)) {
    if (row.superseded) continue;
    const settings = reviewSettingsOf(stored, row.verifier_slug);
    const auditRate = row.item === null ? rateOf(stored, row, draw) : 0;
    const place = reviewReason(asFacts(row, lotOf(draw.lotKey, ctx.projectId, row.id)), {
      ...settings,
      auditRate,
    });
    // A verdict that someone has already ruled on is enqueued only for the random sample.
    if (place === null || (row.ruled && place.probability === null)) continue;
    items.push({
      id: row.item ?? newId('rev', ctx.clock.now()),
      row,
      place,
      raters: settings.raters,
      blind: settings.blind,
    });
  }
  const known = items.filter(({ row }) => row.item !== null);
  const fresh = await withinBound(
    tx,
    ctx.projectId,
    items.filter(({ row }) => row.item === null),
  );
  await addQueues(tx, ctx.projectId, known);
  const inserted = await insertItems(tx, ctx.projectId, fresh);
  if (inserted.length === 0) return;
  await dropBeyondBound(tx, ctx.projectId, [
    ...new Set(inserted.map(({ row }) => row.verifier_slug)),
  ]);
  for (const { row } of inserted) if (row.ruled) await resolveReviewItem(tx, ctx, row.id);
  const drawn = inserted.filter(({ place }) => place.probability !== null);
  await enqueueLabelled(
    tx,
    ctx,
    [...new Set(drawn.map(({ row }) => row.subject_id))],
    inserted.length,
  );
}

const idsOf = (ids: readonly string[]): SQL =>
  sql`jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb)`;

/**
 * Limits and lateral joins make PostgreSQL look up each row by its key; otherwise it may read all
 * turns and labels.
 */
async function loadFacts(
  tx: Pick<Database, 'execute'>,
  projectId: string,
  ids: readonly string[],
): Promise<FactsRow[]> {
  const decided = sql`('passed', 'failed')`;
  const rows = await tx.execute<FactsRow>(sql`
    select v.id, v.kind, v.verifier_slug, v.verifier_version, v.subject_id, v.settled_at::text as settled_at,
      extract(epoch from v.settled_at)::double precision as settled_s, v.outcome, v.score,
      v.threshold_value as threshold, v.confidence, v.needs_human_review, v.judge_calls,
      (select jsonb_agg(i->>'message') from (
        select i from jsonb_array_elements(v.issues) as i where i->>'severity' = 'high' limit 3) as high) as grave,
      exists (select from jsonb_array_elements(v.issues) as i where i->>'code' in ('jury_disagreement', 'jury_tie')) as jury_split,
      sides.otherwise, outcome_label.success as reported, ruling.id is not null as ruled, known.id as item,
      later.id is not null or (turn.id is null and subject.id is null) as superseded
    from ${idsOf(ids)} as k(id)
    cross join lateral (select * from verdicts where project_id = ${projectId} and id = k.id and experiment_id is null limit 1) as v
    left join lateral (
      select jsonb_agg(distinct o.verifier_slug) as otherwise from (
        select verifier_slug, outcome from verdicts
        where project_id = ${projectId} and subject_kind = v.subject_kind and subject_id = v.subject_id and revision = v.revision and experiment_id is null offset 0
      ) as o
      where o.verifier_slug <> v.verifier_slug and o.outcome in ${decided} and v.outcome in ${decided} and o.outcome <> v.outcome
    ) as sides on true
    left join lateral (
      select id from verdicts where project_id = ${projectId} and subject_kind = v.subject_kind and subject_id = v.subject_id
        and revision > v.revision and verifier_slug = v.verifier_slug and experiment_id is null limit 1
    ) as later on true
    left join lateral (
      select id from turns where v.subject_kind = 'turn' and project_id = ${projectId} and id = v.subject_id and revision = v.revision and origin <> 'experiment' limit 1
    ) as turn on true
    left join lateral (
      select id from subjects where v.subject_kind <> 'turn' and project_id = ${projectId} and kind = v.subject_kind and id = v.subject_id
        and revision = v.revision limit 1
    ) as subject on true
    left join lateral (
      select l.success from labels l
      where l.project_id = ${projectId} and l.subject_id = v.subject_id and l.kind in ('outcome', 'import') and l.success is not null
        and l.dimension is null and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id)
      order by l.created_at desc, l.id desc limit 1
    ) as outcome_label on true
    left join lateral (
      select o.id from labels o where o.project_id = ${projectId} and o.verdict_id = v.id and o.kind = 'override'
        and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = o.id) limit 1
    ) as ruling on true
    left join lateral (select id from review_items where project_id = ${projectId} and verdict_id = v.id limit 1) as known on true
    order by v.settled_at, v.id`);
  return [...rows];
}

function rateOf(stored: readonly StoredSettings[], row: FactsRow, { began }: Draw): number {
  return row.settled_s > began ? auditRateAt(stored, row.verifier_slug, row.settled_s) : 0;
}

function asFacts(row: FactsRow, lot: number): ReviewFacts {
  const good = row.outcome === 'passed' ? true : row.outcome === 'failed' ? false : null;
  return {
    kind: row.kind,
    outcome: row.outcome,
    score: row.score,
    threshold: row.threshold,
    confidence: row.confidence,
    needsHumanReview: row.needs_human_review,
    judged: row.judge_calls > 0,
    grave: row.grave ?? [],
    jurySplit: row.jury_split,
    otherwise: row.otherwise ?? [],
    reported: good === null || row.reported === good ? null : row.reported,
    lot,
  };
}

/**
 * Uses two statements, because in a single one PostgreSQL may scan the verdicts once per item. A
 * withdrawn draw no longer counts as drawn.
 */
async function withdrawSuperseded(
  tx: Database,
  ctx: ProjectCtx,
  ids: readonly string[],
): Promise<void> {
  const { projectId } = ctx;
  const old = await tx.execute<{ id: string }>(sql`
    select o.id from ${idsOf(ids)} as k(id)
    cross join lateral (
      select subject_kind, subject_id, revision, verifier_slug from verdicts where project_id = ${projectId} and id = k.id and experiment_id is null limit 1
    ) as v
    cross join lateral (
      select id from verdicts where v.revision > 1 and project_id = ${projectId} and subject_kind = v.subject_kind and subject_id = v.subject_id
        and revision < v.revision and verifier_slug = v.verifier_slug and experiment_id is null offset 0
    ) as o`);
  if (old.length === 0) return;
  const withdrawn = await tx.execute<{ subject_id: string }>(sql`
    update review_items set state = 'withdrawn', reserved_by = null, reserved_until = null
    where project_id = ${projectId} and state = 'open' and verdict_id in (select * from ${idsOf(old.map(({ id }) => id))} as k)
    returning subject_id`);
  await enqueueRefresh(tx, ctx, [...new Set(withdrawn.map((row) => row.subject_id))]);
}

/**
 * The items to enqueue: for a verifier with a full queue, only those with a higher priority than
 * its lowest.
 */
async function withinBound(
  tx: Pick<Database, 'execute'>,
  projectId: string,
  items: readonly NewItem[],
): Promise<NewItem[]> {
  if (items.every(({ place }) => place.probability !== null)) return [...items];
  const full = await listFull(tx, projectId);
  return items.filter(
    ({ row, place }) =>
      place.probability !== null || place.priority > (full.get(row.verifier_slug) ?? -1),
  );
}

/** The verifiers with a full queue, and the lowest priority in it. */
export async function listFull(
  tx: Pick<Database, 'execute'>,
  projectId: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.execute<{ slug: string; lowest: number }>(sql`
    select verifier_slug as slug, min(priority) as lowest from review_items
    where project_id = ${projectId} and state = 'open' and probability is null group by verifier_slug having count(*) >= ${openItemsMax}`);
  return new Map(rows.map(({ slug, lowest }) => [slug, lowest]));
}

async function insertItems(
  tx: Pick<Database, 'execute'>,
  projectId: string,
  items: readonly NewItem[],
): Promise<NewItem[]> {
  if (items.length === 0) return [];
  const rows = items.map(({ id, row, place, raters, blind }) => ({
    id,
    verdict: row.id,
    kind: row.kind,
    slug: row.verifier_slug,
    version: row.verifier_version,
    subject: row.subject_id,
    queues: place.queues,
    reason: place.reason,
    priority: place.priority,
    probability: place.probability,
    raters,
    blind,
    at: row.settled_at,
  }));
  const stored = await tx.execute<{ id: string }>(sql`
    insert into review_items (project_id, id, verdict_id, kind, verifier_slug, verifier_version, subject_id, queues, reason, priority, probability,
      raters, blind, verdict_at)
    select ${projectId}, id, verdict, kind, slug, version, subject, array(select jsonb_array_elements_text(queues)), reason, priority, probability,
      raters, blind, at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(
      id text, verdict text, kind text, slug text, version int, subject text, queues jsonb, reason text, priority double precision,
      probability double precision, raters int, blind boolean, at timestamptz)
    order by id on conflict do nothing returning id`);
  const inserted = new Set(stored.map(({ id }) => id));
  return items.filter(({ id }) => inserted.has(id));
}

/** Adds newly applicable queues to existing items. */
async function addQueues(
  tx: Pick<Database, 'execute'>,
  projectId: string,
  items: readonly NewItem[],
): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map(({ id, place }) => ({
    id,
    queues: place.queues,
    reason: place.reason,
    priority: place.priority,
  }));
  await tx.execute(sql`
    update review_items i set queues = array(select distinct q from (select unnest(i.queues) union select jsonb_array_elements_text(r.queues)) as u(q)),
      reason = coalesce(r.reason, i.reason), priority = greatest(i.priority, r.priority)
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id text, queues jsonb, reason text, priority double precision)
    where i.project_id = ${projectId} and i.id = r.id and i.state = 'open'
      and (r.reason is distinct from i.reason or not i.queues @> array(select jsonb_array_elements_text(r.queues)))`);
}

/**
 * Withdraws the least urgent items of an overfull queue, the oldest first, except items that
 * someone has reserved or ruled on.
 */
async function dropBeyondBound(
  tx: Pick<Database, 'execute'>,
  projectId: string,
  slugs: readonly string[],
): Promise<void> {
  const full = await listFull(tx, projectId);
  for (const slug of slugs) {
    if (!full.has(slug)) continue;
    await tx.execute(sql`
      update review_items set state = 'withdrawn' where project_id = ${projectId} and id in (
        select id from review_items
        where project_id = ${projectId} and verifier_slug = ${slug} and state = 'open' and probability is null
        order by (reserved_until > now()) is true desc, ruled_by <> '{}' desc, priority desc, id desc offset ${openItemsMax}
      ) and ruled_by = '{}' and (reserved_until > now()) is not true`);
  }
}
