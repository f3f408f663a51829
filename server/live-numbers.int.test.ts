// online.md 4: outputs of experiments are excluded from live rates, alerts and findings. Every
// number that a GET route or a query of the console returns is compared before and after an
// experiment.
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { anyJudge } from '../testing/any-judge';
import { until } from '../testing/until';
import type { Json } from '../testing/call';
import { createTestMember, drainJobs, drainRefreshQueue } from '../testing/database';
import { testWithLlm as test } from '../testing/fixture';
import { createJudgedProject, type JudgedProject } from '../testing/judged-project';
import { readFences } from '../testing/scripted-judge';
import { type ScriptedCall, type ScriptedReply, textOf } from '../testing/scripted-llm';
import { verifyAll } from '../testing/verify-all';
import { checkAlertsNow } from './alerts';
import type { ProjectCtx } from './access';
import { appRouter, createCallContext, createCaller } from './api/trpc';
import { httpRoutes } from './api/http';
import { prepareTurn } from './ingest';
import { fillReviewQueues } from './labels';
import { newId } from './platform';
import type { Runtime } from './runtime';
import { recheckTrust } from './trust';

let runtime: Runtime;
let project: ProjectCtx;
let ok: JudgedProject['ok'];
let caller: ReturnType<typeof createCaller>;

const verifiers = ['integrity', 'task', 'polite', 'short'] as const;

test.beforeAll(async ({ runtime: ownRuntime, llm }) => {
  runtime = ownRuntime;
  ({ project, ok } = await createJudgedProject(runtime, llm));
  const owner = await createTestMember(runtime, project, 'owner');
  caller = createCaller(
    createCallContext(runtime, new Headers({ cookie: owner.cookie }), 'req-live'),
  );
  llm.answerWith(judge);
});

/** Answers in which "refuse" occurs are bad. */
function judge(call: ScriptedCall): ScriptedReply {
  const asked = textOf(call.body);
  const isBad = JSON.stringify([...readFences(asked).data]).includes('refuse');
  if (!asked.includes('Is this answer polite?')) return anyJudge(call, isBad ? 1 : 5);
  const { nonce } = readFences(asked);
  const answer = { reasoning: 'Read.', quotes: [], answer: !isBad, confidence: 0.9 };
  return { text: JSON.stringify({ nonce, ...answer }) };
}

interface Sent {
  readonly id: string;
  readonly input: string;
  readonly output: string;
  readonly model: string;
  readonly tools: readonly unknown[];
  readonly cost_usd: number;
}

/** Good and bad answers, with figures with and without a source. */
const turnOf = (id: string, n: number): Sent => ({
  id,
  input: `What is the balance of account ${n}?`,
  output: `${n % 3 === 0 ? 'I refuse.' : 'A refund is due.'} The balance is ${n % 2 === 0 ? n : n + 1}.5 euros.`,
  model: n % 4 === 0 ? 'claude-sonnet-4' : 'gpt-4o',
  tools: [{ id: 'c1', name: 'balance', arguments: {}, result: { balance: n + 0.5 } }],
  cost_usd: 0.2 + n / 100,
});

/** Items of a dataset have the metadata of the turns that they were made from. */
const ofMission = (n: number) =>
  n % 6 === 0 ? { metadata: { assay: { 'mission.id': 'm-1' } } } : {};

async function settle(): Promise<void> {
  await verifyAll(runtime);
  await drainRefreshQueue(runtime);
  while ((await fillReviewQueues(runtime.ctx)) > 0);
  // Each label enqueues two refreshes of its subject, the second for after a minute.
  await until('all refreshes', async () => {
    await runtime.ctx.sql`update judgement_dues set due_at = due_at - interval '1 day'`;
    await drainRefreshQueue(runtime);
    const { count } = await runtime.ctx.sql`select 1 from judgement_dues limit 1`;
    return count === 0 ? true : null;
  });
  await recheckTrust(runtime.ctx, { prompts: runtime.prompts });
  await checkAlertsNow(project);
}

/** Rulings of two people, grades, outcomes and labels; a part of the verdicts has none. */
async function label(turns: readonly string[], every: number): Promise<void> {
  for (const [n, turn] of turns.entries()) {
    const { data } = (await ok(`/v1/verifications?turn_id=${turn}`)) as { data: Json[] };
    expect(data).toHaveLength(verifiers.length);
    for (const [k, verdict] of data.entries()) {
      if ((n + k) % every !== 0 || verdict.outcome === 'skipped') continue;
      const isPass = verdict.verdict === 'pass' || verdict.verdict === 'clean';
      const path = `/v1/verifications/${String(verdict.id)}/overrides`;
      const word = (n + k) % 5 === 0 ? null : verdict.verdict;
      await ok(path, {
        verdict: word ?? verdict.verdict,
        reason: `seen ${isPass}`,
        blind: n % 2 === 0,
      });
      await ok(path, { grade: 1 + (n % 5) });
    }
    if (n % 2 === 0)
      await ok('/v1/outcomes', {
        outcomes: [{ id: `o-${turn}`, subject_id: turn, success: n % 4 === 0, source: 'ci' }],
      });
    else await ok('/v1/labels', { turn_id: turn, verifier: 'task', grade: 2, reason: 'r' });
  }
}

async function sendLive(): Promise<void> {
  await ok(
    '/v1/verifiers/polite',
    {
      kind: 'judge',
      targets: ['turn'],
      judge: {
        model: 'house:gpt-4o-mini',
        output: { type: 'boolean' },
        prompt: 'Is this answer polite? {{output}}',
      },
    },
    'PUT',
  );
  const checks = [{ check: 'contains', value: 'refund', must_pass: true }];
  await ok('/v1/verifiers/short', { kind: 'checks', targets: ['turn'], checks }, 'PUT');
  for (const verifier of verifiers.slice(1))
    await ok(`/v1/rules/${verifier}`, { verifier, target: 'turn' }, 'PUT');
  // Enough labels, which count less as they age, to stay far above any minimum.
  const turns = Array.from({ length: 56 }, (_, n) => ({
    ...turnOf(`live-${n}`, n),
    session_id: `s-${n % 5}`,
    source: 'app',
    ...ofMission(n),
  }));
  await ok('/v1/turns', { turns });
  await verifyAll(runtime);
  await label(
    turns.map(({ id }) => id),
    2,
  );
  await ok('/v1/rules/idle', { verifier: 'consistency', target: 'session', enabled: false }, 'PUT');
}

/** The same answers and others, by the path that an experiment stores them. */
async function runExperiment(): Promise<readonly string[]> {
  const { projectId } = project;
  const ids = Array.from({ length: 20 }, (_, n) => `made-${n}`);
  const now = new Date();
  await runtime.writer.write(
    ids.map((id, n) => {
      const { id: _id, ...turn } = turnOf(id, n % 2 === 0 ? n : n * 7);
      const body = Buffer.from(JSON.stringify({ id, ...turn, ...ofMission(n) }));
      return {
        projectId,
        turn: prepareTurn(body, true, { now, idSeed: null }),
        origin: 'experiment',
        experimentId: 'exp_1',
        owner: null,
        planned: {
          verdicts: verifiers.map((verifier) => ({
            verdictId: newId('ver', now),
            verifier,
            rule: null,
            delaySeconds: 0,
          })),
          decisions: [],
        },
      };
    }),
  );
  await runtime.ctx.sql`
    insert into experiment_rows (project_id, experiment_id, ordinal, item_id, repetition, state, turn_id)
    select ${projectId}, 'exp_1', n, 'i' || n, 1, 'answered', 'made-' || n from generate_series(0, ${ids.length - 1}::int) n`;
  return ids;
}

/** Values of the parameters of paths; a route with others is read by an id, with experiments. */
const paths: Readonly<Record<string, readonly string[]>> = {
  '/v1/decisions': ['/v1/decisions?rule=task'],
  '/v1/gateway/routes/{route}': [],
  '/v1/missions/{id}': ['/v1/missions/m-1'],
  '/v1/missions/{id}/settings': [],
  '/v1/prompts/{slug}': ['/v1/prompts/task-rubric'],
  '/v1/prompts/{slug}/versions/{version}': [],
  '/v1/rules/{name}': ['/v1/rules/integrity', '/v1/rules/task'],
  '/v1/sessions/{id}': ['/v1/sessions/s-1'],
  '/v1/sessions/{id}/turns': ['/v1/sessions/s-1/turns'],
  '/v1/verifiers/{verifier}': verifiers.map((slug) => `/v1/verifiers/${slug}`),
  '/v1/verifications': [
    '/v1/verifications?limit=200',
    '/v1/verifications?verifier=task&model=gpt-4o',
    '/v1/verifications?state=pending',
  ],
  '/v1/metrics/verifiers': [
    '/v1/metrics/verifiers',
    '/v1/metrics/verifiers?from=2026-01-01T05:00:00Z',
    '/v1/metrics/verifiers?verifier=task@1&from=2026-01-01T05:00:00Z',
  ],
};
/** Lists of objects that were named or received in another way. */
const listedWhole = ['/v1/labels', '/v1/reports', '/v1/datasets', '/v1/experiments'];

const routesRead = (): readonly string[] =>
  httpRoutes.flatMap(({ method, path, scope }) => {
    if (method !== 'get' || scope === null || listedWhole.some((each) => path.startsWith(each)))
      return [];
    return paths[path] ?? (path.includes('{') ? [] : [path]);
  });

const days = { days: 7 } as const;
const ofTask = { verifier: 'task', days: 30 } as const;
/** Inputs of the console's queries, apart from the project; null if something is read by its id. */
const inputs: Readonly<Record<string, Record<string, unknown> | null>> = {
  'verdicts.overview': days,
  'verdicts.changes': days,
  'charts.history': days,
  'charts.marks': days,
  'charts.scores': ofTask,
  'charts.caughtCosts': ofTask,
  'charts.modelScores': { verifier: 'task' },
  'charts.gatewayDays': days,
  'checkpoints.summary': days,
  'gateway.summary': days,
  'gateway.steering': days,
  'calibration.list': days,
  'calibration.imported': {},
  'calibration.get': { verifier: 'task', origin: 'verifier', days: 0 },
  'calibration.rows': { verifier: 'task', origin: 'verifier', cell: 'decided' },
  'calibration.report': { verifier: 'task', origin: 'verifier', days: 0 },
  'review.policies': { verifier: 'task' },
  'thresholds.list': { verifier: 'task' },
  'thresholds.simulate': { verifier: 'task', key: 'pass_threshold', body: { values: [0.6] } },
  'thresholds.flips': { verifier: 'task', key: 'pass_threshold', value: 0.99, days: 0 },
  'trust.history': { verifier: 'task' },
  'verifiers.get': { slug: 'task' },
  'search.find': { q: 'refund' },
  'turns.received': { what: 'turns' },
  'playground.turn': { id: 'live-1' },
  'sessions.get': { id: 's-1' },
  'sessions.turns': { session: 's-1' },
  'rules.get': { name: 'task' },
  'missions.get': { mission: 'm-1' },
  // These have a row for each request and job of this test.
  'audit.list': null,
  'jobs.list': null,
  'reports.list': null,
};

interface Procedure {
  readonly _def: { readonly type: string };
}

/** All queries of the console that take a project alone, or an input given above. */
async function queries(): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const [name, { _def }] of Object.entries(
    appRouter._def.procedures as unknown as Record<string, Procedure>,
  )) {
    if (_def.type !== 'query' || inputs[name] === null) continue;
    const call = name
      .split('.')
      .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], caller) as (
      input: unknown,
    ) => Promise<unknown>;
    try {
      answers[name] = await call({ project: project.projectSlug, ...inputs[name] });
    } catch (error) {
      // An input without a default is an id of one thing.
      if (inputs[name] !== undefined) throw error;
    }
  }
  return answers;
}

const searches = ['refund', 'made', 'live', 'ver_', 'exp_1'];

async function snapshot(): Promise<ReadonlyMap<string, unknown>> {
  // A minute after its label a subject is counted once more, and pending until then.
  await drainRefreshQueue(runtime);
  const found: Record<string, unknown> = { trpc: await queries() };
  for (const path of routesRead()) found[path] = await ok(path);
  for (const q of searches)
    found[`search ${q}`] = await caller.search.find({ project: project.projectSlug, q });
  for (const slug of verifiers)
    found[`preview ${slug}`] = await ok('/v1/rules/preview', { verifier: slug, target: 'turn' });
  found.backfill = await ok('/v1/rules/task/backfill', { dry_run: true });
  await drainRefreshQueue(runtime);
  const { projectSlug } = project;
  const today = new Date().toISOString().slice(0, 10);
  const report = await caller.reports.make({ project: projectSlug, lastDay: today, days: 7 });
  await drainJobs(runtime);
  const { content } = await caller.reports.get({ project: projectSlug, id: report.id });
  found.report = { ...content, earlier: null };
  found.tables = await runtime.ctx.sql`
    select 'deliveries' as name, count(*)::int as n from deliveries
    union all select 'events', count(*)::int from mission_events
    union all select 'items', count(*)::int from review_items
    union all select 'judgements', count(*)::int from judgements`;
  const leaves = new Map<string, unknown>();
  collect(JSON.parse(JSON.stringify(found)), '', leaves);
  return leaves;
}

/** The values at all paths into a JSON value. */
function collect(value: unknown, path: string, into: Map<string, unknown>): void {
  if (typeof value !== 'object' || value === null) into.set(path, value);
  else {
    if (Array.isArray(value)) into.set(`${path}#`, value.length);
    for (const [name, each] of Object.entries(value)) collect(each, `${path}.${name}`, into);
  }
}

type Leaves = ReadonlyMap<string, unknown>;

/**
 * Paths with different values, apart from the times at which keys were used. Labels lose weight with
 * time, so their weights are rounded; sums are equal in any order of their rows.
 */
const differing = (one: Leaves, other: Leaves): string[] => {
  const isEqual = (path: string) => {
    if (path.endsWith('.lastUsedAt')) return true;
    const [a, b] = [one.get(path), other.get(path)];
    if (typeof a !== 'number' || typeof b !== 'number') return a === b;
    const isWeight = path.endsWith('.effectiveLabels') || path.endsWith('.effective_labels');
    return Math.abs(a - b) <= (isWeight ? 0.01 : 1e-12 * Math.abs(a));
  };
  return [...new Set([...one.keys(), ...other.keys()])].filter((path) => !isEqual(path));
};

const idsOf = async (path: string): Promise<string[]> => {
  const { data } = (await ok(path)) as { data: { id: string }[] };
  return data.map(({ id }) => id);
};

test('an experiment changes no live number, whatever labels its outputs get', async () => {
  await sendLive();
  await settle();
  await settle();
  const first = await snapshot();
  await setTimeout(1100);
  await settle();
  const before = await snapshot();
  // Times of checks, ends of periods and random words of prompts.
  const changing = new Set(differing(first, before));
  expect(changing.size).toBeLessThan(100);

  const made = await runExperiment();
  expect(await idsOf('/v1/verifications?state=pending')).toEqual([]);
  expect(await idsOf('/v1/verifications?state=pending&experiment=exp_1&limit=200')).toHaveLength(
    made.length * verifiers.length,
  );
  await settle();
  await label(made, 1);
  await settle();
  const after = await snapshot();
  const moved = differing(before, after).filter((path) => !changing.has(path));
  expect(
    Object.fromEntries(moved.map((path) => [path, [before.get(path), after.get(path)]])),
  ).toEqual({});

  const [stored] = await runtime.ctx.sql`
    select count(*)::int as verdicts, count(distinct outcome) > 1 as differ, sum(judge_calls) > 0 as judged,
      (select count(*)::int from labels l where l.project_id = ${project.projectId} and l.subject_id like 'made-%') > 0 as labelled
    from verdicts where project_id = ${project.projectId} and experiment_id = 'exp_1'`;
  const verdicts = made.length * verifiers.length;
  expect(stored).toEqual({ verdicts, differ: true, judged: true, labelled: true });
});

test('outputs of an experiment are listed only when asked for, and read by their ids', async () => {
  const listed = (await ok('/v1/verifications?experiment=exp_1&limit=200')) as { data: Json[] };
  expect(listed.data).toHaveLength(20 * verifiers.length);
  expect(new Set(listed.data.map(({ experiment_id }) => experiment_id))).toEqual(
    new Set(['exp_1']),
  );
  expect(await idsOf('/v1/verifications?experiment=exp_2')).toEqual([]);
  const { data: live } = (await ok('/v1/verifications?limit=200')) as { data: Json[] };
  expect(new Set(live.map(({ experiment_id }) => experiment_id))).toEqual(new Set([null]));
  expect(await idsOf('/v1/verifications?turn_id=made-1')).toHaveLength(verifiers.length);
  const { items } = await caller.verdicts.list({
    project: project.projectSlug,
    experiment: 'exp_1',
    verifier: 'task',
    limit: 200,
  });
  expect(items).toHaveLength(20);

  const turns = (await ok('/v1/turns?experiment=exp_1&limit=50')) as { data: Json[] };
  expect(turns.data).toHaveLength(20);
  expect(new Set(turns.data.map(({ origin }) => origin))).toEqual(new Set(['experiment']));
  expect(await idsOf('/v1/turns?experiment=exp_2')).toEqual([]);
  expect(await idsOf('/v1/turns?limit=200')).not.toContain('made-1');
  expect(await ok('/v1/turns/made-1')).toMatchObject({ id: 'made-1', origin: 'experiment' });
  const id = String(listed.data[0]?.id);
  expect(await ok(`/v1/verifications/${id}`)).toMatchObject({ id, experiment_id: 'exp_1' });
  const page = await caller.verdicts.get({ project: project.projectSlug, id });
  expect([page.previousId, page.nextId].filter((other) => other !== null)).not.toEqual([]);
  for (const other of [page.previousId, page.nextId])
    if (other !== null)
      expect(await ok(`/v1/verifications/${other}`)).toMatchObject({ experiment_id: 'exp_1' });
  // A search finds it by its whole id alone.
  const { hits } = await caller.search.find({ project: project.projectSlug, q: 'made-1' });
  expect(hits).toContainEqual(expect.objectContaining({ kind: 'turn', id: 'made-1' }));
});
