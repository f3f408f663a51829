// One definition of each rate: every place that shows or uses one reports the same counts and the
// same interval for the same history, equal to a count by hand. Rows of a session are equal, so
// that an interval that ignores sessions differs.
import { describe, expect } from 'vitest';
import { appOf } from '../../testing/app';
import { createTestProject, drainJobs, drainRefreshQueue } from '../../testing/database';
import { test } from '../../testing/fixture';
import { createKey, type ProjectCtx } from '../access';
import type { Runtime } from '../runtime';
import { getReport, makeReport } from '../reports';
import { listChanges } from '../alerts';
import { measureVerifier } from './measure-verifier';
import { measureVerifiers } from './measure';
import { reportVerifier } from './report-verifier';
import { simulateThreshold } from '../experiments';
import { SimulateBody } from '../experiments/input';
import { createRandom } from '../stats';
import { clusterSums, rate, type Share, wilson, itemWeight } from '../domain';
import { enqueueMissed } from './enqueue-missed';

let runtime: Runtime;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

interface Planted {
  readonly id: string;
  /** Null means a separate session. */
  readonly session: string | null;
  readonly aggregate: number;
  /** By the thresholds of the release: fails under 0.4, passes from 0.7. */
  readonly outcome: 'failed' | 'passed' | 'needs_review';
  readonly self: boolean;
  readonly good: boolean | null;
  /** A person's ruling; null if there is none. */
  readonly ruled: 'fail' | 'pass' | null;
  readonly retries: 0 | 1;
  readonly daysAgo: number;
}

/**
 * Random scores; better ones are good more often, some are self-judged, some have no label, some
 * are ruled on, some are retries. Rows of one session differ only in their days.
 */
function plant(seed: number, size: number): Planted[] {
  const random = createRandom(seed);
  const rows: Planted[] = [];
  while (rows.length < size) {
    const aggregate = Math.round(random() * 100) / 100;
    const outcome = aggregate < 0.4 ? 'failed' : aggregate >= 0.7 ? 'passed' : 'needs_review';
    const good = random() < 0.1 ? null : random() < 0.2 + 0.6 * aggregate;
    const length = 1 + Math.floor(random() * 6);
    const isRuled = outcome !== 'needs_review' && good !== null && random() < 0.4;
    const alike = {
      session: length === 1 ? null : `s${rows.length}`,
      aggregate,
      outcome,
      self: random() < 0.1,
      good,
      ruled: isRuled ? (good ? 'pass' : 'fail') : null,
      retries: random() < 0.4 ? 1 : 0,
    } as const;
    for (let i = 0; i < length; i++)
      rows.push({
        ...alike,
        id: `p${String(rows.length).padStart(3, '0')}`,
        daysAgo: Math.floor(random() * 6),
      });
  }
  return rows;
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
    id text, session text, aggregate float, outcome text, self boolean, good boolean, ruled text,
    retries int, days int, basis jsonb)`;
  await sql`
    insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, session_id, retries_used, revision, outcome, verdict, action, score,
      needs_human_review, decision_state, issues, detail, basis, excerpt, cross_model, threshold_value, threshold_source, threshold_version, created_at, settled_at)
    select ${projectId}, 'ver_' || id, 'task', 'task', 1, 'task', id, session, retries, 1, outcome, case outcome when 'failed' then 'fail' when 'passed' then 'pass' else 'partial' end,
      'accept', aggregate, false, 'run', '[]', '{}', basis, 'text', case when self then 'self' end, 0.7, 'default', 0, now(), now() - days * interval '1 day'
    from ${read}`;
  await sql`
    insert into labels (project_id, id, kind, subject_id, success, content_hash, created_by)
    select ${projectId}, 'lab_' || id, 'outcome', id, good, '', 'test' from ${read} where good is not null`;
  await sql`
    insert into labels (project_id, id, kind, subject_id, verdict_id, verifier_slug, verdict, success, content_hash, created_by)
    select ${projectId}, 'rul_' || id, 'override', id, 'ver_' || id, 'task', ruled, ruled = 'pass', '', 'test'
    from ${read} where ruled is not null`;
  await sql`
    insert into verdict_rollups (project_id, day, verifier_slug, model, passed, failed, self_passed, self_failed)
    select ${projectId}, ((now() - days * interval '1 day') at time zone 'UTC')::date, 'task', '',
      count(*) filter (where outcome = 'passed'), count(*) filter (where outcome = 'failed'),
      count(*) filter (where outcome = 'passed' and self), count(*) filter (where outcome = 'failed' and self)
    from ${read} group by 2`;
  await enqueueMissed(runtime.ctx);
  await drainRefreshQueue(runtime);
}

type Is = (row: Planted) => boolean;

/** The share of rows with `is` among those with `of`, with an interval based on their sessions. */
function byHand(rows: readonly Planted[], of: Is, is: Is): unknown {
  const items = rows.filter(of);
  const [numerator, denominator] = [items.filter(is).length, items.length];
  const sums = clusterSums(
    items.map((row) => ({ cluster: row.session ?? row.id, counted: is(row) })),
  );
  const { low, high } = wilson(numerator * itemWeight(sums), denominator * itemWeight(sums));
  expect(wilson(numerator, denominator).low).not.toBeCloseTo(low, 3);
  return expect.objectContaining({
    numerator,
    denominator,
    low: expect.closeTo(low, 9) as number,
    high: expect.closeTo(high, 9) as number,
  });
}

const isDecided: Is = ({ outcome }) => outcome !== 'needs_review';
const isFlagged: Is = ({ outcome }) => outcome === 'failed';
const isPassed: Is = ({ outcome }) => outcome === 'passed';
const isBad: Is = (row) => isDecided(row) && row.good === false;
const isGood: Is = (row) => isDecided(row) && row.good === true;
const isLabelled: Is = (row) => isBad(row) || isGood(row);

describe.each([1, 2, 3])('a history of seed %d', (seed) => {
  test('X-1 X-2 X-3 every place gives the counts and intervals of a count by hand', async () => {
    const project = await createTestProject(runtime);
    const all = plant(seed, 400);
    await store(project, all);
    const rows = all.filter(({ self }) => !self);
    const wanted = {
      catchRate: byHand(rows, isBad, isFlagged),
      falseRejectionRate: byHand(rows, isGood, isFlagged),
      falsePositiveRate: byHand(rows, isLabelled, (row) => isGood(row) && isFlagged(row)),
    };
    const others = {
      passRate: byHand(rows, isDecided, isPassed),
      retrySuccess: byHand(rows, ({ retries }) => retries > 0, isPassed),
      overrideRate: byHand(
        rows,
        ({ ruled }) => ruled !== null,
        (row) => isPassed(row) !== (row.ruled === 'pass'),
      ),
    };
    const { places, whole, precision, steps, suggestions } = await readPlaces(project);
    for (const [place, rates] of Object.entries(places))
      expect({ place, ...rates }).toMatchObject({ place, ...wanted });
    for (const [place, rates] of Object.entries(whole))
      expect({ place, ...rates }).toMatchObject({ place, ...others });
    const ofFlagged = byHand(rows, (row) => isLabelled(row) && isFlagged(row), isBad);
    expect(precision).toEqual([ofFlagged, ofFlagged]);
    const rejected = rows.filter((row) => isGood(row) && isFlagged(row)).length;
    expect(suggestions.find(({ rule }) => rule === 'false_positives')?.why).toContain(
      `${rejected} of ${rows.filter(isLabelled).length} verdicts are false rejections`,
    );
    const today = new Date().toISOString().slice(0, 10);
    const dayOf = ({ daysAgo }: Planted): string =>
      new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
    const ofToday = rows.filter((row) => dayOf(row) === today);
    expect(steps.find(({ from }) => from.toISOString().startsWith(today))?.rates).toMatchObject({
      agreement: byHand(ofToday, isLabelled, (row) => isBad(row) === isFlagged(row)),
    });
  });
});

/** The rates of `task` of the last seven days, from every place that reports them. */
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
  const reported = (await getReport(project, id)).content?.verifiers.find(own);
  const { key } = await createKey(project, { name: 'reads', scopes: ['read'] });
  const answer = await appOf(runtime).request('/v1/metrics/verifiers', {
    headers: { authorization: `Bearer ${key}` },
  });
  const { data } = (await answer.json()) as {
    data: { verifier: string; [rate: string]: unknown }[];
  };
  const http = data.find(own);
  expect(judge ?? []).toEqual([]);
  const shown = {
    list: listed.find(own)?.rates,
    detail: detail.rates,
    page: page.rates,
    report: {
      passRate: reported?.rates.pass_rate,
      retrySuccess: reported?.rates.retry_success,
      overrideRate: reported?.rates.override_rate,
    },
    'HTTP API': {
      passRate: http?.pass_rate,
      retrySuccess: http?.retry_success,
      overrideRate: http?.override_rate,
    },
    changes: {
      ...page.rates,
      passRate: bounded(changes.verifiers.find(own)?.passRate.now),
    },
  };
  const places = {
    list: listed.find(own)?.rates,
    detail: detail.rates,
    page: page.rates,
    'the present value, decided again': simulated.base,
    'the same value, tried': simulated.candidates[0],
    'as it was decided': simulated.recorded,
    report: {
      catchRate: reported?.rates.catch_rate,
      falseRejectionRate: reported?.rates.false_rejection_rate,
      falsePositiveRate: reported?.rates.false_positive_rate,
    },
    'HTTP API': {
      catchRate: http?.catch_rate,
      falseRejectionRate: http?.false_rejection_rate,
      falsePositiveRate: http?.false_positive_rate,
    },
    changes: { ...page.rates, catchRate: bounded(changes.verifiers.find(own)?.catchRate.now) },
  };
  return {
    places,
    whole: shown,
    precision: [page.precision, reported?.caught_cost.precision],
    steps: detail.steps,
    suggestions: simulated.suggestions,
  };
}

/** The same format as on the page. */
const bounded = (share: Share | undefined) =>
  share === undefined ? share : rate(share.numerator, share.denominator, share.weight);
