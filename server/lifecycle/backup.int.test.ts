import { mkdtempSync, rmSync } from 'node:fs';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  createTestDatabase,
  createTestMember,
  createTestProject,
  createTestRuntime,
  drainWork,
  findSecretsIn,
  insertTestReport,
  type TestDatabase,
} from '../../testing/database';
import { createCaller } from '../../testing/call';
import { reportFigure } from '../../testing/figures';
import { exportOf, sampleSpans } from '../../testing/otlp';
import { long, sampleTurn } from '../../testing/stack';
import { createKey, type ProjectCtx } from '../access';
import { putProvider } from '../llm';
import type { Runtime } from '../runtime';
import { ingestExport } from '../ingest';
import { type LineReader as Reader, LineReader } from './backup/archive';
import {
  deletionsFile,
  reapplyDeletions,
  requestDeletion,
  restoreBackup,
  writeBackup,
} from './index';

let source: TestDatabase;
let runtime: Runtime;
let project: ProjectCtx;
let call: ReturnType<typeof createCaller>;
const folder = mkdtempSync(join(tmpdir(), 'assay-backup-'));
const targets: string[] = [];

beforeAll(async () => {
  source = await createTestDatabase(inject('databaseUrl'));
  runtime = createTestRuntime(source.url, { ASSAY_DATA_DIR: folder, ASSAY_TRACE_IDLE_MS: '0' });
  project = await createTestProject(runtime);
  const { key } = await createKey(project, {
    name: 'test',
    scopes: ['ingest', 'verify', 'read', 'write'],
  });
  call = createCaller(runtime, key);
  await putProvider(project, 'judge', {
    kind: 'openai',
    api_key: 'sk-judge',
    models: ['gpt-4o-mini'],
    enabled: true,
  });
  await insertTestReport(runtime, project, 'rep_1');
  await createTestMember(runtime, project, 'reviewer');
});

afterAll(async () => {
  await runtime.close();
  await source.drop();
  const admin = postgres(inject('databaseUrl'), { max: 1, onnotice: () => undefined });
  for (const name of targets) await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.end();
  rmSync(folder, { recursive: true, force: true });
});

/** An empty database, without even our schema, and a process to work on it. */
async function emptyTarget(variables: Readonly<Record<string, string>> = {}): Promise<Runtime> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  const admin = postgres(inject('databaseUrl'), { max: 1 });
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  targets.push(name);
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  return createTestRuntime(url.href, variables);
}

const restore = (target: Runtime, file: string, withoutSecrets = false) =>
  restoreBackup(target.ctx, file, { withoutSecrets });

async function isUntouched({ ctx }: Runtime): Promise<boolean> {
  const rows =
    await ctx.sql`select 1 from pg_class where relnamespace = 'public'::regnamespace and relname = 'projects'`;
  if (rows.length === 0) return true;
  return (await ctx.sql`select 1 from projects union all select 1 from users`).length === 0;
}

/** A backup's data about each table: rows and their checksum. */
async function readTables(file: string): Promise<Map<string, string>> {
  const reader: Reader = new LineReader(
    (async function* () {
      yield gunzipSync(await readFile(file));
    })(),
  );
  await reader.line();
  const tables = new Map<string, string>();
  for (;;) {
    const line = JSON.parse(await reader.line()) as { end?: boolean; table: string };
    if (line.end === true) return tables;
    let rows: string[] = [];
    for await (const piece of reader.rows())
      rows = rows.concat(piece.toString().split('\n').slice(0, -1));
    await reader.line();
    tables.set(line.table, rows.toSorted().join('\n'));
  }
}

test('R-45 taken under load and restored into an empty database it equals the ledger, and its pending work is done', async () => {
  await call('/v1/turns', { turns: ['settled-1', 'settled-2'].map((id) => sampleTurn(id)) });
  await drainWork(runtime);
  const acked: string[] = ['settled-1', 'settled-2'];
  const sent: string[] = [...acked];
  let stop = false;
  const send = async (n: number): Promise<void> => {
    const ids = Array.from({ length: 10 }, (_, i) => `load-${n}-${i}`);
    sent.push(...ids);
    const turns = ids.map((id) =>
      sampleTurn(id, { output: `tab\there, line\nthere, \\. and 91.4% ü ${id}` }),
    );
    expect((await call('/v1/turns', { turns })).status).toBe(202);
    acked.push(...ids);
  };
  for (let n = 0; n < 3; n++) await send(n);
  const ackedBefore = [...acked];
  const taking = writeBackup(runtime.ctx, folder);
  // Other clients continue writing until it is complete.
  const load = (async () => {
    for (let n = 3; !stop && n < 15; n++) await send(n);
  })();
  const written = await taking;
  const sentBy = [...sent];
  stop = true;
  await load;
  expect(written.file).toMatch(/assay-.*\.backup\.gz$/);

  const target = await emptyTarget();
  const restored = await restore(target, written.file);
  expect(restored).toMatchObject({
    rows: written.rows,
    tables: written.tables,
    at: written.at,
    secretsLeftOut: 0,
  });
  const { sql } = target.ctx;
  const there = new Set((await sql<{ id: string }[]>`select id from turns`).map(({ id }) => id));
  expect(ackedBefore.filter((id) => !there.has(id))).toEqual([]);
  expect([...there].filter((id) => !sentBy.includes(id))).toEqual([]);
  // Complete to the row: every turn has its verdict or its work.
  expect(
    await sql`select id from turns t where not exists (select from work where subject_id = t.id) and not exists (select from verdicts where subject_id = t.id)`,
  ).toEqual([]);
  const again = join(folder, 'again.gz');
  await writeBackup(target.ctx, again);
  const [one, other] = [await readTables(written.file), await readTables(again)];
  // Its leases were released: the only change, in `work`.
  for (const [table, rows] of [...one].filter(([name]) => name !== 'work'))
    expect(other.get(table), table).toBe(rows);
  await drainWork(target);
  expect(await sql`select 1 from work`).toEqual([]);
  expect(
    await sql`select id from turns t where not exists (select from verdicts where subject_id = t.id)`,
  ).toEqual([]);
  await target.close();
  await drainWork(runtime);
});

test('R-45 a backup overwrites no other, creates its folder, and refuses an empty instance', async () => {
  const inside = await writeBackup(runtime.ctx, join(folder, 'of', 'today'));
  expect(inside.file).toMatch(/of\/today\/assay-.*\.backup\.gz$/);
  const before = await readFile(inside.file);
  await expect(writeBackup(runtime.ctx, inside.file)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('exists') as string,
  });
  const empty = await emptyTarget();
  await expect(writeBackup(empty.ctx, join(folder, 'of', 'nothing.gz'))).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('ASSAY_DATA_DIR') as string,
  });
  await empty.close();
  expect(await readFile(inside.file)).toEqual(before);
  expect(await readdir(join(folder, 'of'))).toEqual(['today']);
  expect(await readdir(join(folder, 'of', 'today'))).toHaveLength(1);
});

test('R-45 S-106 another key, no key, a non-empty database, and a truncated or changed file: each reports the fault and changes nothing', async () => {
  const file = join(folder, 'whole.gz');
  await writeBackup(runtime.ctx, file);
  const other = await emptyTarget({ ASSAY_SECRET: 'another-test-secret-test-secret-another' });
  await expect(restore(other, file)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringMatching(/encrypted with another ASSAY_SECRET/) as string,
  });
  const keyless: Runtime = {
    ...other,
    ctx: { ...other.ctx, env: { ...other.ctx.env, secret: null } },
  };
  await expect(restore(keyless, file)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringMatching(/without the ASSAY_SECRET/) as string,
  });
  await expect(restore(runtime, file)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringMatching(/in use|not empty/) as string,
  });
  expect(await runtime.ctx.sql`select 1 from projects`).toHaveLength(1);

  const bytes = gunzipSync(await readFile(file));
  const broken = join(folder, 'broken.gz');
  const target = await emptyTarget();
  const changed = Buffer.from(
    bytes.toString('latin1').replace('gpt-4o-mini', 'gpt-4o-maxi'),
    'latin1',
  );
  for (const [content, message] of [
    [gzipSync(bytes.subarray(0, Math.floor(bytes.length / 2))), /incomplete|cannot be read/],
    [gzipSync(changed), /was changed/],
    [(await readFile(file)).subarray(0, 2_000), /cannot be read|incomplete/],
    [gzipSync(Buffer.from('{"a":1}\n')), /not a backup of Assay/],
    [gzipSync(Buffer.from('{"assay_backup":1,"migrations":9999}\n')), /newer release/],
  ] as const) {
    await writeFile(broken, content);
    await expect(restore(target, broken)).rejects.toMatchObject({
      message: expect.stringMatching(message) as string,
    });
    expect(await isUntouched(target)).toBe(true);
  }
  expect(await isUntouched(other)).toBe(true);

  // Without the key it can still be restored on request: without the data that only the key could
  // open.
  expect(await restore(other, file, true)).toMatchObject({ secretsLeftOut: 1 });
  expect(await other.ctx.sql`select name, enabled, sealed_key from providers`).toEqual([
    { name: 'judge', enabled: false, sealed_key: null },
  ]);
  await expect(restore(other, file, true)).rejects.toMatchObject({
    message: expect.stringMatching(/not empty/) as string,
  });
  await Promise.all([other.close(), target.close()]);
});

test('S-112 data deleted after the backup is deleted again from the restored database', async () => {
  const [user, word] = ['dora-the-explorer', 'amberwords'];
  await call('/v1/turns', {
    turns: [
      sampleTurn('of-dora', { metadata: { user_id: user }, input: word, session_id: 's-dora' }),
      sampleTurn('of-nobody'),
    ],
  });
  await call('/v1/turns', { turns: [{ id: 'bad', metadata: { user_id: user } }] });
  await drainWork(runtime);
  const file = join(folder, 'before.gz');
  await writeBackup(runtime.ctx, file);
  expect(await requestDeletion(project, runtime.ctx, { kind: 'user', id: user })).toMatchObject({
    state: 'done',
  });
  const list = join(folder, deletionsFile);
  expect(await readFile(list, 'utf8')).not.toContain(user);

  const target = await emptyTarget();
  await restore(target, file);
  expect(await findSecretsIn(target.ctx.sql, [user, word])).not.toEqual([]);
  expect(await reapplyDeletions(target.ctx, list)).toBe(1);
  expect(await findSecretsIn(target.ctx.sql, [user, word])).toEqual([]);
  expect(await target.ctx.sql`select 1 from turns where id = 'of-nobody'`).toHaveLength(1);
  await appendFile(list, 'no line\n');
  await expect(reapplyDeletions(target.ctx, list)).rejects.toMatchObject({
    message: expect.stringMatching(/line \d+ of the list/) as string,
  });
  await target.close();
});

test('R-45 the drill: spans, their turns and verdicts are back within a minute', async () => {
  const traces = long ? 1_000 : 20;
  const each = 100;
  for (let n = 0; n < traces; n++) {
    const body = exportOf('proto', sampleSpans(`drill-${n}`, each));
    await ingestExport(project, runtime.segments, {
      body,
      packed: null,
      format: 'proto',
      validUtf8: true,
    });
  }
  await drainWork(runtime);
  const file = join(folder, 'drill.gz');
  const began = performance.now();
  const written = await writeBackup(runtime.ctx, file);
  const taken = performance.now();
  const target = await emptyTarget();
  const restored = await restore(target, file);
  const seconds = (performance.now() - taken) / 1000;
  expect(restored.rows).toBe(written.rows);
  const spansOf = async (of: Runtime) =>
    (
      await of.ctx
        .sql`select coalesce(sum(spans), 0)::int as n, count(*)::int as segments from trace_segments`
    )[0];
  expect(await spansOf(target)).toEqual(await spansOf(runtime));
  expect(await spansOf(target)).toMatchObject({ n: traces * each });
  reportFigure('R-45', {
    spans: traces * each,
    'backup s': ((taken - began) / 1000).toFixed(1),
    'restore s': seconds.toFixed(1),
    MiB: (written.bytes / 1024 / 1024).toFixed(1),
  });
  expect(seconds).toBeLessThan(60);
  await target.close();
});
