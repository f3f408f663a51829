import type { Sql, TransactionSql } from 'postgres';
import { enqueueDecided } from '../../queue';
import type { Owed } from './owe';
import { counterShard } from './store-turns';

/**
 * Enqueues more verifications of one stored turn: work rows, decisions, counters and the wake-up,
 * in the caller's transaction.
 */
export async function oweMore(
  sql: Sql | TransactionSql,
  input: {
    readonly projectId: string;
    readonly subjectId: string;
    readonly revision: number;
    readonly owed: Owed;
  },
): Promise<void> {
  const { projectId, subjectId, revision, owed } = input;
  const verdicts = owed.verdicts.map((each) => ({
    w: each.verdictId,
    v: each.verifier,
    r: each.rule,
    d: each.delaySeconds,
  }));
  const decisions = owed.decisions.map((each) => ({
    r: each.rule,
    rv: each.ruleVersion,
    v: each.verifier,
    st: each.state,
    re: each.reason,
    w: each.verdictId,
  }));
  const enqueued = enqueueDecided(sql, {
    shard: counterShard(0),
    work: sql`
      select ${projectId}, w, 'turn', ${subjectId}, ${revision}, v, r, null, 0, 0,
        now() + d * interval '1 second'
      from json_to_recordset(${JSON.stringify(verdicts)}::text::json) as q(
        w text, v text, r text, d int)`,
    decisions: sql`
      select ${projectId}, ${subjectId}, ${revision}, r, rv, 'turn', v, st, re, w, now()
      from json_to_recordset(${JSON.stringify(decisions)}::text::json) as q(
        r text, rv int, v text, st text, re text, w text)`,
  });
  await sql`with ${enqueued} select`;
  await sql`select pg_notify('assay_work', '')`;
}
