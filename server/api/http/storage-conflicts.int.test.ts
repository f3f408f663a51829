import postgres from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { drainWork } from '../../../testing/database';
import { clean, closeLedger } from '../../../testing/ledger';
import { type Edge, startEdge } from '../../../testing/processes';
import { createStack, sampleTurn, type Stack } from '../../../testing/stack';
import { until } from '../../../testing/until';
import { startFaultline } from '../../../testing/faultline';
import { countStorageRetries } from '../../platform';

/** Transactions that PostgreSQL aborts, and processes that die around their commit. */

const token = 'an-operator-token-of-a-test';
let stack: Stack;
let edge: Edge;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  edge = await startEdge({ ...stack.variables, ASSAY_OPERATOR_TOKEN: token });
});

afterAll(() => stack.close());

/** The next `count` statements that insert into `table` fail with this code. */
async function injectFaults(table: string, code: string, count: number): Promise<void> {
  await stack.sql.unsafe(`
    drop sequence if exists test_tries;
    create sequence test_tries;
    create or replace function test_fault() returns trigger language plpgsql as $$
    begin
      if nextval('test_tries') <= ${count} then
        raise exception 'injected' using errcode = '${code}';
      end if;
      return null;
    end $$;
    create or replace trigger test_fault before insert on ${table}
      for each statement execute function test_fault()`);
}

const endFaults = (table: string) =>
  stack.sql.unsafe(`drop trigger if exists test_fault on ${table}`);

async function countTries(): Promise<number> {
  const [row] = await stack.sql<{ n: number }[]>`select last_value::int as n from test_tries`;
  return row?.n ?? 0;
}

async function readRetries(): Promise<number> {
  const response = await fetch(`${edge.url}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return Number(/^process_storage_retries_total (\d+)$/m.exec(await response.text())?.[1]);
}

const post = (id: string, url = edge.url): Promise<Response> =>
  fetch(`${url}/v1/turns`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ turns: [sampleTurn(id)] }),
  });

test.each([
  { what: 'a deadlock', code: '40P01' },
  { what: 'a serialization failure', code: '40001' },
])('R-39 $what is retried three times at most, and counted', async ({ code }) => {
  const before = await readRetries();
  await injectFaults('turns', code, 3);
  const taken = await post(`r39-${code}`);
  expect([taken.status, await countTries()]).toEqual([202, 4]);
  expect((await readRetries()) - before).toBe(3);

  await injectFaults('turns', code, 1_000);
  const refused = await post(`r39-${code}-more`);
  expect([refused.status, await countTries()]).toEqual([503, 4]);
  expect(refused.headers.get('retry-after')).not.toBeNull();
  await endFaults('turns');
  expect((await post(`r39-${code}-more`)).status).toBe(202);
  expect((await readRetries()) - before).toBe(6);

  const counted = countStorageRetries();
  await injectFaults('verdicts', code, 3);
  expect(await drainWork(stack.runtime)).toBe(2);
  expect(countStorageRetries() - counted).toBe(3);
  await endFaults('verdicts');
  expect(await stack.sql`select 1 from work_attempts`).toEqual([]);
  await expectCleanBook();
});

async function expectCleanBook(): Promise<void> {
  const rows = await stack.sql<{ id: string }[]>`select id from turns`;
  const sent = new Set(rows.map((row) => row.id));
  expect(
    await closeLedger(stack.sql, stack.project.projectId, { sent, acked: sent, faults: [] }),
  ).toMatchObject(clean);
}

test('R-15 a process killed before its commit: no answer, nothing stored, sent again it is stored once', async () => {
  const { sql } = stack;
  // The commit waits for a lock; PostgreSQL notices that its client has died, and rolls back.
  await sql.unsafe(`
    do $$ begin execute format('alter database %I set client_connection_check_interval = 20', current_database()); end $$;
    create function test_pause() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(15); return null; end $$;
    create constraint trigger test_pause after insert on turns
      deferrable initially deferred for each row execute function test_pause()`);
  const doomed = await startEdge(stack.variables);
  const lock = postgres(stack.database.url, { max: 1 });
  await lock`select pg_advisory_lock(15)`;
  const waits = async (): Promise<boolean> =>
    (await sql`select 1 from pg_locks where locktype = 'advisory' and objid = 15 and not granted`)
      .length > 0;
  let answered = false;
  const sending = post('r15', doomed.url).then(
    () => (answered = true),
    () => undefined,
  );
  await until('the commit waits', async () => ((await waits()) ? true : null));
  expect(answered).toBe(false);
  await doomed.kill();
  await sending;
  expect(answered).toBe(false);
  await until('the transaction has ended', async () => ((await waits()) ? null : true));
  await lock.end();
  expect(await sql`select 1 from turns where id = 'r15'`).toEqual([]);
  await sql`drop trigger test_pause on turns`;
  const again = await post('r15');
  expect(await again.json()).toMatchObject({ accepted: 1, duplicates: 0 });
  expect(await drainWork(stack.runtime)).toBe(1);
  await expectCleanBook();
});

test('R-14 a process killed after its commit, before its answer: sent again, one copy and one verdict', async () => {
  const url = new URL(stack.database.url);
  const line = await startFaultline({ host: url.hostname, port: Number(url.port) });
  url.port = String(line.port);
  const doomed = await startEdge({ ...stack.variables, DATABASE_URL: url.href });
  const struck = line.swallowAfter('r14');
  const sending = post('r14', doomed.url).catch(() => null);
  await struck;
  await until('it is committed', async () => {
    const rows = await stack.sql`select 1 from turns where id = 'r14'`;
    return rows.length === 1 ? true : null;
  });
  await doomed.kill();
  expect(await sending).toBeNull();
  const again = await post('r14');
  expect(again.status).toBe(202);
  expect(await again.json()).toMatchObject({ accepted: 0, duplicates: 1 });
  expect(await drainWork(stack.runtime)).toBe(1);
  await expectCleanBook();
  await line.close();
});
