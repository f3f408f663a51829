import { expect } from 'vitest';
import { createTestProject, drainWork, insertTestItem } from '../../testing/database';
import { test } from '../../testing/fixture';
import { SOME_CONTEXT } from '../../testing/some-context';
import { createKey, type ProjectCtx } from '../access';
import { checkAlertsNow, putAlertRule } from '../alerts';
import { recheckTrust } from '../trust';
import { reserveItems, takeOutcomes } from '../labels';
import type { LiveTopic } from '../domain';
import { saveJobProgress, claimJob, claimWork, createJob, failWork } from '../queue';
import { setRuleEnabled } from '../rules';
import type { Runtime } from '../runtime';
import { putThreshold } from '../thresholds';
import { ingestTurns } from '../ingest';
import type { LiveNews } from './live';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
});

/** A follower that is already listening. */
async function follow(of: ProjectCtx) {
  const stop = new AbortController();
  const news = runtime.live.follow(of.projectId, stop.signal);
  let first: LiveNews | null = null;
  void news.next().then(({ value }) => (first = value ?? null));
  // The first notice may precede the listener, so it is repeated until received.
  const notify = () =>
    runtime.ctx.sql`select pg_notify('assay_changes', ${`${of.projectId} views`})`;
  await expect.poll(async () => (await notify()).length === 1 && first !== null).toBe(true);
  return {
    stop: () => stop.abort(),
    /** Reads until all of these topics were received; returns all received topics. */
    async until(topics: readonly LiveTopic[]): Promise<ReadonlySet<LiveTopic>> {
      const missing = new Set<LiveTopic>(topics);
      const heard = new Set<LiveTopic>();
      while (missing.size > 0) {
        const { value } = await news.next();
        for (const topic of value?.changed ?? []) {
          missing.delete(topic);
          heard.add(topic);
        }
      }
      return heard;
    },
    next: async (): Promise<LiveNews | undefined> => (await news.next()).value ?? undefined,
  };
}

const turn = (id: string): Buffer =>
  Buffer.from(JSON.stringify({ turns: [{ id, context: SOME_CONTEXT, output: 'It is 42 %.' }] }));
const take = (id: string) =>
  ingestTurns(project, runtime.writer, {
    body: turn(id),
    validUtf8: true,
    idempotencyKey: null,
    planTurns: runtime.rules.planTurns,
  });
const claim = async (owner: string) => claimWork(runtime.ctx, { owner, limit: 10 });

const changes: readonly [string, () => Promise<unknown>, readonly LiveTopic[]][] = [
  [
    'a key that is created',
    () => createKey(project, { name: 'k', scopes: ['ingest'] }),
    ['audit', 'keys'],
  ],
  ['a rule that is switched', () => setRuleEnabled(project, runtime.rules, 'integrity', true), []],
  [
    'a rule that is switched off',
    () => setRuleEnabled(project, runtime.rules, 'integrity', false),
    ['audit', 'rules'],
  ],
  ['and on', () => setRuleEnabled(project, runtime.rules, 'integrity', true), ['audit', 'rules']],
  [
    'a threshold that is moved',
    () =>
      putThreshold(project, {
        verifier: 'task',
        key: 'pass_threshold',
        body: {
          value: 0.83,
          reason: null,
          scope: { mission_id: null, task_id: null },
          expected_version: 0,
        },
      }),
    ['audit', 'thresholds'],
  ],
  [
    'an alert rule that is changed',
    () =>
      putAlertRule(project, {
        kind: 'work_set_aside',
        verifier: null,
        rule: {
          enabled: true,
          limit: 5,
          window_minutes: 60,
          no_data: 'keep',
          renotify_minutes: null,
        },
      }),
    ['audit', 'alerts'],
  ],
  ['a turn that is stored', () => take('t-1'), ['turns']],
  [
    'work that failed',
    async () => {
      for (const work of await claim('w')) await failWork(runtime.ctx, 'w', work, 'broke');
    },
    ['work'],
  ],
  ['a check of the alerts', () => checkAlertsNow(project), ['alerts']],
  ['a job that is stored', () => createJob(project, { kind: 'counting', input: {} }), ['jobs']],
  [
    'a job that goes on',
    async () => {
      const job = await claimJob(runtime.ctx, { owner: 'w', kinds: ['counting'] });
      if (job === null) throw new Error('no job');
      await saveJobProgress(
        runtime.ctx,
        { owner: 'w', job },
        { cursor: 1, done: 1, total: 2, errors: [], result: null },
      );
    },
    ['jobs'],
  ],
];

test('11.4 changes by a person or a worker are reported to followers of the project, by topic, and to no one else', async () => {
  const other = await createTestProject(runtime);
  const [mine, others] = [await follow(project), await follow(other)];
  for (const [, act, topics] of changes) {
    const received = mine.until(topics);
    await act();
    await received;
  }
  // Verdicts and labels, the labelled verdicts computed from them, and a reviewer's claims.
  await take('t-2');
  const settled = mine.until(['turns']);
  await drainWork(runtime);
  await settled;
  const [verdict] = await runtime.ctx.sql<
    { id: string }[]
  >`select id from verdicts where project_id = ${project.projectId} limit 1`;
  await insertTestItem(runtime, project, verdict?.id ?? '', 'rev_live');
  const reserved = mine.until(['review']);
  await reserveItems(project, { limit: 1 });
  await reserved;
  const labelled = mine.until(['judgements']);
  await takeOutcomes(project, {
    body: Buffer.from(JSON.stringify({ outcomes: [{ subject_id: 't-2', success: true }] })),
    idempotencyKey: null,
  });
  await labelled;
  const trusted = mine.until(['trust']);
  await recheckTrust(runtime.ctx, { prompts: runtime.prompts });
  await trusted;
  mine.stop();
  const last = others.until(['keys']);
  await runtime.ctx.sql`select pg_notify('assay_changes', ${`${other.projectId} keys`})`;
  // The topic that `follow` used to see that it listens, and this one, but none of the other
  // project.
  expect([...(await last)].filter((topic) => topic !== 'views')).toEqual(['keys']);
  others.stop();
});

test('a slow follower receives a sum; one whose process lost PostgreSQL is notified that it missed something', async () => {
  const mine = await follow(project);
  const notify = (topics: string) =>
    runtime.ctx.sql`select pg_notify('assay_changes', ${`${project.projectId} ${topics}`})`;
  for (let n = 0; n < 50; n++) await notify(n % 2 === 0 ? 'keys' : 'rules');
  await runtime.ctx.sql`select pg_notify('assay_verdicts', ${`${project.projectId} 3 2`})`;
  const sum = { settled: 0, labelled: 0, events: 0 };
  while (sum.settled === 0) {
    const news = await mine.next();
    sum.settled += news?.settled ?? 0;
    sum.labelled += news?.labelled ?? 0;
    sum.events++;
  }
  expect(sum).toMatchObject({ settled: 3, labelled: 2 });
  expect(sum.events).toBeLessThan(50);
  const missed = (async () => {
    for (;;) if ((await mine.next())?.missed === true) return true;
  })();
  const ended = await runtime.ctx.sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen%' and pid <> pg_backend_pid()`;
  expect(ended.length).toBeGreaterThan(0);
  expect(await missed).toBe(true);
  mine.stop();
});
