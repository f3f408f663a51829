import type { Sql, TransactionSql } from 'postgres';
import type { SubjectTarget } from '../../domain';
import { enqueueWithDecisions } from '../../queue';
import { awaitsColumn, type PlannedVerifications } from './plan-turns';
import { counterShard } from './store-turns';

/**
 * Plans verifications of a stored subject: work rows, decisions, counters and the wake-up, in the
 * caller's transaction.
 */
export async function planMore(
  sql: Sql | TransactionSql,
  input: {
    readonly projectId: string;
    readonly target: SubjectTarget;
    readonly subjectId: string;
    readonly revision: number;
    readonly planned: PlannedVerifications;
  },
): Promise<void> {
  const { projectId, target, subjectId, revision, planned } = input;
  const verdicts = planned.verdicts.map((each) => ({
    w: each.verdictId,
    v: each.verifier,
    r: each.rule,
    d: each.delaySeconds,
    aw: awaitsColumn(each),
  }));
  const decisions = planned.decisions.map((each) => ({
    r: each.rule,
    rv: each.ruleVersion,
    v: each.verifier,
    st: each.state,
    re: each.reason,
    w: each.verdictId,
  }));
  const enqueued = enqueueWithDecisions(sql, {
    shard: counterShard(0),
    work: sql`
      select ${projectId}, w, ${target}, ${subjectId}, ${revision}::int, v, r, null, 0, 0,
        now() + d * interval '1 second', aw, null, 'fast'
      from json_to_recordset(${JSON.stringify(verdicts)}::text::json) as q(
        w text, v text, r text, d int, aw jsonb)`,
    decisions: sql`
      select ${projectId}, ${subjectId}, ${revision}::int, r, rv, ${target}, v, st, re, w, now()
      from json_to_recordset(${JSON.stringify(decisions)}::text::json) as q(
        r text, rv int, v text, st text, re text, w text)`,
  });
  await sql`with ${enqueued} select`;
  await sql`select pg_notify('assay_work', '')`;
}
