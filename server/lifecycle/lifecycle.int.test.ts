import { readFile, writeFile } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import postgres, { type Sql } from 'postgres';
import { afterAll, afterEach, expect } from 'vitest';
import {
  createTestProject,
  drainWork,
  findSecretsIn,
  type TestDatabase,
} from '../../testing/database';
import { testWith } from '../../testing/fixture';
import { createCaller, type Json } from '../../testing/call';
import {
  exportOf,
  type OtlpFormat,
  type OtlpSpan,
  plainSpan,
  sampleSpans,
  text,
  traceIdOf,
} from '../../testing/otlp';
import { sampleTurn } from '../../testing/stack';
import { until } from '../../testing/until';
import { timeFactor } from '../../testing/time-factor';
import { createKey, openProjectAsSystem, type ProjectCtx } from '../access';
import { recordCall } from '../llm';
import { userKey } from '../platform';
import { claimJob, saveJobProgress, claimWork, finishJob, getJob } from '../queue';
import type { Runtime } from '../runtime';
import { ingestExport } from '../ingest';
import { getVerdictPage, readSpread, workThrough } from '../verdicts';
import { projectTables } from './deletion/erase-project';
import {
  carryOutNext,
  checkExport,
  createExportStep,
  exportKind,
  listDeletions,
  liftErasure,
  previewRetention,
  pruneNextProject,
  putRetention,
  readExportPart,
  removeProject,
  requestDeletion,
  startExport,
  writeExport,
} from './index';
import { erasingOf } from './tables';

let database: TestDatabase;
let runtime: Runtime;
let sql: Sql;
let project: ProjectCtx;
let call: ReturnType<typeof createCaller>;
const folder = mkdtempSync(join(tmpdir(), 'assay-custody-'));
const test = testWith({ ASSAY_DATA_DIR: folder, ASSAY_TRACE_IDLE_MS: '0' });

test.beforeAll(async ({ database: ownDatabase, runtime: ownRuntime, project: ownProject }) => {
  database = ownDatabase;
  runtime = ownRuntime;
  project = ownProject;
  ({ sql } = runtime.ctx);
  const { key } = await createKey(project, {
    name: 'test',
    scopes: ['ingest', 'verify', 'read', 'write'],
  });
  call = createCaller(runtime, key);
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

/** After any deletion, counts must equal those of the rows. */
afterEach(async () => {
  for (const [name, counted, rows] of sums) {
    const [one] = await sql.unsafe(`select coalesce((${counted}), 0)::bigint::text as n`);
    const [other] = await sql.unsafe(`select coalesce((${rows}), 0)::bigint::text as n`);
    if (one?.n !== other?.n)
      throw new Error(`${name}: ${one?.n} are counted, and there are ${other?.n}`);
  }
});

/** Counters and the rows they count, of all projects. */
const sums: readonly (readonly [name: string, counted: string, rows: string])[] = [
  ['turns by day', 'select sum(turns) from intake_rollups', 'select count(*) from turns'],
  [
    'spans by day',
    'select sum(spans) from intake_rollups',
    'select sum(spans) from trace_segments',
  ],
  [
    'decisions by day',
    `select sum(count) from decision_rollups where state = 'run'`,
    `select count(*) from decisions where state = 'run'`,
  ],
  [
    'passed',
    'select sum(passed) from verdict_rollups',
    `select count(*) from verdicts where not superseded and outcome = 'passed'`,
  ],
  [
    'failed',
    'select sum(failed) from verdict_rollups',
    `select count(*) from verdicts where not superseded and outcome = 'failed'`,
  ],
  [
    'failed by hour',
    'select sum(failed) from verdict_hours',
    `select count(*) from verdicts where not superseded and outcome = 'failed'`,
  ],
  [
    'populations',
    'select sum(passed + failed) from verdict_populations',
    `select count(*) from verdicts where not superseded and outcome in ('passed', 'failed')`,
  ],
  [
    'integrity answers',
    'select sum(answers) from integrity_rollups',
    `select count(*) from verdicts where not superseded and kind = 'integrity' and outcome <> 'skipped'`,
  ],
  [
    'integrity unsourced',
    'select sum(unsourced) from integrity_rollups',
    `select sum((detail ->> 'unsourced')::int) from verdicts where not superseded and kind = 'integrity'`,
  ],
  [
    'waits',
    `select sum(n::bigint) from verdict_spreads, jsonb_each_text(counts) as e(k, n) where measure = 'wait'`,
    `select count(*) from verdicts where outcome <> 'skipped'`,
  ],
  [
    'judgements',
    'select sum(caught + missed + rejected + passed) from judgement_rollups',
    'select count(*) from judgements where good is not null and machine is not null',
  ],
  ['calls by hour', 'select sum(calls) from gateway_rollups', 'select count(*) from gateway_calls'],
];

const turnOf = (id: string, user: string, more: Json = {}): Json => ({
  ...sampleTurn(id),
  session_id: `s-${id}`,
  metadata: { user_id: user },
  ...more,
});

/** The rows of a proxied call, as the gateway's recorder writes them. */
async function insertCall(
  id: string,
  turnId: string,
  session: string,
  note: string,
): Promise<void> {
  await sql`
    insert into gateway_calls (project_id, id, turn_id, route, session_id, dialect, stream, status, verdict, reason, truncated, partial, units, counter,
      duration_ms, episode, created_at)
    values (${project.projectId}, ${id}, ${turnId}, 'main', ${session}, 'chat', false, 200, 'passed', 'disabled', false, false, 1000, 1000, 1,
      ${JSON.stringify({ note })}::text::jsonb, now())`;
  await sql`
    insert into gateway_rollups (project_id, hour, route, verdict, reason, calls, dropped)
    values (${project.projectId}, date_trunc('hour', now(), 'UTC'), 'main', 'passed', 'disabled', 1, 0)
    on conflict (project_id, hour, route, verdict, reason) do update set calls = gateway_rollups.calls + 1`;
}

/**
 * All data that a user can create here: by every route, with the user's id and one of the user's
 * own words.
 */
async function leaveTraces(
  user: string,
  word: string,
): Promise<{ readonly turn: string; readonly trace: string; readonly verdictId: string }> {
  const tag = user.slice(-1);
  const turn = `turn-${tag}`;
  const label = `trace-${tag}`;
  const session = `s-${turn}`;
  expect((await call('/v1/turns', { turns: [turnOf(turn, user, { input: word })] })).status).toBe(
    202,
  );
  await drainWork(runtime);
  await call('/v1/turns', { turns: [turnOf(turn, user, { input: `${word} again` })] });
  await call('/v1/turns', { turns: [{ id: 'x', metadata: { user_id: user }, input: word }] });
  await takeSpans(project, 'proto', ofUser(sampleSpans(label, 3, `${word}: 91.4%`), user));
  const task = {
    id: `task-${tag}`,
    task_output: word,
    session_id: session,
    success_criteria: [{ check: 'regex', value: 'pears' }],
    metadata: { user_id: user },
  };
  expect((await call('/v1/verify/task', task, { 'idempotency-key': `key-${tag}` })).status).toBe(
    200,
  );
  await drainWork(runtime);
  const outcome = await call('/v1/outcomes', {
    outcomes: [{ turn_id: turn, success: false, note: word }],
  });
  expect(outcome.body).toMatchObject({ accepted: 1 });
  await drainWork(runtime);
  const [verdict] = await sql<
    { id: string }[]
  >`select id from verdicts where project_id = ${project.projectId} and subject_id = ${turn} limit 1`;
  const verdictId = verdict?.id ?? '';
  await insertCall(`call-${tag}`, turn, session, word);
  await recordReply(verdictId, word);
  await sql`insert into judge_cache (project_id, key, value) values (${project.projectId}, ${`k-${tag}`}, ${JSON.stringify({ word })}::text::jsonb)`;
  await sql`
    insert into saved_views (project_id, id, page, name, query, owner_id, shared)
    values (${project.projectId}, ${`v-${tag}`}, 'verdicts', ${`n-${tag}`}, ${`?text=${user}`}, 'o', true)`;
  await sql`
    insert into anchor_items (project_id, set_id, ordinal, subject_kind, subject_id, revision, content_hash, excerpt, good, policy)
    values (${project.projectId}, 'set', ${tag.charCodeAt(0)}, 'turn', ${turn}, 1, 'h', ${word}, true, 0)`;
  return { turn, trace: label, verdictId };
}

/** The same spans, of which the first names the user. */
const ofUser = (spans: readonly OtlpSpan[], user: string): OtlpSpan[] =>
  spans.map((span, at) =>
    at === 0 ? { ...span, attributes: [...span.attributes, text('user.id', user)] } : span,
  );

function takeSpans(
  ctx: ProjectCtx,
  format: OtlpFormat,
  spans: readonly OtlpSpan[],
): Promise<unknown> {
  return ingestExport(ctx, runtime.segments, {
    body: exportOf(format, spans),
    packed: null,
    format,
    validUtf8: true,
  });
}

function recordReply(verdictId: string, reply: string): Promise<void> {
  const report = {
    state: 'answered',
    status: 200,
    inputTokens: 1,
    outputTokens: 1,
    latencyMs: 1,
    reply,
  } as const;
  return recordCall(runtime.ctx, {
    projectId: project.projectId,
    verdictId,
    provider: 'judge',
    model: 'm',
    attempt: 1,
    costUsd: 0,
    purpose: 'criteria',
    promptVersion: null,
    report: report as unknown as Parameters<typeof recordCall>[1]['report'],
  });
}

/** Runs the project's export to its end, as a worker would. */
async function makeExport(): Promise<string> {
  const { id } = await startExport(project);
  const step = createExportStep(runtime.ctx);
  for (
    let job = await claimJob(runtime.ctx, { owner: 'test', kinds: [exportKind] });
    job !== null;
  ) {
    const progress = await step(job, new AbortController().signal);
    await saveJobProgress(runtime.ctx, { owner: 'test', job }, progress);
    if (progress.cursor === null) {
      await finishJob(runtime.ctx, { owner: 'test', job });
      break;
    }
    job = { ...job, ...progress };
  }
  return id;
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test('every table of a project defines how its data is deleted', async () => {
  expect(Object.keys(erasingOf).sort()).toEqual(projectTables);
  const rows = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'project_id' order by 1`;
  expect(projectTables).toEqual(rows.map(({ name }) => name));
});

test('S-112 R-80 all data that names an end user is gone everywhere when it is reported so, and none of it comes back', async () => {
  const [word, user] = ['violetwords', 'alice-of-wonderland-a'];
  const mine = await leaveTraces(user, word);
  const other = await leaveTraces('bob-the-builder-b', 'otherwords');
  const exportId = await makeExport();
  const before = await findSecretsIn(sql, [word, user]);
  const places = before.map((each) => /public\.(\w+)/.exec(each)?.[1]);
  for (const table of [
    'turns',
    'turn_versions',
    'trace_segments',
    'traces',
    'subjects',
    'labels',
    'dead_letters',
    'gateway_calls',
    'llm_calls',
    'judge_cache',
    'idempotency_keys',
    'saved_views',
    'anchor_items',
  ])
    expect(places, table).toContain(table);
  await readSpread(project, { measure: 'wait' });

  const began = performance.now();
  const asked = await call('/v1/deletions', { kind: 'user', id: user });
  expect([200, 202]).toContain(asked.status);
  const id = String(asked.body.id);
  const done = await until('it says that it is done', async () => {
    const { body } = await call(`/v1/deletions/${id}`);
    return body.state === 'done' ? body : (await carryOutNext(runtime.ctx), null);
  });
  expect(done).toMatchObject({ kind: 'user', target: userKey(user) });
  expect(performance.now() - began).toBeLessThan(timeFactor * 5_000);
  expect(await findSecretsIn(sql, [word, user])).toEqual([]);
  expect(await sql`select 1 from verdicts where subject_id in (${mine.turn})`).toEqual([]);
  expect(await sql`select 1 from turns where id = ${other.turn}`).toHaveLength(1);
  await expect(readExportPart(project, exportId, 0)).rejects.toMatchObject({ code: 'refused' });
  expect(
    (await sql`select * from audit_events where action = 'data.delete'`)
      .map((row) => JSON.stringify(row.detail))
      .join(),
  ).not.toContain(user);

  // The same again, late spans of the trace, another trace of the same user, a new turn, an
  // outcome, a retried call, and a judge's record made in the meantime.
  const again = await call('/v1/turns', {
    turns: [turnOf(mine.turn, user, { input: word }), turnOf('turn-new', user, { input: word })],
  });
  expect(again.body).toMatchObject({
    accepted: 0,
    rejected: [{ code: 'deleted' }, { code: 'deleted' }],
  });
  for (const label of [mine.trace, 'another trace'])
    await takeSpans(project, 'json', ofUser(sampleSpans(label, 4, word), user));
  expect(
    (await call('/v1/outcomes', { outcomes: [{ turn_id: mine.turn, success: true, note: word }] }))
      .body,
  ).toMatchObject({
    accepted: 0,
    rejected: [{ code: 'deleted' }],
  });
  const task = {
    id: 'task-a',
    task_output: word,
    success_criteria: [{ check: 'regex', value: 'pears' }],
    metadata: { user_id: user },
  };
  expect((await call('/v1/verify/task', task, { 'idempotency-key': 'key-a' })).status).toBe(409);
  await drainWork(runtime);
  while (await carryOutNext(runtime.ctx));
  expect(await findSecretsIn(sql, [word, user])).toEqual([]);

  // Accepted again after lifting the erasure.
  const [deletion] = (await listDeletions(project)).filter(({ kind }) => kind === 'user');
  await liftErasure(project, deletion?.id ?? '');
  expect((await call('/v1/turns', { turns: [turnOf('turn-back', user)] })).body).toMatchObject({
    accepted: 1,
  });
  expect((await call('/v1/turns', { turns: [turnOf(mine.turn, user)] })).body).toMatchObject({
    accepted: 0,
  });
  expect(await listDeletions(project)).toContainEqual(
    expect.objectContaining({ id: deletion?.id, lifted: true }),
  );
  await drainWork(runtime);
});

test('R-80 a turn that is deleted while it is scored gets no verdict, and one that a slow statement stores is found', async () => {
  await call('/v1/turns', { turns: [turnOf('scored', 'carol'), turnOf('beside', 'carol')] });
  const claimed = await claimWork(runtime.ctx, { owner: 'slow', limit: 10 });
  const ofTurn = claimed.find(({ subjectId }) => subjectId === 'scored');
  const slow = postgres(database.url, { max: 1, fetch_types: false });
  const [opened, go] = [deferred(), deferred()];
  const storing = slow.begin(async (tx) => {
    // A statement that began before the tombstone existed: like an intake whose commit waits for
    // the disk.
    await tx`insert into turns (project_id, id, session_id, content_hash, payload, flags) values (${project.projectId}, 'late', 's-scored', 'h', '{"output": "late"}', '{}')`;
    await tx`insert into intake_rollups as c (project_id, day, shard, turns) values (${project.projectId}, (now() at time zone 'UTC')::date, 'late', 1)`;
    opened.resolve();
    await go.promise;
  });
  await opened.promise;
  const deleting = requestDeletion(project, runtime.ctx, { kind: 'session', id: 's-scored' });
  await until('the tombstone is there', async () =>
    (await sql`select 1 from deletions where target = 's-scored' and fenced_at is not null`)
      .length > 0
      ? true
      : null,
  );
  expect(await sql`select state from deletions where target = 's-scored'`).toEqual([
    { state: 'pending' },
  ]);
  go.resolve();
  await storing;
  await slow.end();
  expect(await deleting).toMatchObject({ state: 'done' });
  expect(await sql`select id from turns where id in ('scored', 'late')`).toEqual([]);

  const stored = await workThrough(runtime.ctx, {
    owner: 'slow',
    claimed,
    rules: runtime.rules,
    subjects: runtime.subjects,
    signal: new AbortController().signal,
  });
  expect(stored.size).toBe(claimed.length - 1);
  await recordReply(ofTurn?.id ?? '', 'late reply');
  expect(await sql`select 1 from verdicts where subject_id = 'scored'`).toEqual([]);
  expect(await sql`select 1 from llm_calls where verdict_id = ${ofTurn?.id ?? ''}`).toEqual([]);
  await sql`update deletions set sweep_at = now(), leased_until = now()`;
  while (await carryOutNext(runtime.ctx));
  expect(
    await sql`select 1 from deletions where sweep_at is not null or state = 'pending'`,
  ).toEqual([]);
});

test.each([
  ['/v1/turns/nobodys', 404],
  ['/v1/traces/nobodys', 404],
  ['/v1/sessions/nobodys', 404],
  ['/v1/turns/turn-b', 200],
  // Repeating the deletion finds that it is done.
  ['/v1/turns/turn-b', 200],
  [`/v1/traces/${traceIdOf('trace-b')}`, 200],
  ['/v1/sessions/s-turn-b', 200],
])('R-80 DELETE %s answers %d', async (path, status) => {
  const reply = await call(path, undefined, {}, 'DELETE');
  expect(reply.status).toBe(status);
  expect(reply.body).toMatchObject(
    status === 200 ? { state: 'done' } : { error: { code: 'not_found' } },
  );
});

test('a turn assembled from spans is deleted only with its trace', async () => {
  const traceId = traceIdOf('alone');
  await takeSpans(project, 'json', sampleSpans('alone'));
  await drainWork(runtime);
  const [turn] = await sql<{ id: string }[]>`select id from turns where trace_id = ${traceId}`;
  expect(turn).toBeDefined();
  expect(await call(`/v1/turns/${turn?.id}`, undefined, {}, 'DELETE')).toMatchObject({
    status: 409,
  });
  expect(await call(`/v1/traces/${traceId}`, undefined, {}, 'DELETE')).toMatchObject({
    status: 200,
    body: { counts: { turns: 1, traces: 1 } },
  });
  expect(await sql`select 1 from trace_segments where trace_id = ${traceId}`).toEqual([]);
});

test('an export has every row and no secret, and detects truncation and changes', async () => {
  const exportId = await makeExport();
  const { state, result } = await getJob(project, exportId);
  expect(state).toBe('done');
  const parts = (result as { parts: number }).parts;
  const bodies = await Promise.all(
    Array.from({ length: parts }, (_, n) => readExportPart(project, exportId, n)),
  );
  const file = join(folder, 'export.jsonl.gz');
  const written = await writeExport(project, file);
  const linesOf = (bytes: Buffer): Json[] =>
    gunzipSync(bytes)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
  const [byJob, byCommand] = [linesOf(Buffer.concat(bodies)), linesOf(await readFile(file))];
  expect(byJob.slice(1, -1)).toEqual(byCommand.slice(1, -1));
  expect(await checkExport(file)).toMatchObject({ lines: written.lines, counts: written.counts });
  const [counted] = await sql<{ turns: number; verdicts: number }[]>`
    select (select count(*)::int from turns where project_id = ${project.projectId}) as turns,
      (select count(*)::int from verdicts where project_id = ${project.projectId}) as verdicts`;
  expect(written.counts).toMatchObject({ turn: counted?.turns, verdict: counted?.verdicts });
  const lines = gunzipSync(await readFile(file)).toString();
  await writeFile(file, gzipSync(lines.replace('91.4%', '91.5%')));
  await expect(checkExport(file)).rejects.toMatchObject({
    message: expect.stringMatching(/checksum/) as string,
  });
  await writeFile(file, gzipSync(lines.slice(0, lines.lastIndexOf('{"type":"end"'))));
  await expect(checkExport(file)).rejects.toMatchObject({
    message: expect.stringMatching(/no end/) as string,
  });
});

test('an export has the experiments without their headers, and no held-out item of any version', async () => {
  const other = await createTestProject(runtime);
  const { projectId } = other;
  await other.sql`
    insert into datasets (project_id, id, slug, name, description, created_by) values (${projectId}, 'ds', 'd', 'D', '', 'test')`;
  await other.sql`
    insert into dataset_items (project_id, dataset_id, id, from_version, to_version, ordinal, content, content_hash, split, tags, created_by)
    values (${projectId}, 'ds', 'open', 1, null, 1, '{"input":"open"}', 'a', 'dev', '{}', 'test'),
      (${projectId}, 'ds', 'hidden', 1, null, 2, '{"input":"hidden"}', 'b', 'held_out', '{}', 'test'),
      (${projectId}, 'ds', 'moved', 1, 2, 3, '{"input":"moved"}', 'c', 'dev', '{}', 'test'),
      (${projectId}, 'ds', 'moved', 2, 3, 3, '{"input":"moved"}', 'c', 'held_out', '{}', 'test'),
      (${projectId}, 'ds', 'moved', 3, null, 3, '{"input":"shown"}', 'd', 'dev', '{}', 'test')`;
  await other.sql`
    insert into experiments (project_id, id, name, dataset_id, dataset_slug, dataset_version, split, repetitions, target, headers, verifiers, concurrency, job_id, state, created_by)
    values (${projectId}, 'exp', 'E', 'ds', 'd', 1, 'held_out', 1, '{"type":"outputs"}', 'sealed-text', '{integrity}', 1, 'job', 'done', 'test')`;
  await other.sql`
    insert into experiment_rows (project_id, experiment_id, ordinal, item_id, repetition, state)
    select ${projectId}, 'exp', n, 'i' || n, 1, 'failed' from generate_series(1, 600) n`;
  await other.sql`
    insert into turns (project_id, id, content_hash, payload, flags, origin) values (${projectId}, 'exp-1', 'h', '{"input":"hidden"}', '{}', 'experiment')`;
  await other.sql`update experiment_rows set turn_id = 'exp-1' where project_id = ${projectId} and ordinal = 1`;
  const file = join(folder, 'experiments.jsonl.gz');
  const { counts } = await writeExport(other, file);
  expect(counts).toMatchObject({ experiment: 1, experiment_row: 600, dataset_item: 2 });
  const lines = gunzipSync(await readFile(file)).toString();
  expect(lines).toContain('"input\\":\\"open');
  expect(lines).not.toMatch(/hidden|\\"moved\\"|sealed-text/);
  await checkExport(file);
  // Other tests compare counts with the rows of all projects.
  await other.sql`delete from turns where project_id = ${projectId}`;
});

test('retention deletes older data, keeps labelled data and counts, and records it in the audit', async () => {
  const kept = await createTestProject(runtime);
  const { key } = await createKey(kept, { name: 'test', scopes: ['ingest', 'write'] });
  const send = createCaller(runtime, key);
  const { projectId } = kept;
  await send('/v1/turns', {
    turns: ['old-1', 'old-2', 'old-labelled', 'new-1'].map((id) => sampleTurn(id)),
  });
  await drainWork(runtime);
  await send('/v1/outcomes', { outcomes: [{ turn_id: 'old-labelled', success: true }] });
  await drainWork(runtime);
  await sql`update turns set received_at = now() - interval '31 days' where project_id = ${projectId} and id like 'old-%'`;
  await sql`update verdicts set settled_at = now() - interval '31 days' where project_id = ${projectId} and subject_id like 'old-%'`;
  const counts = async () =>
    (await sql`select * from verdict_rollups where project_id = ${projectId}`).map((row) => ({
      ...row,
    }));
  const before = await counts();
  const content = { contentDays: 30, recordDays: null, keepLabelled: true };
  expect((await previewRetention(kept, content)).rows).toEqual([
    { what: 'turns', count: 2, atLeast: false },
  ]);
  await putRetention(kept, content);
  const signal = new AbortController().signal;
  while (await pruneNextProject(runtime.ctx, { signal }));
  const left = async (table: string) =>
    (await sql`select * from ${sql(table)} where project_id = ${projectId}`).length;
  expect(await left('turns')).toBe(2);
  expect(await left('verdicts')).toBe(4);
  const [verdict] = await sql<
    { id: string }[]
  >`select id from verdicts where project_id = ${projectId} and subject_id = 'old-1'`;
  await expect(getVerdictPage(kept, verdict?.id ?? '')).resolves.toBeDefined();

  await putRetention(kept, { contentDays: 30, recordDays: 30, keepLabelled: false });
  expect(
    (await previewRetention(kept, { contentDays: 30, recordDays: 30, keepLabelled: false })).rows,
  ).toContainEqual({
    what: 'verdicts',
    count: 3,
    atLeast: false,
  });
  while (await pruneNextProject(runtime.ctx, { signal }));
  expect([await left('turns'), await left('verdicts'), await left('judgements')]).toEqual([
    1, 1, 0,
  ]);
  expect(await counts()).toEqual(before);
  const audit = await sql<
    { detail: Json }[]
  >`select detail from audit_events where project_id = ${projectId} and action = 'data.prune' order by id`;
  expect(audit.map(({ detail }) => detail)).toEqual([
    { turns: 2 },
    expect.objectContaining({ turns: 1, verdicts: 3 }),
  ]);
  // The counts of this project no longer equal those of its rows, on purpose.
  await removeProject(kept, runtime.ctx, { slug: kept.projectSlug });
});

test('a removed project leaves nothing but the record of its removal, whatever its tables contain, and affects no other', async () => {
  const gone = await createTestProject(runtime);
  await sql`insert into users (id, name, email) values ('filler', 'filler', 'filler') on conflict do nothing`;
  for (const table of projectTables) await fill(table, gone.projectId);
  const others = async () => {
    const counts = await Promise.all(
      projectTables.map(
        async (name) =>
          (
            await sql`select count(*)::int as n from ${sql(name)} where project_id = ${project.projectId}`
          )[0]?.n as number,
      ),
    );
    return projectTables
      .map((name, at) => `${name} ${counts[at]}`)
      .filter((line) => !line.startsWith('deletions') && !line.startsWith('tombstones'));
  };
  const before = await others();
  await expect(removeProject(gone, runtime.ctx, { slug: 'another' })).rejects.toMatchObject({
    code: 'refused',
  });
  expect(await removeProject(gone, runtime.ctx, { slug: gone.projectSlug })).toMatchObject({
    state: 'done',
  });
  for (const table of projectTables.filter((name) => !['tombstones', 'deletions'].includes(name))) {
    expect(
      await sql`select 1 from ${sql(table)} where project_id = ${gone.projectId}`,
      table,
    ).toEqual([]);
  }
  expect(await sql`select 1 from projects where id = ${gone.projectId}`).toEqual([]);
  expect(await others()).toEqual(before);
  expect(
    await sql`select target from audit_events where action = 'projects.remove' and target = ${gone.projectSlug}`,
  ).toHaveLength(1);
  await expect(openProjectAsSystem(runtime.ctx, gone.projectSlug, 'test')).rejects.toMatchObject({
    code: 'not_found',
  });
  // Data in transit to it is no longer stored.
  await takeSpans(gone, 'json', [plainSpan('late', 0)]);
  expect(await sql`select 1 from trace_segments where project_id = ${gone.projectId}`).toEqual([]);
});

/** A row of the project in any table, based on the catalogue's column types. */
async function fill(table: string, projectId: string): Promise<void> {
  const columns = await sql<{ name: string; type: string }[]>`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and column_name <> 'project_id' and is_nullable = 'NO' and column_default is null`;
  const samples = new Map([
    ['text', `'filler-${projectId}'`],
    ['jsonb', `'{}'::jsonb`],
    ['bytea', `'x'::bytea`],
    ['date', 'current_date'],
    ['ARRAY', `'{}'::text[]`],
    ['boolean', 'true'],
    ['timestamp with time zone', 'now()'],
  ]);
  const values = columns.map(
    ({ name, type }) =>
      `${name === 'user_id' ? `'filler'` : (samples.get(type) ?? '1')} as "${name}"`,
  );
  const names = ['project_id', ...columns.map(({ name }) => `"${name}"`)].join(', ');
  await sql.unsafe(
    `insert into ${table} (${names}) select ${[`'${projectId}' as project_id`, ...values].join(', ')} on conflict do nothing`,
  );
}
