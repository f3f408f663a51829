import type { Fragment, Sql } from 'postgres';
import { subjectKindsOf } from '../../verdicts';
import type { Retention } from '../input';

export type Cutoffs = Retention;
interface Within {
  readonly sql: Sql;
  readonly projectId: string;
}

/** Counted classes in the order of deletion, with their displayed names. */
export const countedClasses = [
  { table: 'turns', name: 'turns', of: 'content' },
  { table: 'traces', name: 'traces', of: 'content' },
  { table: 'subjects', name: 'subjects of verify calls', of: 'content' },
  { table: 'gateway_calls', name: 'proxied calls', of: 'content' },
  { table: 'llm_calls', name: 'replies of models', of: 'content' },
  { table: 'dead_letters', name: 'refused messages', of: 'content' },
  { table: 'verdicts', name: 'verdicts', of: 'records' },
  { table: 'labels', name: 'labels', of: 'records' },
  { table: 'foreign_scores', name: 'scores of other tools', of: 'records' },
  { table: 'decisions', name: 'decisions of rules', of: 'records' },
] as const;
export type CountedTable = (typeof countedClasses)[number]['table'];

const before = ({ sql }: Within, days: number | null): Fragment =>
  sql`(now() - ${days ?? 36_500} * interval '1 day')`;

/** Whether people have labelled the subject, or an anchor set contains it. */
function labelled(
  { sql, projectId }: Within,
  subject: Fragment,
  { keepLabelled }: Cutoffs,
): Fragment {
  if (!keepLabelled) return sql`false`;
  return sql`(exists (select from labels l where l.project_id = ${projectId} and l.subject_id = ${subject} and l.kind <> 'undo')
    or exists (select from anchor_items a where a.project_id = ${projectId} and a.subject_id = ${subject}))`;
}

/** Whether a verdict on the subject is still pending. */
const waits = ({ sql, projectId }: Within, subject: Fragment): Fragment =>
  sql`exists (select from work w where w.project_id = ${projectId} and w.subject_id = ${subject})`;

/**
 * Rows of content older than the project's retention, as a relation with their `ctid`, oldest first
 * if an index allows it.
 */
export function oldContent(ctx: Within, table: CountedTable, cutoffs: Cutoffs): Fragment {
  const { sql, projectId } = ctx;
  const at = before(ctx, cutoffs.contentDays);
  switch (table) {
    case 'turns':
      return sql`select t.ctid as place, t.id from turns t where t.project_id = ${projectId} and t.received_at < ${at}
        and not ${waits(ctx, sql`t.id`)} and not ${labelled(ctx, sql`t.id`, cutoffs)}`;
    case 'traces':
      return sql`select t.ctid as place, t.id from traces t where t.project_id = ${projectId} and t.received_at < ${at} and t.last_received_at < ${at}
        and not ${waits(ctx, sql`t.id`)}
        and not exists (select from turns u where u.project_id = ${projectId} and u.trace_id = t.id and ${labelled(ctx, sql`u.id`, cutoffs)})`;
    case 'subjects':
      return sql`select t.ctid as place, t.id from subjects t where t.project_id = ${projectId} and t.kind = any (${subjectKindsOf(sql, projectId)})
        and t.created_at < ${at} and not ${waits(ctx, sql`t.id`)} and not ${labelled(ctx, sql`t.id`, cutoffs)}`;
    case 'gateway_calls':
      return sql`select t.ctid as place, t.id from gateway_calls t where t.project_id = ${projectId} and t.created_at < ${at}
        and not (t.turn_id is not null and ${labelled(ctx, sql`t.turn_id`, cutoffs)})`;
    case 'llm_calls':
      return sql`select t.ctid as place, t.id from llm_calls t where t.project_id = ${projectId} and t.created_at < ${at} and t.reply is not null`;
    default:
      return sql`select t.ctid as place, t.id from dead_letters t where t.project_id = ${projectId} and t.received_at < ${at}`;
  }
}

/**
 * The same for records. Labels are kept as long as a verdict on their subject exists, because
 * deleting them would change its counts.
 */
export function oldRecords(ctx: Within, table: CountedTable, cutoffs: Cutoffs): Fragment {
  const { sql, projectId } = ctx;
  const at = before(ctx, cutoffs.recordDays);
  switch (table) {
    case 'verdicts':
      return sql`select t.ctid as place, t.id from verdicts t where t.project_id = ${projectId} and t.settled_at < ${at}
        and not ${labelled(ctx, sql`t.subject_id`, cutoffs)}`;
    case 'labels':
      return sql`select t.ctid as place, t.id from labels t where t.project_id = ${projectId} and t.created_at < ${at} and not ${cutoffs.keepLabelled}
        and not exists (select from verdicts v where v.project_id = ${projectId} and v.subject_kind = any (${subjectKindsOf(sql, projectId)})
          and v.subject_id = t.subject_id)`;
    case 'foreign_scores':
      return sql`select t.ctid as place, t.id from foreign_scores t where t.project_id = ${projectId} and t.created_at < ${at}
        and not ${labelled(ctx, sql`coalesce(t.subject_id, t.turn_id, '')`, cutoffs)}`;
    default:
      return sql`select t.ctid as place, t.subject_id as id from decisions t where t.project_id = ${projectId} and t.decided_at < ${at}
        and not ${waits(ctx, sql`t.subject_id`)}`;
  }
}
