import type { Sql } from 'postgres';
import { planMore } from '../ingest';
import { type Ctx, newId } from '../platform';
import { planVerifications } from './plan-verifications';
import { type Conversation, readConversation } from './read-conversation';
import type { RuleBook } from './rule-book';

/** Maximum number of sessions or missions planned in one transaction. */
const stepSize = 200;
/** Minimum age of turns to plan: the transaction that stores a newer one may still be running. */
const settledAfterSeconds = 5;

interface IdleSetting {
  readonly project_id: string;
  readonly target: Conversation;
  readonly idle_seconds: number;
}

/**
 * Plans verifications of sessions and missions that became idle, in projects with such rules. Any
 * number of processes may run this: each conversation is planned once. Returns whether more are
 * left.
 * @throws on storage faults
 */
export async function planIdle(ctx: Ctx, rules: RuleBook): Promise<boolean> {
  const settings = await ctx.sql<IdleSetting[]>`
    select r.project_id, r.target, coalesce(max(s.session_idle_seconds), 1800) as idle_seconds
    from rules r left join project_settings s on s.project_id = r.project_id
    where r.enabled and r.target in ('session', 'mission')
    group by r.project_id, r.target order by 1, 2`;
  let more = false;
  for (const each of settings) more = (await planConversations(ctx, rules, each)) || more;
  return more;
}

async function planConversations(
  ctx: Ctx,
  rules: RuleBook,
  setting: IdleSetting,
): Promise<boolean> {
  const { project_id: projectId, target, idle_seconds: idleSeconds } = setting;
  return ctx.sql.begin(async (tx) => {
    const sql = tx as unknown as Sql;
    const [lock] = await sql<{ taken: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtextextended(${`idle ${target} ${projectId}`}, 0)) as taken`;
    if (lock?.taken !== true) return false;
    const [range] = await sql<{ from: string; to: string }[]>`
      select coalesce(
        (select planned_to from rule_planning where project_id = ${projectId} and target = ${target}),
        (select min(created_at) from rules where project_id = ${projectId} and target = ${target})
      )::text as from, (now() - ${Math.max(idleSeconds, settledAfterSeconds)} * interval '1 second')::text as to`;
    if (range === undefined) return false;
    const idle = await idleOf(sql, projectId, target, range);
    const isFull = idle.length === stepSize;
    const to = isFull ? (idle.at(-1)?.at ?? range.to) : range.to;
    for (const { id } of idle) await planOne(ctx, sql, rules, { projectId, target, id });
    await sql`
      insert into rule_planning as p (project_id, target, planned_to)
      values (${projectId}, ${target}, ${to}::timestamptz)
      on conflict (project_id, target) do update set planned_to = greatest(p.planned_to, excluded.planned_to)`;
    return isFull;
  });
}

/** Conversations whose last turn or verdict is in the range, earliest first. */
function idleOf(
  sql: Sql,
  projectId: string,
  target: Conversation,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<{ id: string; at: string }[]> {
  return target === 'session'
    ? sql`
        select session_id as id, max(received_at)::text as at from turns t
        where project_id = ${projectId} and session_id is not null and origin <> 'experiment'
          and received_at > ${from}::timestamptz and received_at <= ${to}::timestamptz
          and not exists (
            select from turns later where later.project_id = t.project_id
              and later.session_id = t.session_id and later.origin <> 'experiment' and later.received_at > ${to}::timestamptz)
        group by session_id order by max(received_at), 1 limit ${stepSize}`
    : sql`
        select mission_id as id, max(created_at)::text as at from subjects s
        where project_id = ${projectId} and mission_id is not null and id <> mission_id
          and created_at > ${from}::timestamptz and created_at <= ${to}::timestamptz
          and not exists (
            select from subjects later where later.project_id = s.project_id
              and later.mission_id = s.mission_id and later.id <> later.mission_id
              and later.created_at > ${to}::timestamptz)
        group by mission_id order by max(created_at), 1 limit ${stepSize}`;
}

export interface PlanConversation {
  readonly projectId: string;
  readonly target: Conversation;
  readonly id: string;
}

/**
 * Plans the verifications of one session or mission in its current state; verifications already
 * planned are kept. Returns the number of planned verifications; null if the session or mission is
 * empty.
 */
export async function planOne(
  ctx: Ctx,
  sql: Sql,
  rules: RuleBook,
  { projectId, target, id }: PlanConversation,
): Promise<number | null> {
  const conversation = await readConversation(sql, projectId, target, id);
  if (conversation === null) return null;
  const decided = await sql<{ rule: string }[]>`
    select rule from decisions
    where project_id = ${projectId} and subject_id = ${id} and revision = ${conversation.revision}
      and subject_kind = ${target}`;
  const known = new Set(decided.map(({ rule }) => rule));
  const now = ctx.clock.now();
  const planned = planVerifications({
    rules: (await rules.read(projectId)).filter(({ name }) => !known.has(name)),
    target,
    subject: conversation.subject,
    newVerdictId: () => newId('ver', now),
  });
  await planMore(sql, {
    projectId,
    target,
    subjectId: id,
    revision: conversation.revision,
    planned,
  });
  return planned.verdicts.length;
}
