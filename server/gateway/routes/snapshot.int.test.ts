import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { createTestProject, createTestRuntime, type TestDatabase } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { type Faultline, startFaultline } from '../../../testing/faultline';
import { until } from '../../../testing/until';
import { timeFactor } from '../../../testing/time-factor';
import { createKey, type ProjectCtx, revokeKey, rotateKey, type KeyScope } from '../../access';
import { putTrustSettings } from '../../trust';
import { deleteProvider, putProvider } from '../../llm';
import { PutProvider } from '../../llm/input';
import { moveLabel, savePrompt } from '../../prompts';
import type { Runtime } from '../../runtime';
import { updateSettings } from '../../verdicts';
import type { Authorized, Presented } from '../proxy/deps';
import { RouteSettings } from '../input';
import { deleteRoute } from './delete';
import { putRoute } from './put';
import { createSnapshot, type Snapshot } from './snapshot';

let database: TestDatabase;
let runtime: Runtime;
const open: (Snapshot | Runtime | Faultline)[] = [];
const folders: string[] = [];

test.beforeAll(({ database: ownDatabase, runtime: ownRuntime }) => {
  database = ownDatabase;
  runtime = ownRuntime;
});

afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'assay-snapshot-'));
  folders.push(made);
  return made;
}

async function start(from: Runtime = runtime, dir: string | null = null): Promise<Snapshot> {
  const snapshot = await createSnapshot(from.ctx, { dir, replica: 'r1', prompts: runtime.prompts });
  open.push(snapshot);
  return snapshot;
}

/** A runtime without a database at its address. */
function withoutDatabase(): Runtime {
  const offline = createTestRuntime('postgres://none:none@127.0.0.1:9/none');
  open.push(offline);
  return offline;
}

async function keyOf(
  project: ProjectCtx,
  scopes: readonly KeyScope[] = ['gateway'],
): Promise<{ id: string; key: string }> {
  return createKey(project, { name: 'k', scopes: [...scopes] });
}

/** The same request as the proxy's. */
async function ask(snapshot: Snapshot, key: string): Promise<Authorized> {
  return (
    snapshot.authorize(`Bearer ${key}`, [], undefined) ??
    snapshot.authorizeUnknown(`Bearer ${key}`, [], undefined)
  );
}

const stateOf = (found: Authorized): string => (found.state === 'ok' ? 'ok' : String(found.status));

test('S-12 a key is checked by its hash, opens only its own project, and needs the scope', async () => {
  const [mine, theirs] = [await createTestProject(runtime), await createTestProject(runtime)];
  const [gateway, other, reading] = [
    await keyOf(mine),
    await keyOf(theirs),
    await keyOf(mine, ['read', 'ingest']),
  ];
  const snapshot = await start();
  expect(await ask(snapshot, gateway.key)).toMatchObject({
    state: 'ok',
    project: { id: mine.projectId },
    keyId: gateway.id,
    virtual: true,
  });
  expect(await ask(snapshot, other.key)).toMatchObject({
    state: 'ok',
    project: { id: theirs.projectId },
  });
  expect(await ask(snapshot, reading.key)).toMatchObject({
    state: 'refused',
    status: 403,
    code: 'forbidden',
  });
  const wrong = `${gateway.key.slice(0, -7)}x${gateway.key.slice(-6)}`;
  for (const bad of [wrong, 'asy_g_nothing', `asy_g_' or 1=1 --`])
    expect(stateOf(await ask(snapshot, bad)), bad).toBe('401');
  expect(snapshot.authorize(undefined, [], undefined)).toMatchObject({ status: 401 });
  expect(snapshot.authorize('Bearer sk-upstream', [], undefined)).toMatchObject({
    status: 401,
  });
});

test.each<[string, (key: string) => Presented, boolean]>([
  ['authorization alone', (key) => [`Bearer ${key}`, [], undefined], true],
  ['x-api-key alone', (key) => [undefined, [key], undefined], true],
  ['x-assay-key alone', (key) => [undefined, [], key], true],
  ['x-assay-key next to the client’s own key', (key) => ['Bearer sk-own', [], key], false],
  ['x-assay-key next to the client’s own x-api-key', (key) => [undefined, ['sk-own'], key], false],
  ['x-assay-key, as a bearer', (key) => ['Bearer sk-own', [], `Bearer ${key}`], false],
  ['one of several key headers', (key) => [undefined, ['sk-other', key], undefined], true],
  [
    'x-assay-key next to an Assay key and the client’s own key',
    (key) => [undefined, [key, 'sk-own'], key],
    false,
  ],
  ['an Assay key in both places', (key) => [`Bearer ${key}`, [], key], true],
])('the key is found in %s', async (_where, present, virtual) => {
  const { key } = await keyOf(await createTestProject(runtime));
  const snapshot = await start();
  const [authorization, apiKeys, xAssayKey] = present(key);
  expect(snapshot.authorize(authorization, apiKeys, xAssayKey)).toMatchObject({
    state: 'ok',
    virtual,
  });
});

test('S-12 a new key works at once, a revoked one fails within a second', async () => {
  const project = await createTestProject(runtime);
  const snapshot = await start();
  const { id, key } = await keyOf(project);
  expect(snapshot.authorize(`Bearer ${key}`, [], undefined)).toBeNull();
  expect(await ask(snapshot, key)).toMatchObject({ state: 'ok' });
  await revokeKey(project, id);
  const began = performance.now();
  await until(
    'the key is refused',
    async () => (stateOf(await ask(snapshot, key)) === '401' ? true : null),
    5_000,
  );
  expect(performance.now() - began).toBeLessThan(timeFactor * 1_000);
});

test('a rotated key without grace is refused with its reason; its successor works', async () => {
  const project = await createTestProject(runtime);
  const { id, key } = await keyOf(project);
  const snapshot = await start();
  expect(await ask(snapshot, key)).toMatchObject({ state: 'ok' });
  const made = await rotateKey(project, { id, graceHours: 0 });
  const refused = await until(
    'the old key is refused',
    async () => {
      const found = await ask(snapshot, key);
      return found.state === 'refused' ? found : null;
    },
    5_000,
  );
  expect(refused).toMatchObject({ status: 401, message: expect.stringMatching(/expired at/) });
  expect(await ask(snapshot, made.key)).toMatchObject({ state: 'ok' });
});

test('S-12 an unknown key is checked at intervals, not at every call', async () => {
  const project = await createTestProject(runtime);
  const { id, key } = await keyOf(project);
  await revokeKey(project, id);
  let asked = 0;
  const sql = new Proxy(runtime.ctx.sql, {
    apply(target, self, given) {
      asked++;
      return Reflect.apply(target, self, given) as unknown;
    },
  });
  const snapshot = await start({ ...runtime, ctx: { ...runtime.ctx, sql } });
  expect(await ask(snapshot, key)).toMatchObject({ status: 401 });
  const before = asked;
  for (let n = 0; n < 500; n++) expect(await ask(snapshot, key)).toMatchObject({ status: 401 });
  expect(asked - before).toBeLessThan(5);
});

test('changes of routes, providers, switches and prompts apply within a second', async () => {
  const project = await createTestProject(runtime);
  const { key } = await keyOf(project);
  const snapshot = await start();
  const found = await ask(snapshot, key);
  if (found.state !== 'ok') throw new Error('not authorized');
  const within = async (what: string, holds: () => boolean): Promise<void> => {
    const began = performance.now();
    await until(what, () => (holds() ? true : null), 5_000);
    expect(performance.now() - began, what).toBeLessThan(timeFactor * 1_000);
  };
  const routeNow = (name: string) => snapshot.routeOf(found.project, name);
  expect(routeNow('main')).toBeNull();
  const settings = RouteSettings.parse({
    upstream: 'https://llm.example.org',
    quality_verifier: { model: 'openai:judge' },
  });
  await putRoute(project, 'main', settings);
  await within(
    'the route',
    () => routeNow('main')?.settings.quality_verifier.model === 'openai:judge',
  );
  expect(routeNow('main')).toBe(routeNow('main'));
  await putRoute(project, 'main', { ...settings, fail_closed: true });
  await within('the changed route', () => routeNow('main')?.settings.fail_closed === true);
  await putProvider(project, 'llm', {
    kind: 'openai_compatible',
    base_url: 'https://llm.example.org/v1',
    api_key: 'sk-llm',
    models: [],
    enabled: true,
  });
  await within(
    'the provider',
    () => routeNow('main')?.provider?.openKey() === 'sk-llm' && routeNow('llm') !== null,
  );
  expect(routeNow('main')?.project.integrityOff).toBe(false);
  await updateSettings(project, { integrityEnabled: false });
  await within('the switch', () => routeNow('main')?.project.integrityOff === true);
  await deleteRoute(project, 'main');
  await within('the end of the route', () => routeNow('main') === null);
  expect(await ask(snapshot, key)).toMatchObject({ state: 'ok' });
});

test('S-45 a provider or route stored by this process applies before the reply', async () => {
  const project = await createTestProject(runtime);
  const { key } = await keyOf(project);
  const snapshot = await start();
  const routeNow = async (name: string) => {
    const found = await ask(snapshot, key);
    return found.state === 'ok' ? snapshot.routeOf(found.project, name) : null;
  };
  expect(await routeNow('openai')).toMatchObject({
    baseUrl: 'https://api.openai.com/v1',
    keyGap: { kind: 'no_provider' },
  });
  const own = PutProvider.parse({
    kind: 'openai_compatible',
    base_url: 'https://llm.example.org/v1',
    api_key: null,
  });
  // The snapshot also refreshes by itself, so a single success proves nothing.
  for (let n = 0; n < 5; n++) {
    await putProvider(project, 'openai', own);
    expect(await routeNow('openai')).toMatchObject({
      baseUrl: 'https://llm.example.org/v1',
      keyGap: null,
    });
    await deleteProvider(project, 'openai');
    expect(await routeNow('openai')).toMatchObject({ keyGap: { kind: 'no_provider' } });
    await putRoute(project, 'main', RouteSettings.parse({ upstream: 'https://llm.example.org' }));
    expect(await routeNow('main')).not.toBeNull();
    await deleteRoute(project, 'main');
    expect(await routeNow('main')).toBeNull();
  }
});

test('calibration.md 5.11 with trust enforced, unqualified integrity only observes, and authority to steer applies, within a second', async () => {
  const project = await createTestProject(runtime);
  const { key } = await keyOf(project);
  await putRoute(
    project,
    'main',
    RouteSettings.parse({ upstream: 'https://llm.example.org', integrity: { mode: 'hold' } }),
  );
  const snapshot = await start();
  const expectMode = async (mode: string, turn: readonly string[] | null): Promise<void> => {
    const began = performance.now();
    await until(
      `integrity is to ${mode}`,
      async () => {
        const found = await ask(snapshot, key);
        const route = found.state === 'ok' ? snapshot.routeOf(found.project, 'main') : null;
        const authority = route?.project.turnAuthority;
        const states =
          authority?.enforced === true
            ? authority.standings.map(({ judge, state }) => `${judge} ${state}`)
            : null;
        return route?.settings.integrity.mode === mode &&
          JSON.stringify(states) === JSON.stringify(turn)
          ? true
          : null;
      },
      5_000,
    );
    expect(performance.now() - began, mode).toBeLessThan(timeFactor * 1_500);
  };
  const { sql, projectId } = project;
  const store = (verifier: string, judge: string, state: string) => sql`
    insert into trust_states (project_id, verifier_slug, version, judge, in_force, state) values (${projectId}, ${verifier}, 1, ${judge}, true, ${state})
    on conflict (project_id, verifier_slug, version, judge) do update set state = excluded.state, looked_at = now()`;
  await expectMode('hold', null);
  const settings = {
    enforceTrust: true,
    catchTarget: 0.7,
    falseRejectionTarget: 0.1,
    requiredSlices: [],
    halfLifeDays: 90,
  };
  await putTrustSettings(project, { verifier: null, settings });
  await expectMode('observe', []);
  await store('turn', 'p/judge', 'provisional');
  await store('integrity', '', 'qualified');
  await expectMode('hold', ['p/judge provisional']);
  await store('integrity', '', 'stale');
  await expectMode('observe', ['p/judge provisional']);
  await putTrustSettings(project, {
    verifier: 'integrity',
    settings: { ...settings, enforceTrust: false },
  });
  await expectMode('hold', ['p/judge provisional']);
});

test('X-8 the prompts are the promoted ones, or the release’s', async () => {
  const project = await createTestProject(runtime);
  const snapshot = await start();
  const release = [...runtime.prompts.values()].filter(({ kind }) => kind === 'turn');
  expect([...snapshot.promptsOf(project.projectId).keys()]).toEqual(
    release.map(({ slug }) => slug),
  );
  for (const { slug } of release)
    expect(snapshot.promptsOf(project.projectId).get(slug)?.prompt.version).toBe(`${slug}@0`);
  const [first] = release;
  if (first === undefined) return;
  const { version } = await savePrompt(project, runtime.prompts, {
    slug: first.slug,
    body: `${first.body}\nAnother line.\n`,
    message: '',
  });
  await moveLabel(project, runtime.prompts, { slug: first.slug, label: 'production', version });
  await snapshot.refresh();
  const running = snapshot.promptsOf(project.projectId).get(first.slug);
  expect(running?.prompt).toMatchObject({
    version: `${first.slug}@${version}`,
    text: expect.stringContaining('Another line.'),
  });
});

test('R-66 a cold start with PostgreSQL down serves from disk, and recovers when it is back', async () => {
  const project = await createTestProject(runtime);
  const { key } = await keyOf(project);
  await putRoute(project, 'main', RouteSettings.parse({ upstream: 'https://llm.example.org' }));
  await putProvider(project, 'llm', {
    kind: 'openai_compatible',
    base_url: 'https://llm.example.org/v1',
    api_key: 'sk-canary-llm',
    models: [],
    enabled: true,
  });
  const dir = folder();
  const before = await createSnapshot(runtime.ctx, {
    dir,
    replica: 'r1',
    prompts: runtime.prompts,
  });
  await before.close();
  const path = join(dir, 'gateway', 'r1.snapshot.json');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const text = readFileSync(path, 'utf8');
  for (const secret of ['sk-canary-llm', key, key.slice(27, -6)])
    expect(text).not.toContain(secret);

  const began = performance.now();
  const cold = await start(withoutDatabase(), dir);
  expect(performance.now() - began).toBeLessThan(timeFactor * 500);
  const found = cold.authorize(`Bearer ${key}`, [], undefined);
  if (found?.state !== 'ok') throw new Error('not authorized');
  expect(cold.routeOf(found.project, 'main')?.provider?.openKey()).toBe('sk-canary-llm');
  await until('PostgreSQL is known to be down', () => (cold.postgres() === 'away' ? true : null));
  expect(cold.age()).toBeGreaterThan(0);
  const unknown = await keyOf(project);
  expect(await ask(cold, unknown.key)).toMatchObject({ status: 503, code: 'unavailable' });
});

test('R-66 with PostgreSQL silent, calls continue from memory, and changes apply when it is back', async () => {
  const url = new URL(database.url);
  const line = await startFaultline({ host: url.hostname, port: Number(url.port) });
  open.push(line);
  url.port = String(line.port);
  url.hostname = '127.0.0.1';
  const through = createTestRuntime(url.href, { ASSAY_QUERY_TIMEOUT_MS: '2000' });
  open.push(through);
  const project = await createTestProject(runtime);
  const { id, key } = await keyOf(project);
  const snapshot = await start(through);
  expect(await ask(snapshot, key)).toMatchObject({ state: 'ok' });
  line.blackHole();
  await until('PostgreSQL is known to be down', () =>
    snapshot.postgres() === 'away' ? true : null,
  );
  const began = performance.now();
  for (let n = 0; n < 1_000; n++)
    expect(snapshot.authorize(`Bearer ${key}`, [], undefined)).toMatchObject({
      state: 'ok',
    });
  expect(performance.now() - began).toBeLessThan(timeFactor * 1_000);
  await revokeKey(project, id);
  line.restore();
  await until('the key is refused', async () =>
    stateOf(await ask(snapshot, key)) === '401' ? true : null,
  );
  expect(snapshot.postgres()).toBe('ok');
});

test('R-66 content confirmed more than a day ago is not used, nor is a damaged file', async () => {
  const project = await createTestProject(runtime);
  const { key } = await keyOf(project);
  const dir = folder();
  const before = await createSnapshot(runtime.ctx, {
    dir,
    replica: 'r1',
    prompts: runtime.prompts,
  });
  await before.close();
  const path = join(dir, 'gateway', 'r1.snapshot.json');
  const file = JSON.parse(readFileSync(path, 'utf8')) as { confirmedAt: string };
  for (const [hours, status] of [
    [23, 'ok'],
    [25, '503'],
  ] as const) {
    writeFileSync(
      path,
      JSON.stringify({
        ...file,
        confirmedAt: new Date(Date.now() - hours * 3_600_000).toISOString(),
      }),
    );
    const old = await start(withoutDatabase(), dir);
    await until('PostgreSQL is known to be down', () => (old.postgres() === 'away' ? true : null));
    expect(stateOf(await ask(old, key)), `${hours} h`).toBe(status);
    await old.close();
  }
  for (const text of ['{', '{"version":1}', '']) {
    writeFileSync(path, text);
    const snapshot = await start(runtime, dir);
    expect(await ask(snapshot, key), text).toMatchObject({ state: 'ok' });
    await snapshot.close();
  }
});
