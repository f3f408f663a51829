import type { Sql, TransactionSql } from 'postgres';
import type { Owed } from './owe';
import { counterShard } from './store-turns';

/**
 * Owes one stored turn more verdicts: work rows, decisions, counters and the wake-up, in the
 * caller's transaction.
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
  await sql`
    with owing as (
      insert into work (project_id, id, subject_kind, subject_id, revision, verifier, rule, due_at)
      select ${projectId}, w, 'turn', ${subjectId}, ${revision}, v, r, now() + d * interval '1 second'
      from json_to_recordset(${JSON.stringify(verdicts)}::text::json) as q(w text, v text, r text, d int)
    ), decided as (
      insert into decisions (project_id, subject_id, revision, rule, rule_version, subject_kind, verifier, state, reason, verdict_id)
      select ${projectId}, ${subjectId}, ${revision}, r, rv, 'turn', v, st, re, w
      from json_to_recordset(${JSON.stringify(decisions)}::text::json) as q(r text, rv int, v text, st text, re text, w text)
      on conflict do nothing
      returning rule, state
    )
    insert into decision_rollups as c (project_id, day, rule, state, shard, count)
    select ${projectId}, (now() at time zone 'UTC')::date, rule, state, ${counterShard(0)}, count(*) from decided group by rule, state
    on conflict (project_id, day, rule, state, shard) do update set count = c.count + excluded.count`;
  await sql`select pg_notify('assay_work', '')`;
}
