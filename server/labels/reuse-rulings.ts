import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { truthOf } from '../domain';
import { derivedId, sha256 } from '../platform';
import { countingRulings, effectiveRuling, loadRulings, type Ruling } from '../verdicts';
import { excerptKeyOf, findContentKey } from './content-key';
import { type JudgedVerdict, listJudged } from './judged';
import { enqueueLabelled, refreshLabelled } from './enqueue-labelled';
import { lockItem, resolveReviewItem } from './resolve-review-item';
import { isTakenBack, lockRuling } from './take-back';

/** A ruling whose content may equal that of a verdict. */
interface Candidate {
  readonly verdict_id: string;
  readonly label_id: string;
  readonly original: string;
  readonly content_key: string;
}

/** The most candidate rulings per excerpt. */
const candidatesMax = 50;

/**
 * Repeats rulings on equal content: if someone has already ruled on a verdict of the same verifier
 * on equal content, under the current policy, the new verdict gets a copy of that ruling as its own
 * label (`reused`). A verdict with a ruling gets none. The function is idempotent, and an undone
 * copy stays undone.
 *
 * There is almost never anything to repeat, which one statement detects: contents are read only if
 * a ruled verdict has the same excerpt.
 * @param keepAlive called before each verdict
 * @returns the number of verdicts that got a ruling
 */
export async function reuseRulings(
  ctx: ProjectCtx,
  verdictIds: readonly string[],
  keepAlive: () => Promise<unknown>,
): Promise<number> {
  if (verdictIds.length === 0) return 0;
  const candidates = await findCandidates(ctx, verdictIds);
  if (candidates.length === 0) return 0;
  const byVerdict = new Map<string, Candidate[]>();
  for (const each of candidates)
    byVerdict.set(each.verdict_id, [...(byVerdict.get(each.verdict_id) ?? []), each]);
  let reused = 0;
  for (const judged of await listJudged(ctx, [...byVerdict.keys()])) {
    await keepAlive();
    const key = await findContentKey(ctx, judged);
    const equal = (byVerdict.get(judged.id) ?? []).filter(
      (each) => key !== null && each.content_key === key,
    );
    const rulings = await rulingsToRepeat(ctx, equal);
    if (key === null || rulings.length === 0 || !(await repeat(ctx, judged, key, rulings)))
      continue;
    await refreshLabelled(ctx, [judged.subjectId]);
    reused++;
  }
  return reused;
}

/** Rulings under the current policies whose verdicts have the same excerpt, the latest first. */
function findCandidates(
  { sql, projectId }: ProjectCtx,
  verdictIds: readonly string[],
): Promise<Candidate[]> {
  return sql<Candidate[]>`
    with fresh as materialized (
      select v.id, v.verifier_slug, md5(v.verifier_slug || chr(10) || v.excerpt) as key
      from jsonb_array_elements_text(${JSON.stringify(verdictIds)}::text::jsonb) as k(id)
      cross join lateral (
        select id, verifier_slug, excerpt, outcome from verdicts where project_id = ${projectId} and id = k.id and experiment_id is null limit 1
      ) as v
      where v.outcome <> 'skipped'
    ), policies as materialized (
      select verifier_slug, max(version) as version from label_policies where project_id = ${projectId} group by verifier_slug
    )
    select f.id as verdict_id, l.id as label_id, l.verdict_id as original, l.content_key
    from fresh f
    cross join lateral (
      select id, verdict_id, content_key, policy, created_at from labels c
      where project_id = ${projectId} and excerpt_key = f.key and excerpt_key is not null and kind = 'override' and reuses is null
        and verifier_slug = f.verifier_slug and verdict_id <> f.id
        and not exists (select from verdicts e where e.project_id = c.project_id and e.id = c.verdict_id and e.experiment_id is not null)
      order by created_at desc, id desc limit ${candidatesMax}
    ) as l
    left join policies p on p.verifier_slug = f.verifier_slug
    left join lateral (select id from labels where project_id = ${projectId} and undoes = l.id limit 1) as undone on true
    left join lateral (
      select o.id from labels o where o.project_id = ${projectId} and o.verdict_id = f.id and o.kind = 'override'
        and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = o.id) limit 1
    ) as own on true
    where l.policy is not distinct from p.version and undone.id is null and own.id is null
    order by f.id, l.created_at desc, l.id desc`;
}

/**
 * The rulings that count of the most recently ruled verdict: one by a rater who saw the verdict, or
 * all votes, so that the copies count like the originals.
 */
async function rulingsToRepeat(
  ctx: ProjectCtx,
  equal: readonly Candidate[],
): Promise<readonly Ruling[]> {
  const original = equal[0]?.original;
  if (original === undefined) return [];
  const rulings = (await loadRulings(ctx, [original])).get(original) ?? [];
  const eligible = new Set(equal.map((each) => each.label_id));
  const effective = effectiveRuling(rulings);
  if (effective === null || !eligible.has(effective.id)) return [];
  return countingRulings(rulings).filter(({ id }) => eligible.has(id));
}

/** Returns whether anything was repeated. */
function repeat(
  ctx: ProjectCtx,
  judged: JudgedVerdict,
  contentKey: string,
  rulings: readonly Ruling[],
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    // Locks the originals, since a concurrent undo would not see these copies.
    for (const { id } of rulings) await lockRuling(tx, ctx, id);
    await lockItem(tx, ctx, judged.id);
    let created = 0;
    for (const { id, verdict, reason, rater, account, blind, policy } of rulings) {
      if (await isTakenBack(tx, ctx, id)) continue;
      const stored = await tx
        .insert(schema.labels)
        .values({
          projectId: ctx.projectId,
          id: derivedId('lbl', ctx.projectId, 'reuse', id, judged.id),
          kind: 'override',
          subjectId: judged.subjectId,
          verdictId: judged.id,
          verifierSlug: judged.verifierSlug,
          verdict,
          success: truthOf(verdict),
          rater,
          source: 'reuse',
          note: reason,
          selection: 'reused',
          policyVersion: judged.policyVersion,
          policy,
          blind,
          contentKey,
          excerptKey: excerptKeyOf(judged),
          reuses: id,
          contentHash: sha256(JSON.stringify(['reuse', id, judged.id])),
          // The copy is attributed to the original account, so that it is weighed with that
          // account's other rulings (S-35).
          createdBy: account,
        })
        .onConflictDoNothing()
        .returning({ id: schema.labels.id });
      const label = stored[0]?.id;
      if (label === undefined) continue;
      created++;
      await recordAudit(ctx, tx, ctx.actor, {
        projectId: ctx.projectId,
        action: 'labels.reuse',
        target: judged.id,
        detail: { label, repeats: id, verdict, rater },
      });
    }
    if (created === 0) return false;
    await resolveReviewItem(tx, ctx, judged.id);
    await enqueueLabelled(tx, ctx, [judged.subjectId], created);
    return true;
  });
}
