/**
 * bench:simulate (SOAR-33, calibration.md 5.5): the simulation of 20 values of a threshold on
 * 100,000 labelled verdicts, compared with deciding each of them row by row for each value, which
 * must yield the same counts. `--rows=20000` uses fewer.
 */
import type { ProjectCtx } from '../server/access';
import { simulateThreshold } from '../server/experiments';
import { SimulateBody } from '../server/experiments/input';
import { resolveThresholds } from '../server/thresholds';
import { kinds } from '../server/verifiers';
import { calling } from './dash/calls';
import { runRounds } from './rounds';
import { bound, compare, type Row } from './row';
import { type RowMaker, runBench } from './run';

const values = Array.from({ length: 20 }, (_, n) => 0.41 + n * 0.03);
const body = SimulateBody.parse({ values });

/**
 * Labelled tasks with 400 different scores, 11 confidences, failed checks and disagreeing juries,
 * in 1,000 missions.
 */
async function insertLabelled({ sql, projectId }: ProjectCtx, rows: number): Promise<void> {
  await sql`
    insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, outcome, verdict, action, score,
      confidence, needs_human_review, decision_state, issues, detail, basis, excerpt, mission_id, threshold_value, threshold_source, threshold_version,
      created_at, settled_at)
    select ${projectId}, 'ver_' || n, 'task', 'task', 1, 'task', 's' || n, 1, 'passed', 'pass', 'accept', aggregate, confidence, false, 'run', '[]',
      jsonb_build_object('reasoning', repeat('because of this and that ', 40)),
      jsonb_build_object('forced', false, 'must_pass', null, 'missed', n % 9 = 0, 'disputed', n % 7 = 0, 'tied', false, 'aggregate', aggregate,
        'confidence', confidence, 'texts', true, 'not_judged', null),
      'an excerpt of ' || n, 'm' || n % 1000, 0.7, 'default', 0, now(), now() - n * interval '20 seconds'
    from generate_series(1, ${rows}::int) n
    cross join lateral (select round(abs(hashint4(n)) % 401 / 400.0, 4) as aggregate, abs(hashint4(n + 7)) % 11 / 10.0 as confidence) m`;
  await sql`
    insert into judgements (project_id, origin, id, slug, series, version, kind, at, day, subject_id, verdict_id, model, judge, mission_id, machine, word,
      cost_usd, excerpt, good, truth_of, contested, policy, unread)
    select ${projectId}, 'verifier', id, 'task', 'task', 1, 'task', settled_at, (settled_at at time zone 'UTC')::date, subject_id, id, '', '', mission_id,
      'passed', 'pass', 0, excerpt, score > abs(hashtext(id)) % 100 / 100.0, 'outcome', false, 0, false
    from verdicts where project_id = ${projectId}`;
}

interface Stored {
  readonly basis: string;
  readonly good: boolean;
}

/** Reads each verdict and decides it again for each value. Returns the catches of each value. */
async function decideOneByOne({ sql, projectId }: ProjectCtx): Promise<number[]> {
  const rows = await sql<Stored[]>`
    select v.basis::text as basis, j.good from judgements j join verdicts v on v.project_id = j.project_id and v.id = j.id
    where j.project_id = ${projectId} and j.good is not null`;
  return values.map((value) => {
    const stored = [{ key: 'pass_threshold', missionId: '', taskId: '', version: 1, value }];
    const thresholds = resolveThresholds(
      { verifier: 'task', missionId: null, taskId: null },
      stored,
    );
    const decide = ({ basis }: Stored) =>
      kinds.get('task')?.rederive?.(JSON.parse(basis))?.(thresholds);
    return rows.filter((row) => row.good && decide(row)?.outcome === 'passed').length;
  });
}

const s1: RowMaker = {
  name: 'S1',
  async make(stage, settings): Promise<Row[]> {
    const option = process.argv.find((arg) => arg.startsWith('--rows='))?.slice('--rows='.length);
    const rows = option === undefined ? (settings.smoke ? 5_000 : 100_000) : Number(option);
    await insertLabelled(stage.project, rows);
    await stage.sql`analyze verdicts, judgements`;
    const simulated = async (): Promise<number[]> => {
      const { candidates } = await simulateThreshold(stage.project, {
        verifier: 'task',
        key: 'pass_threshold',
        body,
      });
      return candidates.map(
        ({ falseRejectionRate: { denominator, numerator } }) => denominator - (numerator ?? 0),
      );
    };
    const [byAssay, reference] = [await simulated(), await decideOneByOne(stage.project)];
    if (JSON.stringify(byAssay) !== JSON.stringify(reference))
      throw new Error(`the simulation passes ${byAssay.join()}, the reference ${reference.join()}`);
    const measured = await runRounds(
      'S1',
      [
        calling('simulation', 3, simulated),
        calling('one by one', 1, () => decideOneByOne(stage.project)),
      ],
      settings,
    );
    const figure = `S1 ${values.length} values of a threshold over ${rows} labelled verdicts`;
    const simulationMs = measured('simulation', 'p50');
    return [
      bound({ figure, unit: 'ms', assayValues: simulationMs, goal: { max: 2_000 } }),
      compare({
        figure: `${figure}, against deciding each again row by row`,
        unit: 'ms',
        assayValues: simulationMs,
        floor: measured('one by one', 'p50'),
      }),
    ];
  },
};

await runBench('simulate', [s1]);
