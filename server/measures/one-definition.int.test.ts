// One definition of each rate: every place that shows or uses one gives the same counts for the
// same history, and they are those of a count by hand.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  createTestDatabase,
  createTestProject,
  createTestRuntime,
  drainJobs,
  drainJudgements,
  type TestDatabase,
} from '../../testing/database';
import { createKey, type ProjectCtx } from '../access';
import { createApp } from '../api/http';
import type { Runtime } from '../runtime';
import { getReport, makeReport } from '../reports';
import { listChanges } from '../alerts';
import { measureVerifier } from './measure-verifier';
import { measureVerifiers } from './measure';
import { reportVerifier } from './report-verifier';
import { simulateThreshold } from '../experiments';
import { SimulateBody } from '../experiments/input';
import { createRandom } from '../stats';
import { noteMissed } from './note-missed';

let database: TestDatabase;
let runtime: Runtime;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'));
  runtime = createTestRuntime(database.url);
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

interface Planted {
  readonly id: string;
  readonly aggregate: number;
  /** By the thresholds of the release: fails under 0.4, passes from 0.7. */
  readonly outcome: 'failed' | 'passed' | 'needs_review';
  readonly self: boolean;
  readonly good: boolean | null;
  readonly daysAgo: number;
}

/**
 * Scores at random; better ones are good more often, some are what a model said of its own work,
 * some have no label.
 */
function plant(seed: number, size: number): Planted[] {
  const random = createRandom(seed);
  return Array.from({ length: size }, (_, n) => {
    const aggregate = Math.round(random() * 100) / 100;
    return {
      id: `p${String(n).padStart(3, '0')}`,
      aggregate,
      outcome: aggregate < 0.4 ? 'failed' : aggregate >= 0.7 ? 'passed' : 'needs_review',
      self: random() < 0.1,
      good: random() < 0.1 ? null : random() < 0.2 + 0.6 * aggregate,
      daysAgo: Math.floor(random() * 6),
    };
  });
}

const basis = {
  forced: false,
  must_pass: null,
  missed: false,
  disputed: false,
  tied: false,
  confidence: 0.95,
  texts: true,
  not_judged: null,
};

async function store(project: ProjectCtx, rows: readonly Planted[]): Promise<void> {
  const { sql, projectId } = project;
  const input = JSON.stringify(
    rows.map((row) => ({
      ...row,
      days: row.daysAgo,
      basis: { ...basis, aggregate: row.aggregate },
    })),
  );
  const read = sql`jsonb_to_recordset(${input}::text::jsonb) as r(
    id text, aggregate float, outcome text, self boolean, good boolean, days int, basis jsonb)`;
  await sql`
    insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, outcome, verdict, action, score,
      needs_human_review, decision_state, issues, detail, basis, excerpt, cross_model, threshold_value, threshold_source, threshold_version, created_at, settled_at)
    select ${projectId}, 'ver_' || id, 'task', 'task', 1, 'task', id, 1, outcome, case outcome when 'failed' then 'fail' when 'passed' then 'pass' else 'partial' end,
      'accept', aggregate, false, 'run', '[]', '{}', basis, 'text', case when self then 'self' end, 0.7, 'default', 0, now(), now() - days * interval '1 day'
    from ${read}`;
  await sql`
    insert into labels (project_id, id, kind, subject_id, success, content_hash, created_by)
    select ${projectId}, 'lab_' || id, 'outcome', id, good, '', 'test' from ${read} where good is not null`;
  await noteMissed(runtime.ctx);
  await drainJudgements(runtime);
}

const count = (rows: readonly Planted[], outcome: string, good: boolean): number =>
  rows.filter((row) => row.outcome === outcome && row.good === good).length;

describe.each([1, 2, 3])('a history of seed %d', (seed) => {
  test('X-1 X-2 X-3 every place gives the counts of a count by hand', async () => {
    const project = await createTestProject(runtime);
    const all = plant(seed, 260);
    await store(project, all);
    const rows = all.filter(({ self }) => !self);
    const [caught, missed] = [count(rows, 'failed', false), count(rows, 'passed', false)];
    const [rejected, passed] = [count(rows, 'failed', true), count(rows, 'passed', true)];
    const share = (numerator: number, denominator: number) =>
      expect.objectContaining({ numerator, denominator }) as unknown;
    const wanted = {
      catchRate: share(caught, caught + missed),
      falseRejectionRate: share(rejected, rejected + passed),
      falsePositiveRate: share(rejected, caught + missed + rejected + passed),
    };
    const places = await readPlaces(project);
    for (const [place, rates] of Object.entries(places))
      expect({ place, ...rates }).toMatchObject({ place, ...wanted });
  });
});

/** The rates of `task` of the last seven days, wherever they are given. */
async function readPlaces(project: ProjectCtx) {
  const scope = { verifier: 'task', origin: 'verifier', days: 7 } as const;
  const own = ({ verifier }: { readonly verifier: string }): boolean => verifier === 'task';
  const [listed, detail, page, changes] = await Promise.all([
    measureVerifiers(project, {}),
    measureVerifier(project, scope),
    reportVerifier(project, scope),
    listChanges(project, { days: 7 }),
  ]);
  const judge = page.slices.find(({ by }) => by === 'judge')?.rows;
  const simulated = await simulateThreshold(project, {
    verifier: 'task',
    key: 'pass_threshold',
    body: SimulateBody.parse({ values: [0.7], days: 7 }),
  });
  const { id } = await makeReport(project, {
    lastDay: new Date().toISOString().slice(0, 10),
    days: 7,
    sent: false,
  });
  await drainJobs(runtime);
  const told = (await getReport(project, id)).content?.verifiers.find(own);
  const { key } = await createKey(project, { name: 'reads', scopes: ['read'] });
  const answer = await createApp(runtime).request('/v1/metrics/verifiers', {
    headers: { authorization: `Bearer ${key}` },
  });
  const { data } = (await answer.json()) as {
    data: { verifier: string; [rate: string]: unknown }[];
  };
  const http = data.find(own);
  expect(judge ?? []).toEqual([]);
  return {
    list: listed.find(own)?.rates,
    detail: detail.rates,
    page: page.rates,
    'the present value, decided again': simulated.base,
    'the same value, tried': simulated.candidates[0],
    'as it was decided': simulated.recorded,
    report: {
      catchRate: told?.rates.catch_rate,
      falseRejectionRate: told?.rates.false_rejection_rate,
      falsePositiveRate: told?.rates.false_positive_rate,
    },
    'HTTP API': {
      catchRate: http?.catch_rate,
      falseRejectionRate: http?.false_rejection_rate,
      falsePositiveRate: http?.false_positive_rate,
    },
    changes: { ...page.rates, catchRate: changes.verifiers.find(own)?.catchRate.now },
  };
}
