import { listModelDays } from '../../server/verdicts';
import { runRounds } from '../rounds';
import { absent, compare, type Row } from '../row';
import type { RowMaker } from '../run';
import { calling } from './calls';
import { type Generated, generate, models, days, rowsWanted } from './generate';

/**
 * D1: pass rate of each model on each of 30 days, as the models page reads it, compared with
 * reading as many rows of a table that contains nothing else, and with counting the verdicts
 * themselves. All as the tenant, over the same connections.
 */
export const d1: RowMaker = {
  name: 'D1',
  async make(stage, settings) {
    const rows = rowsWanted(settings);
    const full = await generate(stage, settings, rows);
    const { sql, projectId } = full.project;
    await stage.sql`
      create table if not exists bench_direct (project_id text, day date, model text, passed bigint, failed bigint, primary key (project_id, day, model))`;
    await stage.sql`grant select on bench_direct to assay_app`;
    await stage.sql`
      insert into bench_direct select project_id, day, model, sum(passed), sum(failed) from verdict_rollups where project_id = ${projectId} group by 1, 2, 3
      on conflict do nothing`;
    await stage.sql`vacuum analyze bench_direct, verdict_rollups`;
    await checkRight(full);
    const calls = settings.smoke ? 3 : 200;
    const measured = await runRounds(
      'D1',
      [
        calling(
          'direct',
          calls,
          () =>
            sql`select day::text, model, passed, failed from bench_direct where project_id = ${projectId}`,
        ),
        calling('assay', calls, () => listModelDays(full.project)),
        calling('raw', 1, () => countRaw(full)),
      ],
      settings,
    );
    const figure = `D1 pass rate of ${models} models on ${days} days, ${rows.toLocaleString('en')} verdicts, p95, against`;
    const assayValues = measured('assay', 'p95');
    const absentRows: Row[] = [
      absent(
        `${figure} a scan in DuckDB`,
        'ms',
        { max: 1 / 200 },
        '@duckdb/node-api is not installed here',
      ),
      absent(
        'D1 the procedure, p95, against an empty handler of Next',
        'ms',
        { max: 2 },
        'not measured: this bench starts no web process',
      ),
    ];
    return [
      compare({
        figure: `${figure} reading ${models * days} rows`,
        unit: 'ms',
        assayValues,
        floor: measured('direct', 'p95'),
        goal: { max: 6 },
      }),
      compare({
        figure: `${figure} counting verdicts`,
        unit: 'ms',
        assayValues,
        peer: measured('raw', 'p50'),
        goal: { max: 1 / 1000 },
      }),
      ...absentRows,
    ];
  },
};

function countRaw({ project: { sql, projectId }, from }: Generated) {
  return sql<{ model: string; day: string; passed: string; failed: string }[]>`
    select model, date_trunc('day', settled_at at time zone 'UTC')::date::text as day, count(*) filter (where outcome = 'passed') as passed,
      count(*) filter (where outcome = 'failed') as failed
    from verdicts where project_id = ${projectId} and settled_at >= ${from.toISOString()}::timestamptz group by 1, 2`;
}

async function checkRight(full: Generated): Promise<void> {
  const raw = new Map(
    (await countRaw(full)).map(({ model, day, passed, failed }) => [
      `${model} ${day}`,
      `${passed} ${failed}`,
    ]),
  );
  for (const { model, days: ofModel } of await listModelDays(full.project)) {
    for (const { day, passed, failed } of ofModel) {
      const wanted = raw.get(`${model} ${day}`) ?? '0 0';
      if (wanted !== `${passed} ${failed}`)
        throw new Error(`void: ${model} on ${day} has ${wanted}, reported as ${passed} ${failed}`);
    }
  }
}
