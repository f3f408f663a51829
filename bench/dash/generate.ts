import type { Sql } from 'postgres';
import { createTestProject } from '../../testing/database';
import type { ProjectCtx } from '../../server/access';
import { refreshPending } from '../../server/measures';
import { partColumn, spreadOffset, spreadRatio } from '../../server/verdicts';
import type { Settings } from '../run';
import type { Stage } from '../stage';

/** A project full of verdicts, identical for the same number of rows. */
export interface Generated {
  readonly project: ProjectCtx;
  readonly rows: number;
  readonly from: Date;
}

export const models = 8;
export const days = 30;
const verifiers = ['integrity', 'task', 'code', 'agent-output'] as const;
const perRequest = 250_000;

const generatedByStage = new WeakMap<Stage, Map<number, Promise<Generated>>>();

export function rowsWanted({ smoke }: Settings): number {
  const option = process.argv.find((arg) => arg.startsWith('--rows='))?.slice('--rows='.length);
  return option === undefined ? (smoke ? 20_000 : 5_000_000) : Number(option);
}

/**
 * Verdicts of 8 models by 4 verifiers over the last 30 days, three versions of each, 1 % of them
 * labelled; code in three tiers, checkpoints of three complexities of which 5 % were judged by the
 * model that did the work, tasks in missions of 1,000, and 5 % retries. Generated once per stage,
 * with a project for each number of rows.
 */
export function generate(stage: Stage, settings: Settings, rows: number): Promise<Generated> {
  const known = generatedByStage.get(stage) ?? new Map<number, Promise<Generated>>();
  generatedByStage.set(stage, known);
  const found = known.get(rows) ?? fill(stage, settings, rows);
  known.set(rows, found);
  return found;
}

async function fill(stage: Stage, settings: Settings, rows: number): Promise<Generated> {
  const project = await createTestProject(stage.runtime);
  const { projectId } = project;
  const began = performance.now();
  // Statements over all rows take longer than the product allows.
  const sql = await stage.sql.reserve();
  await sql`set statement_timeout = 0`;
  await sql`set maintenance_work_mem = '512MB'`;
  await sql`set work_mem = '256MB'`;
  await withoutIndexes(sql, async () => {
    for (let from = 1; from <= rows; from += perRequest)
      await insertVerdicts(sql, projectId, from, Math.min(from + perRequest - 1, rows), rows);
  });
  const inserted = performance.now();
  await rollUp(sql, projectId);
  await sql`
    insert into labels (project_id, id, kind, subject_id, success, selection, content_hash, created_by)
    select ${projectId}, 'lbl' || n, 'outcome', 's' || n, hashint4(n) % 10 < 8, 'reported', 'h', 'bench' from generate_series(100, ${rows}::int, 100) n`;
  await sql`
    insert into judgement_dues (project_id, subject_id, due_at)
    select project_id, subject_id, now() from labels where project_id = ${projectId}`;
  await sql`analyze verdicts, labels, judgement_dues, verdict_rollups, verdict_populations, verdict_spreads`;
  const labelled = performance.now();
  while ((await refreshPending(stage.runtime.ctx)) > 0);
  await sql`vacuum analyze judgements, judgement_rollups, judgement_dues, verdicts`;
  const ended = performance.now();
  await checkRollups(sql, projectId);
  await sql`reset all`;
  sql.release();
  settings.log({
    generated: rows,
    insertSeconds: Math.round((inserted - began) / 1000),
    labels: Math.floor(rows / 100),
    refreshedPerSecond: Math.round(Math.floor(rows / 100) / ((ended - labelled) / 1000)),
  });
  const today = Math.floor(project.clock.now().getTime() / 86_400_000) * 86_400_000;
  return { project, rows, from: new Date(today - (days - 1) * 86_400_000) };
}

/** Verdicts and their rollups in a project that has none yet; without labels. */
export async function storeVerdicts(sql: Sql, projectId: string, rows: number): Promise<void> {
  for (let from = 1; from <= rows; from += perRequest)
    await insertVerdicts(sql, projectId, from, Math.min(from + perRequest - 1, rows), rows);
  await rollUp(sql, projectId);
}

/** Building the indexes from all rows at once takes a third of the time. */
async function withoutIndexes(sql: Sql, fillTable: () => Promise<void>): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select c.relname as name, pg_get_indexdef(c.oid) as definition from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'verdicts'::regclass and not i.indisprimary`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  await fillTable();
  for (const { definition } of indexes) await sql.unsafe(definition);
}

/** All values are hashes of the row's number: identical in every run, and uncorrelated. */
async function insertVerdicts(
  sql: Sql,
  projectId: string,
  from: number,
  to: number,
  rows: number,
): Promise<void> {
  await sql`
    insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, turn_id, session_id, model, outcome,
      verdict, action, score, needs_human_review, decision_state, issues, judge_model, cross_model, retries_used, mission_id, cost_usd, detail, excerpt, created_at, settled_at)
    select ${projectId}, 'ver_' || lpad(n::text, 10, '0'), slug, slug, 1 + n / (${rows}::int / 3 + 1), 'turn',
      's' || n, 1, 's' || n, 'session' || n / 20, 'model-' || (h / 7 % ${models}), o.outcome, case o.outcome when 'passed' then 'verified' when 'failed' then 'unsourced' end,
      'none', case when o.outcome in ('passed', 'failed') then (h % 1000) / 1000.0 end, false, 'run', '[]',
      case when h % 3 = 0 then 'gpt-4o-mini' end, case when slug = 'agent-output' and h / 13 % 20 = 0 then 'self' end, case when slug in ('task', 'agent-output') then (h / 17 % 20 = 0)::int end,
      case when slug = 'task' then 'mission' || n / 1000 end, (h % 97) / 10000.0,
      case slug when 'code' then jsonb_build_object('tier', 'tier' || h / 19 % 3) when 'agent-output' then jsonb_build_object('complexity', 'complexity' || h / 19 % 3)
        else '{"figures": [], "unsourced": 0}' end, 'The disk is ' || h % 100 || ' % full.',
      at - (1 + h % 5000) * interval '1 ms', at
    from (
      select n, abs(hashint4(n)::bigint) as h, date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + interval '1 hour'
        - (${days - 1} - (n::bigint * ${days} / (${rows}::bigint + 1))) * interval '1 day' + (n % 60000) * interval '1 ms' as at
      from generate_series(${from}::int, ${to}::int) n
    ) as drawn, lateral (select ${JSON.stringify(verifiers)}::text::jsonb ->> (h % ${verifiers.length})::int as slug) as s, lateral (select case when h / 11 % 100 < 78 then 'passed' when h / 11 % 100 < 95 then 'failed' when h / 11 % 100 < 98 then 'inconclusive' else 'needs_review' end) as o(outcome)`;
}

async function rollUp(sql: Sql, projectId: string): Promise<void> {
  await sql`
    insert into verdict_rollups (project_id, day, verifier_slug, model, passed, failed, needs_review, inconclusive, self_passed, self_failed)
    select project_id, (settled_at at time zone 'UTC')::date, verifier_slug, model, count(*) filter (where outcome = 'passed'),
      count(*) filter (where outcome = 'failed'), count(*) filter (where outcome = 'needs_review'), count(*) filter (where outcome = 'inconclusive'),
      count(*) filter (where outcome = 'passed' and cross_model = 'self'), count(*) filter (where outcome = 'failed' and cross_model = 'self')
    from verdicts where project_id = ${projectId} group by 1, 2, 3, 4`;
  await sql`
    insert into verdict_populations (project_id, verifier_slug, day, version, model, judge, self, part, passed, failed)
    select project_id, verifier_slug, (settled_at at time zone 'UTC')::date, verifier_version, model, coalesce(judge_model, ''),
      cross_model is not distinct from 'self', ${partColumn(sql)}, count(*) filter (where outcome = 'passed'), count(*) filter (where outcome = 'failed')
    from verdicts where project_id = ${projectId} and outcome in ('passed', 'failed') group by 1, 2, 3, 4, 5, 6, 7, 8`;
  await sql`
    insert into verdict_spreads (project_id, day, verifier_slug, model, measure, counts)
    select project_id, day, verifier_slug, model, measure, jsonb_object_agg(bucket, n) from (
    select project_id, (settled_at at time zone 'UTC')::date as day, verifier_slug, model, each.measure,
      case when value = 0 then 0 else ceil(ln(value) / ln(${spreadRatio}::double precision))::int + ${spreadOffset}::int end as bucket, count(*) as n
    from verdicts, lateral (values ('score', score), ('cost', cost_usd), ('wait', (extract(epoch from settled_at - created_at) * 1000)::double precision)) as each(measure, value)
    where project_id = ${projectId} and value is not null group by 1, 2, 3, 4, 5, 6
    ) as buckets group by 1, 2, 3, 4, 5`;
}

/**
 * @throws Error if the counts of labelled verdicts differ from the verdicts and labels themselves,
 * which voids the run
 */
async function checkRollups(sql: Sql, projectId: string): Promise<void> {
  const [row] = await sql<
    Record<'caught' | 'missed' | 'rejected' | 'passed' | 'c' | 'm' | 'r' | 'p', string>[]
  >`
    select k.*, raw.* from (
      select sum(caught) as caught, sum(missed) as missed, sum(rejected) as rejected, sum(passed) as passed
      from judgement_rollups where project_id = ${projectId}
    ) as k, (
      select count(*) filter (where v.outcome = 'failed' and not l.success) as c, count(*) filter (where v.outcome = 'passed' and not l.success) as m,
        count(*) filter (where v.outcome = 'failed' and l.success) as r, count(*) filter (where v.outcome = 'passed' and l.success) as p
      from labels l join verdicts v on v.project_id = l.project_id and v.subject_kind = 'turn' and v.subject_id = l.subject_id
      where l.project_id = ${projectId}
    ) as raw`;
  if (
    row === undefined ||
    row.caught !== row.c ||
    row.missed !== row.m ||
    row.rejected !== row.r ||
    row.passed !== row.p
  ) {
    throw new Error(`void: judgements and labels differ: ${JSON.stringify(row)}`);
  }
}
