import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { findFreePort } from '../scripts/postgres.mjs';
import { startTestCluster, type TestCluster } from '../scripts/temporary-cluster.mjs';
import { createTestMember, createTestRuntime } from '../testing/database';
import { openProjectAsSystem } from '../server/access';
import { until } from '../testing/until';
import { pages } from './pages';
import { project } from './instance';
import { expect, test } from './test';

/** The data of the first release (testing/dumps/README.md). */
const dump = join('testing', 'dumps', 'first.backup.gz');
const secret = 'test-secret-test-secret-test-secret';

let cluster: TestCluster;
let sql: Sql;
let web: ChildProcess;
let webUrl: string;
let cookie: string;

/** Runs an `assay` command to its end. */
async function runAssay(args: readonly string[], env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, ['scripts/assay.mjs', ...args], {
    env: { ...process.env, ...env },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  expect(await new Promise((resolve) => child.once('close', resolve)), printed).toBe(0);
}

test.beforeAll(async () => {
  test.setTimeout(240_000);
  cluster = await startTestCluster({ inMemory: true });
  const port = await findFreePort();
  webUrl = `http://localhost:${port}`;
  const env = {
    DATABASE_URL: cluster.url,
    ASSAY_SECRET: secret,
    ASSAY_DATA_DIR: mkdtempSync('/tmp/assay-old-data-'),
    ASSAY_WEB_PORT: String(port),
    ASSAY_WEB_URL: webUrl,
  };
  await runAssay(['restore', dump], env);
  web = spawn(process.execPath, ['scripts/assay.mjs', 'web'], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  sql = postgres(cluster.url, { max: 1, onnotice: () => undefined });
  const runtime = createTestRuntime(cluster.url, env);
  const ops = await openProjectAsSystem(runtime.ctx, project.slug, 'test');
  ({ cookie } = await createTestMember(runtime, ops, 'owner'));
  await runtime.close();
  await until('the console serves', async () => {
    const ready = await fetch(`${webUrl}/api/readyz`).catch(() => null);
    return ready?.status === 200 ? true : null;
  });
});

test.afterAll(async () => {
  const gone = new Promise((resolve) => web.once('exit', resolve));
  web.kill('SIGTERM');
  await gone;
  await sql.end();
  await cluster.stop();
});

/** The first id of a table, for the page of one thing. */
async function idOf(table: 'turns' | 'traces' | 'sessions' | 'verdicts'): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    select id from ${sql(table)}
    where project_id = (select id from projects where slug = ${project.slug}) order by id limit 1`;
  return row?.id ?? '';
}

test('R-44 every page opens on the data of the first release', async ({ page, context }) => {
  test.setTimeout(300_000);
  await context.addCookies(
    cookie.split('; ').map((pair) => {
      const at = pair.indexOf('=');
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url: webUrl };
    }),
  );
  const base = `/p/${project.slug}`;
  const ofThings = [
    `${base}/turns/${await idOf('turns')}`,
    `${base}/traces/${await idOf('traces')}`,
    `${base}/sessions/${encodeURIComponent(await idOf('sessions'))}`,
    `${base}/verdicts/${await idOf('verdicts')}`,
  ];
  const isOfThing = /\/(turns|traces|sessions)\/./;
  const paths = [
    ...pages.flatMap((each) => ('path' in each && !isOfThing.test(each.path) ? [each.path] : [])),
    ...ofThings,
  ];
  for (const path of paths) {
    await test.step(path, async () => {
      const response = await page.goto(webUrl + path);
      expect(response?.status()).toBe(200);
      await expect(page.locator('h1').first()).toBeVisible();
      await expect(page.getByText(/could not be (read|loaded|shown)/)).toHaveCount(0);
      await expect(page.getByText('Page not found')).toHaveCount(0);
    });
  }
});
