import { afterEach, expect, inject, onTestFinished, test } from 'vitest';
import { reportFigure } from '../../../testing/figures';
import { clean, closeLedger, createLedger, type Ledger } from '../../../testing/ledger';
import { readLoad, type Child, endAll, startEdge, startWorker } from '../../../testing/processes';
import { createSlowStack, type SlowStack } from '../../../testing/slow-stack';
import { long, sampleTurn } from '../../../testing/stack';
import { until } from '../../../testing/until';

afterEach(() => endAll());

const waiting = long ? 50_000 : 1_500;
const requests = long ? 1_000 : 100;

/**
 * Blocks that PostgreSQL has read for this database, from memory or disk. A connection reports them
 * late, except at its end, so this closes the connections of the edge.
 */
async function countBlocks({ sql }: SlowStack): Promise<number> {
  const ended = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and application_name like 'assay edge%'
      and pg_terminate_backend(pid)`;
  const pids = JSON.stringify(ended.map(({ pid }) => pid));
  await until('they have ended', async () => {
    const rows = await sql`
      select 1 from pg_stat_activity a join jsonb_array_elements(${pids}::text::jsonb) e on e::int = a.pid`;
    return rows.length === 0 ? true : null;
  });
  const [row] = await sql<{ n: number }[]>`
    select (blks_hit + blks_read)::int as n from pg_stat_database where datname = current_database()`;
  return row?.n ?? 0;
}

async function countWaiting({ sql }: SlowStack): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from work where state = 'waiting'`;
  return row?.n ?? 0;
}

/** The cost of a request with one turn; each round has other turns. */
async function measure(stack: SlowStack, edge: Child, ledger: Ledger, round: string) {
  let next = 0;
  const client = async (): Promise<void> => {
    for (let n = next++; n < requests; n = next++)
      await ledger.postUntilAcked([sampleTurn(`r3-${round}-${n}`)]);
  };
  const before = await countBlocks(stack);
  await readLoad(edge, true);
  await Promise.all([client(), client()]);
  const { cpuMs } = await readLoad(edge);
  return { cpuMs: cpuMs / requests, blocks: ((await countBlocks(stack)) - before) / requests };
}

test(`R-3 ${waiting} rows of work wait, and a judge takes 200 ms: a request of the intake costs what it costs without them`, async () => {
  const stack = await createSlowStack(inject('databaseUrl'), 'postgres');
  onTestFinished(() => stack.close());
  // Vacuuming reads blocks too.
  await stack.sql.unsafe(`
    do $$ declare t text; begin
      for t in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      loop execute format('alter table %I set (autovacuum_enabled = off)', t); end loop; end $$`);
  const edge = await startEdge(stack.variables, true);
  const ledger = createLedger({ url: edge.url, key: stack.key });
  // Compiles the code and opens connections.
  await measure(stack, edge, ledger, 'warm');
  const empty = await measure(stack, edge, ledger, 'empty');
  for (let sent = 0; sent < waiting; sent += 100)
    await ledger.postUntilAcked(
      Array.from({ length: 100 }, (_, i) => sampleTurn(`r3-${sent + i}`)),
    );
  const idle = await measure(stack, edge, ledger, 'idle');
  const judge = { ...stack.variables, HARNESS_KIND: 'slow', HARNESS_DELAY_MS: '200' };
  const slow = await startWorker({ ...judge, ASSAY_JUDGES_AT_ONCE: '4' }, 'slow-worker');
  await until('the judge is at work', async () => {
    const rows = await stack.sql`select 1 from verdicts limit 1`;
    return rows.length > 0 ? true : null;
  });
  const busy = await measure(stack, edge, ledger, 'busy');
  expect(await countWaiting(stack)).toBeGreaterThan(waiting / 4);
  await slow.kill();
  await startWorker({ ...judge, HARNESS_DELAY_MS: '0' }, 'slow-worker');
  await stack.drained(240_000);
  expect(await closeLedger(stack.sql, stack.project.projectId, ledger)).toMatchObject(clean);
  reportFigure('R-3', {
    waiting,
    'edge ms per request, no work': empty.cpuMs.toFixed(2),
    'with work': idle.cpuMs.toFixed(2),
    'with a judge': busy.cpuMs.toFixed(2),
    'blocks per request, no work': Math.round(empty.blocks),
    'blocks with work': Math.round(idle.blocks),
  });
  // Larger indexes cost a few blocks; reading the waiting rows would cost all of theirs.
  expect(idle.blocks).toBeLessThan(1.3 * empty.blocks);
  for (const { cpuMs } of [idle, busy]) expect(cpuMs).toBeLessThan((long ? 1.2 : 2) * empty.cpuMs);
}, 600_000);
