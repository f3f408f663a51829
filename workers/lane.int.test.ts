import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { getBacklog, replayWork } from '../server/queue';
import { drainWork } from '../testing/database';
import { createCaller } from '../testing/call';
import { reportFigure } from '../testing/figures';
import { clean, closeLedger, createLedger } from '../testing/ledger';
import { type Child, endAll, waitForMessage, startEdge, startWorker } from '../testing/processes';
import { createRandom } from '../testing/seed';
import { replayQuarantined } from '../testing/replay-quarantined';
import { createStack, long, sampleTurn, type Stack } from '../testing/stack';
import { until } from '../testing/until';

let stack: Stack;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'), { ASSAY_LEASE_MS: '1000' });
});

// A worker left running by a failed test would take the next test's work.
afterEach(() => endAll());
afterAll(() => stack.close());

/**
 * Index of the worker that has claimed work now (its process id is in the owner's name); 0 when no
 * work is left.
 */
async function findHolder(workers: readonly Child[]): Promise<number | null> {
  const rows = await stack.sql<
    { owner: string | null }[]
  >`select distinct owner from work where state = 'waiting'`;
  if (rows.length === 0) return 0;
  const at = workers.findIndex((worker) =>
    rows.some((row) => row.owner?.includes(`-${worker.pid}-`)),
  );
  return at === -1 ? null : at;
}

/** Records every claim, so that the attempt rows can be compared with the claims. */
async function noteClaims(): Promise<void> {
  await stack.sql.unsafe(`
    create table if not exists test_claims (project_id text, id text, owner text, fence bigint);
    create or replace function note_claim() returns trigger language plpgsql as $$
    begin insert into test_claims values (new.project_id, new.id, new.owner, new.fence); return new; end $$;
    create or replace trigger note_claim after update on work for each row when (new.fence > old.fence and new.state = 'waiting') execute function note_claim()`);
}

test(
  'R-12 workers killed in the middle: nothing lost, nothing twice, each re-run has its attempt row',
  async () => {
    const turns = long ? 2000 : 100;
    const kills = long ? 30 : 2;
    const random = createRandom('R-12');
    const began = performance.now();
    await noteClaims();
    const edge = await startEdge(stack.variables);
    const slow = {
      ...stack.variables,
      HARNESS_KIND: 'slow',
      HARNESS_DELAY_MS: '20',
      HARNESS_BATCH: '50',
    };
    const workers = await Promise.all([
      startWorker(slow, 'fixture-worker'),
      startWorker(slow, 'fixture-worker'),
    ]);
    const ledger = createLedger({ url: edge.url, key: stack.key });
    let next = 0;
    const send = async (count: number): Promise<void> => {
      const ids = Array.from({ length: Math.min(count, turns - next) }, () => `r12-${next++}`);
      if (ids.length > 0) await ledger.postUntilAcked(ids.map((id) => sampleTurn(id)));
    };
    for (let kill = 0; kill < kills; kill++) {
      await send(Math.ceil(turns / kills));
      await new Promise((resolve) => setTimeout(resolve, random.between(0, 100)));
      const victim = await until('a worker holds work', () => findHolder(workers));
      await workers[victim]?.kill();
      workers[victim] = await startWorker(slow, 'fixture-worker');
    }
    await stack.drained(long ? 90_000 : 20_000);
    const setAside = await replayQuarantined(stack.project);
    await stack.drained();
    const balance = await closeLedger(stack.sql, stack.project.projectId, ledger);
    expect(balance).toMatchObject({
      ...clean,
      sent: turns,
      acked: turns,
      stored: turns,
      verdicts: turns,
    });
    const [unnoted] = await stack.sql<{ n: number; reruns: number }[]>`
    with runs as (select id, count(*) as n from test_claims group by id),
      ended as (select work_id as id, count(*) as n from work_attempts where "end" in ('lost', 'failed') group by work_id)
    select count(*) filter (where runs.n - 1 <> coalesce(ended.n, 0))::int as n, sum(runs.n - 1)::int as reruns
    from runs left join ended using (id)`;
    expect(unnoted?.n).toBe(0);
    expect(unnoted?.reruns).toBeGreaterThan(0);
    reportFigure('R-12', {
      turns,
      kills,
      seed: random.seed,
      lost: 0,
      twice: 0,
      reruns: unnoted?.reruns ?? 0,
      'set aside and replayed': setAside,
      seconds: ((performance.now() - began) / 1000).toFixed(1),
    });
    for (const child of [edge, ...workers]) await child.kill();
  },
  long ? 180_000 : 300_000,
);

test('R-13 a turn that kills its worker is quarantined with the reason and can be replayed; all others are done', async () => {
  const call = createCaller(stack.runtime, stack.key);
  const others = Array.from({ length: 30 }, (_, i) => sampleTurn(`r13-${i}`));
  others.splice(17, 0, sampleTurn('r13-poison', { output: 'POISON 5 GB' }));
  expect((await call('/v1/turns', { turns: others })).body).toMatchObject({ accepted: 31 });
  const abort = { ...stack.variables, ASSAY_LEASE_MS: '2500', HARNESS_KIND: 'abort' };
  let deaths = 0;
  let worker: Child = await startWorker(abort, 'fixture-worker');
  let watching = true;
  const keeping = (async () => {
    while (watching) {
      await worker.exited;
      if (!watching) return;
      deaths++;
      worker = await startWorker(abort, 'fixture-worker');
    }
  })();
  const [quarantined] = await until('quarantined', async () => {
    const backlog = await getBacklog(stack.project);
    return backlog.quarantined.length > 0 && backlog.waiting === 0 ? backlog.quarantined : null;
  });
  watching = false;
  await worker.kill();
  await keeping;
  expect(quarantined).toMatchObject({
    subjectId: 'r13-poison',
    verifier: 'integrity',
    reason: 'its worker died 3 times while verifying it',
  });
  expect(deaths).toBe(3);
  const done = await stack.sql`select subject_id from verdicts where subject_id like 'r13-%'`;
  expect(done).toHaveLength(30);
  await replayWork(stack.project, { subjectId: 'r13-poison', verifier: 'integrity' });
  expect(await drainWork(stack.runtime)).toBe(1);
  const [verdict] = await stack.sql`select outcome from verdicts where subject_id = 'r13-poison'`;
  expect(verdict?.outcome).toBe('failed');
  expect((await getBacklog(stack.project)).quarantined).toEqual([]);
  const attempts = await stack.sql`
    select a."end", a.worker from work_attempts a join verdicts v on v.id = a.work_id where v.subject_id = 'r13-poison' order by a.attempt`;
  expect(attempts.map((row) => row.end)).toEqual(['lost', 'lost', 'lost']);
  expect(new Set(attempts.map((row) => row.worker)).size).toBe(3);
  await expectCleanBook();
});

test('R-17 a worker frozen past its lease wakes after another has settled: its late verdict is refused, the other verdict is kept', async () => {
  const call = createCaller(stack.runtime, stack.key);
  await call('/v1/turns', { turns: [sampleTurn('r17')] });
  const zombie = await freezeHolding();
  const other = await startWorker(stack.variables);
  const verdict = await until('the other settles', () => findVerdict('r17'));
  wake(zombie);
  const attempts = await until('the refusal is noted', () => findRefusal(verdict.id));
  expect(attempts.map((row) => [row.end, row.attempt])).toEqual([
    ['lost', 1],
    ['refused', -1],
  ]);
  expect(new Set(attempts.map((row) => row.worker)).size).toBe(1);
  expect(await findVerdict('r17')).toEqual(verdict);
  expect(zombie.output()).toContain('verdict refused: the lease had ended');
  await Promise.all([zombie.kill(), other.kill()]);
  await expectCleanBook();
});

test('R-17 it wakes while the other still has the work: refused all the same, the other one settles', async () => {
  const call = createCaller(stack.runtime, stack.key);
  await call('/v1/turns', { turns: [sampleTurn('r17b')] });
  const zombie = await freezeHolding();
  const other = await startWorker({ ...stack.variables, HARNESS_KIND: 'hold' }, 'fixture-worker');
  await waitForMessage(other, 'holds');
  const [work] = await stack.sql<{ id: string }[]>`select id from work where subject_id = 'r17b'`;
  wake(zombie);
  const attempts = await until('the refusal is noted', () => findRefusal(work?.id ?? ''));
  expect(attempts.map((row) => [row.end, row.attempt])).toEqual([
    ['lost', 1],
    ['refused', -1],
  ]);
  expect(await findVerdict('r17b')).toBeNull();
  other.send({ go: true });
  await until('the other settles', () => findVerdict('r17b'));
  await Promise.all([zombie.kill(), other.kill()]);
  await expectCleanBook();
});

/** A worker that has claimed the only work, stopped in the middle of it. */
async function freezeHolding(): Promise<Child> {
  const worker = await startWorker({ ...stack.variables, HARNESS_KIND: 'hold' }, 'fixture-worker');
  await waitForMessage(worker, 'holds');
  worker.signal('SIGSTOP');
  return worker;
}

function wake(worker: Child): void {
  worker.send({ go: true });
  worker.signal('SIGCONT');
}

async function findVerdict(turn: string): Promise<{ id: string; settled_at: string } | null> {
  const rows = await stack.sql<
    { id: string; settled_at: string }[]
  >`select id, settled_at from verdicts where subject_id = ${turn}`;
  if (rows.length > 1) throw new Error('more than one verdict');
  return rows[0] === undefined ? null : { ...rows[0] };
}

async function findRefusal(
  workId: string,
): Promise<{ end: string; worker: string; attempt: number }[] | null> {
  const rows = await stack.sql<{ end: string; worker: string; attempt: number }[]>`
    select "end", worker, attempt from work_attempts where work_id = ${workId} order by attempt desc`;
  return rows.some((row) => row.end === 'refused') ? rows : null;
}

async function expectCleanBook(): Promise<void> {
  const sent = new Set(
    (await stack.sql<{ id: string }[]>`select id from turns`).map((row) => row.id),
  );
  expect(
    await closeLedger(stack.sql, stack.project.projectId, { sent, acked: sent, faults: [] }),
  ).toMatchObject(clean);
}
