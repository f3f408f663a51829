import {
  countLabelledVerdicts,
  countOutcomes,
  measureVerifiers,
  readAuditReach,
} from '../../server/measures';
import { readSpreads } from '../../server/verdicts';
import { runRounds } from '../rounds';
import { bound, compare, type Row } from '../row';
import type { RowMaker } from '../run';
import { calling } from './calls';
import { type Generated, generate, rowsWanted } from './generate';

const shares = [0.5, 0.95, 0.99] as const;

/**
 * D3: the measures of all verifiers, and percentiles of each model, over 30 days, compared with the
 * same from verdicts and labels.
 */
export const d3: RowMaker = {
  name: 'D3',
  async make(stage, settings) {
    const rows = rowsWanted(settings);
    const full = await generate(stage, settings, rows);
    const query = { verifier: 'task', measure: 'wait', from: full.from } as const;
    const error = await sketchError(full);
    const calls = settings.smoke ? 3 : 100;
    const measured = await runRounds(
      'D3',
      [
        calling('measures', calls, () => measureVerifiers(full.project, { from: full.from })),
        calling('rates', calls, () =>
          countLabelledVerdicts(full.project, 'verifier', { from: full.from }),
        ),
        calling('corrected', calls, () =>
          Promise.all([
            countOutcomes(full.project, { from: full.from }),
            readAuditReach(full.project, { from: full.from }),
          ]),
        ),
        calling('spreads', calls, () => readSpreads(full.project, query)),
        calling('raw measures', 1, () => rawMatrix(full)),
        calling('raw spreads', 1, () => rawPercentiles(full)),
      ],
      settings,
    );
    const pair = (figure: string, name: string, raw = name): Row[] => {
      const assayValues = measured(name, 'p95');
      return [
        bound({ figure: `D3 ${figure}, p95`, unit: 'ms', assayValues, goal: { max: 10 } }),
        compare({
          figure: `D3 ${figure}, p95, against the exact query over the rows`,
          unit: 'ms',
          assayValues,
          peer: measured(`raw ${raw}`, 'p50'),
          goal: { max: 1 / 50 },
        }),
      ];
    };
    return [
      ...pair('catch and false-positive rates of 4 verifiers over 30 days', 'rates', 'measures'),
      ...pair('what their corrected pass rates are made of', 'corrected', 'measures'),
      ...pair(
        'all ten measures together, retry success among them, which is counted from verdicts',
        'measures',
      ),
      ...pair('p50, p95 and p99 of the wait of each model over 30 days', 'spreads'),
      bound({
        figure: 'D3 error of percentiles, as a share of the value',
        unit: '1',
        assayValues: [error],
        goal: { max: 0.02 },
      }),
    ];
  },
};

/**
 * The matrix and the pass rate of each verifier, from verdicts and the latest outcome of each
 * subject.
 */
function rawMatrix({ project: { sql, projectId }, from }: Generated) {
  return sql`
    select v.verifier_slug, count(*) filter (where v.outcome = 'failed' and not t.success) as caught,
      count(*) filter (where v.outcome = 'passed' and not t.success) as missed, count(*) filter (where v.outcome = 'failed' and t.success) as rejected,
      count(*) filter (where v.outcome = 'passed' and t.success) as passed, count(*) filter (where v.outcome = 'passed') as passes
    from verdicts v left join (
      select distinct on (subject_id) subject_id, success from labels where project_id = ${projectId} and kind = 'outcome' and success is not null
      order by subject_id, created_at desc
    ) t on t.subject_id = v.subject_id
    where v.project_id = ${projectId} and v.settled_at >= ${from.toISOString()}::timestamptz group by 1`;
}

function rawPercentiles({ project: { sql, projectId }, from }: Generated) {
  return sql<{ model: string; values: string }[]>`
    select model, to_json(percentile_disc(array[0.5, 0.95, 0.99]) within group (order by extract(epoch from settled_at - created_at) * 1000))::text as values
    from verdicts where project_id = ${projectId} and verifier_slug = 'task' and settled_at >= ${from.toISOString()}::timestamptz group by 1`;
}

/** The worst of all models. */
async function sketchError(full: Generated): Promise<number> {
  const spreads = await readSpreads(full.project, {
    verifier: 'task',
    measure: 'wait',
    from: full.from,
  });
  const errors = (await rawPercentiles(full)).flatMap(({ model, values }) => {
    const spread = spreads.get(model);
    const estimates = [spread?.p50, spread?.p95, spread?.p99];
    return (JSON.parse(values) as number[]).map(
      (exact, place) => Math.abs((estimates[place] ?? Number.NaN) - exact) / exact,
    );
  });
  if (errors.length < shares.length || errors.some(Number.isNaN))
    throw new Error('void: percentiles are missing');
  return Math.max(...errors);
}
