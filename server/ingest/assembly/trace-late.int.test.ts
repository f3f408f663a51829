import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createTestProject, createTestRuntime, drainWork } from '../../../testing/database';
import { reportFigure } from '../../../testing/figures';
import { clean, closeLedger } from '../../../testing/ledger';
import {
  exportOf,
  type OtlpFormat,
  type OtlpSpan,
  plainSpan,
  sampleSpans,
  spanIdOf,
  text,
} from '../../../testing/otlp';
import { type Child, waitForMessage, startWorker } from '../../../testing/processes';
import { createRandom } from '../../../testing/seed';
import { createStack, long, type Stack } from '../../../testing/stack';
import { until } from '../../../testing/until';
import type { ProjectCtx } from '../../access';
import { getBacklog } from '../../queue';
import type { Runtime } from '../../runtime';
import { ingestExport } from '../intake/ingest-export';

/**
 * Spans that arrive late, and workers that die while they process traces (reliability.md 4.2, 4.8).
 */

let stack: Stack;
let second: Runtime;
let project: ProjectCtx;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'), { ASSAY_LEASE_MS: '1000' });
  second = createTestRuntime(stack.database.url);
});

beforeEach(async () => {
  project = await createTestProject(stack.runtime);
});

afterAll(async () => {
  await second.close();
  await stack.close();
});

async function take(
  spans: readonly OtlpSpan[],
  format: OtlpFormat = 'json',
  by = stack.runtime,
): Promise<void> {
  const taken = await ingestExport(project, by.segments, {
    body: exportOf(format, spans),
    packed: null,
    format,
    validUtf8: true,
  });
  expect(taken).toEqual({ spans: spans.length, rejected: 0, message: null });
}

/** Ends the idle time, by the database's clock. */
async function idle(): Promise<number> {
  const rows =
    await stack.sql`update work set due_at = now() where project_id = ${project.projectId} and due_at > now()`;
  return rows.count;
}

interface Seen {
  readonly traces: number;
  readonly turns: number;
  readonly verdicts: number;
  /** Verdicts of contents that have been replaced. */
  readonly old: number;
  readonly waiting: number;
}

async function see(): Promise<Seen | undefined> {
  const { projectId } = project;
  const [row] = await stack.sql<Seen[]>`
    select (select count(*)::int from traces where project_id = ${projectId} and revision > 0) as traces,
      (select count(*)::int from turns where project_id = ${projectId} and not superseded) as turns,
      (select count(*)::int from verdicts where project_id = ${projectId}) as verdicts,
      (select count(*)::int from verdicts v join turns t on t.project_id = v.project_id and t.id = v.subject_id
        where v.project_id = ${projectId} and t.revision > v.revision) as old,
      (select count(*)::int from work where project_id = ${projectId}) as waiting`;
  return row;
}

async function expectCleanBook(): Promise<void> {
  const ids = (
    await stack.sql<{ id: string }[]>`select id from turns where project_id = ${project.projectId}`
  ).map((row) => row.id);
  const sent = new Set(ids);
  expect(
    await closeLedger(stack.sql, project.projectId, { sent, acked: sent, faults: [] }),
  ).toMatchObject(clean);
  expect(
    await stack.sql`select subject_id, reason from work where project_id = ${project.projectId}`,
  ).toEqual([]);
}

const many = long ? 200 : 20;
const labels = Array.from({ length: many }, (_, i) => `late-${i}`);
/** The root names the session of all its spans. */
const rootOf = (label: string): OtlpSpan =>
  plainSpan(label, 0, [text('session.id', `whole-${label}`)]);

test('R-76 children first: nothing is scored before the idle time, then each once; a root that never arrives is not awaited', async () => {
  for (const label of labels) await take(sampleSpans(label, 4).slice(1));
  expect(await drainWork(stack.runtime)).toBe(0);
  expect(await see()).toEqual({ traces: 0, turns: 0, verdicts: 0, old: 0, waiting: many });
  expect(await idle()).toBe(many);
  expect(await drainWork(stack.runtime)).toBe(many);
  expect(await see()).toEqual({ traces: many, turns: many, verdicts: many, old: 0, waiting: 0 });
  const [row] =
    await stack.sql`select count(*)::int as n from traces where project_id = ${project.projectId} and has_root`;
  expect(row?.n).toBe(0);
  await expectCleanBook();
});

test('R-76 a root that arrives last but in time: scored immediately, and once', async () => {
  for (const label of labels) await take(sampleSpans(label, 4).slice(1));
  expect(await drainWork(stack.runtime)).toBe(0);
  for (const label of labels) await take([rootOf(label)], 'proto');
  expect(await drainWork(stack.runtime)).toBe(many);
  expect(await see()).toEqual({ traces: many, turns: many, verdicts: many, old: 0, waiting: 0 });
  const sessions =
    await stack.sql`select distinct session_id from turns where project_id = ${project.projectId}`;
  expect(sessions).toHaveLength(many);
  await expectCleanBook();
});

test('R-76 R-77 a root after the idle time creates a new revision only if it changes the turn; the old verdict is kept as outdated', async () => {
  for (const label of labels) await take(sampleSpans(label, 4).slice(1));
  await idle();
  expect(await drainWork(stack.runtime)).toBe(many);
  // Every other root changes the turn: if the answer names no session, the root does.
  const changing = labels.filter((_, i) => i % 2 === 0);
  for (const label of labels)
    await take([
      changing.includes(label)
        ? { ...rootOf(label), attributes: [text('langfuse.trace.tags', '["nightly"]')] }
        : plainSpan(label, 0),
    ]);
  expect(await drainWork(stack.runtime)).toBe(0);
  expect(await idle()).toBe(many);
  expect(await drainWork(stack.runtime)).toBe(changing.length);
  expect(await see()).toEqual({
    traces: many,
    turns: many,
    verdicts: many + changing.length,
    old: changing.length,
    waiting: 0,
  });
  const [row] = await stack.sql`
    select count(*) filter (where has_root)::int as rooted, min(revision) as low, max(revision) as high from traces where project_id = ${project.projectId}`;
  expect(row).toEqual({ rooted: many, low: 2, high: 2 });
  await expectCleanBook();
});

test('R-76 a pending verdict for replaced content is not given: its decision expires and the new content gets its own', async () => {
  const { projectId } = project;
  await stack.sql`update rules set delay_seconds = 3600 where project_id = ${projectId}`;
  await take(sampleSpans('owed', 4));
  expect(await drainWork(stack.runtime)).toBe(0);
  await take([
    {
      ...plainSpan('owed', 2),
      spanId: spanIdOf(77),
      name: 'late',
      attributes: [...toolAttributes('call_2', '{"free_gb":77}')],
    },
  ]);
  await idle();
  // The trace and the old verification become ready together: regardless of which is claimed first,
  // the result is one verdict after the delay.
  await drainWork(stack.runtime);
  await idle();
  await drainWork(stack.runtime);
  const decisions = await stack.sql<{ revision: number; state: string }[]>`
    select revision, state from decisions where project_id = ${projectId} order by revision`;
  const verdicts = await stack.sql<{ revision: number; outcome: string }[]>`
    select revision, outcome from verdicts where project_id = ${projectId} order by revision`;
  expect(verdicts.at(-1)).toEqual({ revision: 2, outcome: 'passed' });
  expect(decisions.map((each) => each.state)).toEqual([
    verdicts.length === 2 ? 'run' : 'expired',
    'run',
  ]);
  expect(await see()).toMatchObject({ turns: 1, waiting: 0 });
  await expectCleanBook();
});

function toolAttributes(id: string, result: string) {
  return [
    text('gen_ai.operation.name', 'execute_tool'),
    text('gen_ai.tool.name', 'disk'),
    text('gen_ai.tool.call.id', id),
    text('gen_ai.tool.call.result', result),
  ];
}

test.each(['1 second', '1 day'])(
  'R-77 a span $0 after the verdict: a new revision and one new verdict if the turn changes, else none',
  async (age) => {
    const { projectId } = project;
    await take(sampleSpans('after', 4));
    expect(await drainWork(stack.runtime)).toBe(1);
    await stack.sql`update traces set received_at = received_at - ${age}::text::interval, last_received_at = last_received_at - ${age}::text::interval where project_id = ${projectId}`;
    await stack.sql`update verdicts set settled_at = settled_at - ${age}::text::interval where project_id = ${projectId}`;
    const before =
      await stack.sql`select id, settled_at, revision, outcome from verdicts where project_id = ${projectId}`;
    await take([{ ...plainSpan('after', 1), spanId: spanIdOf(50), name: 'unrelated' }]);
    expect(await idle()).toBe(1);
    expect(await drainWork(stack.runtime)).toBe(0);
    expect(await see()).toEqual({ traces: 1, turns: 1, verdicts: 1, old: 0, waiting: 0 });
    await take(
      [
        {
          ...plainSpan('after', 2),
          spanId: spanIdOf(51),
          attributes: toolAttributes('call_2', '{"free_gb":77}'),
        },
      ],
      'proto',
    );
    expect(await idle()).toBe(1);
    expect(await drainWork(stack.runtime)).toBe(1);
    expect(await see()).toEqual({ traces: 1, turns: 1, verdicts: 2, old: 1, waiting: 0 });
    const after =
      await stack.sql`select id, settled_at, revision, outcome from verdicts where project_id = ${projectId} order by revision`;
    expect(after[0]).toEqual(before[0]);
    expect(after.map((row) => [row.revision, row.outcome])).toEqual([
      [1, 'failed'],
      [2, 'passed'],
    ]);
    expect(await drainWork(stack.runtime)).toBe(0);
  },
);

test('R-77 an answer that turns out to wrap another is superseded with its verdict, and restored if the other goes', async () => {
  const { projectId } = project;
  const [root, tool, chat] = sampleSpans('wrapped');
  if (root === undefined || tool === undefined || chat === undefined) throw new Error('no spans');
  await take([root, tool, chat]);
  expect(await drainWork(stack.runtime)).toBe(1);
  await take([{ ...chat, spanId: spanIdOf(90), parentSpanId: chat.spanId, name: 'inner' }]);
  await idle();
  expect(await drainWork(stack.runtime)).toBe(1);
  const turns =
    await stack.sql`select span_id, superseded from turns where project_id = ${projectId} order by span_id`;
  expect(turns.map((row) => [row.span_id, row.superseded])).toEqual([
    [chat.spanId, true],
    [spanIdOf(90), false],
  ]);
  expect(await see()).toMatchObject({ turns: 1, verdicts: 2 });
});

test('R-12 a worker killed between assembling a trace and verifying its turn: another worker gives the one verdict', async () => {
  await take(sampleSpans('held', 4));
  const worker = await startWorker({ ...stack.variables, HARNESS_KIND: 'hold' }, 'fixture-worker');
  await waitForMessage(worker, 'holds');
  expect(await see()).toEqual({ traces: 1, turns: 1, verdicts: 0, old: 0, waiting: 1 });
  await worker.kill();
  const other = await startWorker(stack.variables);
  await until('another settles', async () => ((await see())?.verdicts === 1 ? true : null));
  await other.kill();
  const attempts =
    await stack.sql`select "end" from work_attempts where project_id = ${project.projectId}`;
  expect(attempts.map((row) => row.end)).toEqual(['lost']);
  await expectCleanBook();
});

test('R-12 workers killed while traces arrive, are assembled and verified: every span is stored, every trace has its turn and verdict', async () => {
  const random = createRandom('R-12 traces');
  const traces = long ? 1500 : 60;
  const kills = long ? 25 : 1;
  const slow = {
    ...stack.variables,
    HARNESS_KIND: 'slow',
    HARNESS_DELAY_MS: '3',
    HARNESS_BATCH: '25',
    ASSAY_TRACE_IDLE_MS: '100',
  };
  const workers: Child[] = await Promise.all([
    startWorker(slow, 'fixture-worker'),
    startWorker(slow, 'fixture-worker'),
  ]);
  const each = Math.ceil(traces / kills);
  for (let kill = 0; kill < kills; kill++) {
    for (let i = kill * each; i < Math.min(traces, (kill + 1) * each); i++) {
      const spans = random.shuffle(sampleSpans(`kill-${i}`, 6));
      const cut = random.between(1, 5);
      await take(spans.slice(0, cut), 'json');
      await take(spans.slice(cut), 'proto', second);
    }
    await new Promise((resolve) => setTimeout(resolve, random.between(20, 200)));
    const victim = random.between(0, 1);
    await workers[victim]?.kill();
    workers[victim] = await startWorker(slow, 'fixture-worker');
  }
  await until(
    'nothing waits',
    async () => ((await see())?.waiting === 0 ? true : null),
    long ? 120_000 : 20_000,
  );
  for (const worker of workers) await worker.kill();
  await expectCleanBook();
  expect(await see()).toMatchObject({ traces, turns: traces });
  expect((await getBacklog(project)).quarantined).toEqual([]);
  const { projectId } = project;
  const [row] = await stack.sql`
      select (select sum(spans)::int from trace_segments where project_id = ${projectId}) as stored,
        (select sum(spans)::int from traces where project_id = ${projectId}) as merged,
        (select count(*)::int from verdicts v join turns t on t.project_id = v.project_id and t.id = v.turn_id and t.revision = v.revision
          where v.project_id = ${projectId} and v.outcome = 'failed' and (v.detail->>'unsourced')::int = 1) as right`;
  expect(row).toEqual({ stored: traces * 6, merged: traces * 6, right: traces });
  reportFigure('R-12 traces', { traces, kills, seed: random.seed, lost: 0, twice: 0 });
});

test('R-5 intake and workers lock the rows of the same traces in one order: no deadlock', async () => {
  const deadlocks = async (): Promise<number> => {
    const [row] = await stack.sql<{ n: number }[]>`
      select deadlocks::int as n from pg_stat_database where datname = current_database()`;
    return row?.n ?? -1;
  };
  const before = await deadlocks();
  const lines = 4;
  const rounds = long ? 200 : 40;
  const hasty = [0, 1].map(() =>
    createTestRuntime(stack.database.url, { ASSAY_TRACE_IDLE_MS: '0' }),
  );
  let sending = lines;
  const send = async (line: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      const spans = [0, 1, 2, 3, 4, 5].map((trace) =>
        plainSpan(`shared-${(trace + line) % 6}`, line * rounds + round, []),
      );
      await take(spans, 'json', hasty[line % 2]);
    }
    sending--;
  };
  const work = async (runtime: Runtime, owner: string): Promise<void> => {
    while (sending > 0) await drainWork(runtime, owner);
    await drainWork(runtime, owner);
  };
  await Promise.all([
    ...Array.from({ length: lines }, (_, line) => send(line)),
    ...hasty.map((runtime, i) => work(runtime, `hasty ${i}`)),
  ]);
  const [row] =
    await stack.sql`select sum(spans)::int as n, count(*)::int as traces from traces where project_id = ${project.projectId}`;
  expect(row).toEqual({ n: lines * rounds * 6, traces: 6 });
  for (const runtime of hasty) await runtime.close();
  // A session reports its statistics when it ends, at the latest.
  expect((await deadlocks()) - before).toBe(0);
});
