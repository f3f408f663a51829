import type { Fragment } from 'postgres';
import { z } from 'zod';
import type { ProjectCtx } from '../access';
import { cleanValue, intakeLimits, sliceItems, sliceMembers, storableJson } from '../domain';
import {
  asAssayError,
  type AssayError,
  conflict,
  deletedMessage,
  derivedId,
  errorText,
  findDeletedSubjects,
  invalid,
  fieldSentence,
  issueDetails,
  newId,
  notJson,
  sha256,
  unknownMembers,
} from '../platform';
import { refreshesOf } from '../queue';
import { recordDeadLetters } from '../ingest';
import { WireOutcome } from './input';
import { refreshLabelled } from './enqueue-labelled';
import { raterOfLabel } from './rater';
import { labelledAt } from './labelled-at';
import { notifyLabelled } from './notify-labelled';

export interface TakeOutcomesInput {
  readonly body: Buffer;
  /** The request's `Idempotency-Key`, if it has one. */
  readonly idempotencyKey: string | null;
}

export interface OutcomesTaken {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly {
    readonly index: number;
    readonly code: string;
    readonly message: string;
  }[];
}

interface Rejected {
  readonly index: number;
  readonly code: string;
  readonly message: string;
  readonly body: Buffer;
}

interface Entry {
  readonly index: number;
  readonly raw: string;
  readonly outcome: WireOutcome;
}

interface Label {
  readonly index: number;
  readonly raw: string;
  readonly id: string;
  readonly subjectId: string;
  readonly verdictId: string | null;
  readonly outcome: WireOutcome;
  /** Null if the caller names no rater: `created_by` is then the rater. */
  readonly rater: string | null;
  readonly hash: string;
}

/**
 * Stores ground truth as labels, which are appended and never edited. Items are checked one by one:
 * the same id with the same content is a duplicate, the same id with other content is rejected.
 * @throws AssayError invalid_request (the body is invalid as a whole), forbidden (another rater
 * without the scope `impersonate`), conflict (all items conflict), unavailable
 */
export async function takeOutcomes(
  ctx: ProjectCtx,
  input: TakeOutcomesInput,
): Promise<OutcomesTaken> {
  try {
    const { entries, rejected } = readOutcomes(input.body);
    // This check refuses the whole request: a caller that may not name raters must not learn which
    // of its items would have been stored.
    for (const { outcome } of entries) if (outcome.rater != null) raterOfLabel(ctx, outcome.rater);
    const subjects = await findSubjects(ctx, entries);
    const deleted = await findDeletedSubjects(ctx, [
      ...entries.flatMap(({ outcome }) => outcome.subject_id ?? outcome.turn_id ?? []),
      ...subjects.values(),
    ]);
    const labels: Label[] = [];
    for (const entry of entries) {
      const about = subjectOf(entry.outcome, subjects);
      if (about === 'not_there')
        rejected.push(
          refusal(entry, 'not_found', '`verification_id` names no verification of this project.'),
        );
      else if (about === 'disagree')
        rejected.push(refusal(entry, 'invalid', disagreement(entry.outcome)));
      else if (deleted.has(about.subjectId))
        rejected.push({ ...refusal(entry, 'deleted', deletedMessage), body: Buffer.alloc(0) });
      else {
        const fault = timeFault(ctx, entry.outcome);
        if (fault !== null) rejected.push(refusal(entry, fault.code, errorText(fault).message));
        else labels.push(labelOf(ctx, entry, about, input.idempotencyKey));
      }
    }
    const { accepted, duplicates, conflicts } = await storeLabels(ctx, labels);
    const otherLabels = conflicts.map((label) =>
      refusal(label, 'conflict', `\`id\` was used before with other content: "${label.id}".`),
    );
    if (otherLabels.length > 0 && otherLabels.length === entries.length + rejected.length)
      throw conflict(otherLabels[0]?.message ?? 'conflict');
    rejected.push(...otherLabels);
    await recordDeadLetters(ctx, { route: '/v1/outcomes', request: input.body, rejected });
    return {
      accepted,
      duplicates,
      rejected: rejected
        .map(({ index, code, message }) => ({ index, code, message }))
        .sort((a, b) => a.index - b.index),
    };
  } catch (error) {
    throw asAssayError(error);
  }
}

function refusal(
  { index, raw }: { readonly index: number; readonly raw: string },
  code: string,
  message: string,
): Rejected {
  return { index, code, message, body: Buffer.from(raw) };
}

/** The members of the body; the outcomes are validated one by one. */
const Batch = z.object({ outcomes: z.array(z.unknown()).max(intakeLimits.turnsPerRequest) });

/** @throws AssayError invalid_request */
function readOutcomes(body: Buffer): { readonly entries: Entry[]; readonly rejected: Rejected[] } {
  const text = body.toString('utf8');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw notJson('the body', text);
  }
  const unknown = unknownMembers([Batch], parsed);
  const batch = Batch.safeParse(parsed);
  const faults = [...unknown, ...issueDetails(batch.error?.issues ?? [])];
  if (faults[0] !== undefined) throw invalid(faults[0].message, faults);
  const values = batch.data?.outcomes ?? [];
  const slices = sliceItems(text, sliceMembers(text).get('outcomes')?.start ?? 0);
  const entries: Entry[] = [];
  const rejected: Rejected[] = [];
  values.forEach((value: unknown, index) => {
    const raw = text.slice(slices[index]?.start, slices[index]?.end);
    const [odd] = unknownMembers([WireOutcome], value);
    if (odd !== undefined) {
      rejected.push(refusal({ index, raw }, 'invalid', fieldSentence(odd)));
      return;
    }
    const outcome = WireOutcome.safeParse(value);
    if (outcome.success) {
      entries.push({ index, raw, outcome: cleanValue(outcome.data) as WireOutcome });
      return;
    }
    const [first] = issueDetails(outcome.error.issues);
    rejected.push(
      refusal(
        { index, raw },
        'invalid',
        first === undefined ? 'The outcome is not valid.' : fieldSentence(first, 'the outcome'),
      ),
    );
  });
  return { entries, rejected };
}

/** The subjects of the named verifications, settled or pending. */
async function findSubjects(
  ctx: ProjectCtx,
  entries: readonly Entry[],
): Promise<Map<string, string>> {
  const ids = entries.flatMap(({ outcome }) => outcome.verification_id ?? []);
  if (ids.length === 0) return new Map();
  const wanted = storableJson([...new Set(ids)]);
  const rows = await ctx.sql<{ id: string; subject_id: string }[]>`
    select k.id, coalesce(v.subject_id, w.subject_id) as subject_id from jsonb_array_elements_text(${wanted}::text::jsonb) as k(id)
    left join verdicts v on v.project_id = ${ctx.projectId} and v.id = k.id
    left join work w on w.project_id = ${ctx.projectId} and w.id = k.id
    where v.id is not null or w.id is not null`;
  return new Map(rows.map((row) => [row.id, row.subject_id]));
}

interface About {
  readonly subjectId: string;
  readonly verdictId: string | null;
}

/** `disagree`: the verification's subject is not the subject that the outcome names. */
function subjectOf(
  outcome: WireOutcome,
  subjects: ReadonlyMap<string, string>,
): About | 'not_there' | 'disagree' {
  const verdictId = outcome.verification_id ?? null;
  const verified = verdictId === null ? null : (subjects.get(verdictId) ?? null);
  if (verdictId !== null && verified === null) return 'not_there';
  const named = outcome.subject_id ?? outcome.turn_id ?? null;
  if (named !== null && verified !== null && named !== verified) return 'disagree';
  const subjectId = named ?? verified;
  return subjectId === null ? 'not_there' : { subjectId, verdictId };
}

/** Why the outcome's time is refused, or null. */
function timeFault(ctx: ProjectCtx, { created_at: said }: WireOutcome): AssayError | null {
  try {
    labelledAt(ctx, said);
    return null;
  } catch (error) {
    return asAssayError(error);
  }
}

function disagreement({ subject_id: subject }: WireOutcome): string {
  const other = (subject ?? null) === null ? 'turn_id' : 'subject_id';
  return `\`verification_id\` belongs to another subject than \`${other}\`; send one of them.`;
}

function labelOf(
  ctx: ProjectCtx,
  { index, raw, outcome }: Entry,
  about: About,
  key: string | null,
): Label {
  const { success = null, score = null, source = null, note = null } = outcome;
  const own =
    key === null
      ? newId('lbl', ctx.clock.now())
      : derivedId('lbl', ctx.projectId, key, String(index));
  const dated = outcome.created_at == null ? [] : [outcome.created_at];
  const rater = outcome.rater == null ? null : raterOfLabel(ctx, outcome.rater);
  const named = rater === null || rater === ctx.actor.label ? [] : [{ rater }];
  const hash = sha256(
    JSON.stringify([
      about.subjectId,
      about.verdictId,
      success,
      score,
      source,
      note,
      ...dated,
      ...named,
    ]),
  );
  return { index, raw, id: outcome.id ?? own, ...about, outcome, rater, hash };
}

interface Stored {
  readonly accepted: number;
  readonly duplicates: number;
  readonly conflicts: readonly Label[];
}

async function storeLabels(ctx: ProjectCtx, labels: readonly Label[]): Promise<Stored> {
  const firsts = new Map<string, Label>();
  for (const label of labels) if (!firsts.has(label.id)) firsts.set(label.id, label);
  const rows = storableJson(
    [...firsts.values()].map(({ id, subjectId, verdictId, outcome, rater, hash }) => ({
      i: id,
      s: subjectId,
      v: verdictId,
      y: outcome.success ?? null,
      x: outcome.score ?? null,
      o: outcome.source ?? null,
      n: outcome.note ?? null,
      r: rater,
      h: hash,
      t: outcome.created_at ?? null,
    })),
  );
  const stored = await ctx.sql<{ id: string; subject_id: string }[]>`
    with stored as (
      insert into labels (project_id, id, kind, subject_id, verdict_id, verifier_slug, success, score, source, note, rater, selection, policy,
        content_hash, created_by, created_at)
      select ${ctx.projectId}, i, 'outcome', s, v, d.verifier_slug, y, x, o, n, r, 'reported', d.policy, h, ${ctx.actor.label}, coalesce(t, now())
      from jsonb_to_recordset(${rows}::text::jsonb) as sent(
        i text, s text, v text, y boolean, x double precision, o text, n text, r text, h text, t timestamptz)
      left join lateral (
        select verifier_slug, (
          select max(version) from label_policies p where p.project_id = ${ctx.projectId} and p.verifier_slug = named.verifier_slug
        ) as policy
        from verdicts named where named.project_id = ${ctx.projectId} and named.id = sent.v limit 1
      ) d on true
      order by i
      on conflict do nothing
      returning project_id, id, subject_id, created_at
    ), due as (${refreshesOf(ctx, ctx.sql`select project_id, subject_id from stored`)})
    ${ctx.simulated ? reviewQueueRewound(ctx) : ctx.sql``}
    select id, subject_id from stored`;
  if (stored.length > 0) {
    await notifyLabelled(ctx, ctx.db, stored.length);
    await refreshLabelled(
      ctx,
      stored.map((row) => row.subject_id),
    );
  }
  const fresh = new Set(stored.map((row) => row.id));
  const known = await ctx.sql<{ id: string; content_hash: string }[]>`
    select l.id, l.content_hash from jsonb_to_recordset(${rows}::text::jsonb) as r(i text)
    join labels l on l.project_id = ${ctx.projectId} and l.id = r.i`;
  const hashes = new Map(known.map((row) => [row.id, row.content_hash]));
  const otherLabels = labels.filter(
    (label) => !fresh.has(label.id) || firsts.get(label.id) !== label,
  );
  const conflicts = otherLabels.filter((label) => hashes.get(label.id) !== label.hash);
  return {
    accepted: labels.length - otherLabels.length,
    duplicates: otherLabels.length - conflicts.length,
    conflicts,
  };
}

/**
 * A common table expression that moves the cursor of the review queue back to the oldest stored
 * label: the cursor advances by the times of labels, and these may be back-dated. Reads `stored`.
 */
function reviewQueueRewound({ sql, projectId }: ProjectCtx): Fragment {
  return sql`, turned_back as (
      update review_cursors set drawn_to = least(drawn_to, first.at - interval '1 microsecond')
      from (select min(created_at) as at from stored) as first where project_id = ${projectId} and first.at is not null
    )`;
}
