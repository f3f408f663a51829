// Restores dumps of earlier releases, each made by that release:
// ASSAY_RECORD_DUMP=testing/dumps/VERSION.backup.gz npx vitest run --project integration scripts/docs
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { appOf } from '../../testing/app';
import { createCaller } from '../../testing/call';
import {
  createTestDatabase,
  createTestRuntime,
  drainWork,
  insertTestReport,
} from '../../testing/database';
import { sampleTurn } from '../../testing/stack';
import { knownMigrations } from '../../db';
import { root } from '../../scripts/data-dir.mjs';
import { createKey, openProjectAsSystem } from '../access';
import { httpRoutes } from '../api/http';
import type { Runtime } from '../runtime';
import { restoreBackup } from './index';

const folder = join(root, 'testing', 'dumps');
const dumps = readdirSync(folder).filter((name) => name.endsWith('.backup.gz'));
/** The turns of a dump that no worker had taken. */
const waiting = ['waiting-1', 'waiting-2', 'waiting-3'];

async function withDump(name: string, use: (runtime: Runtime) => Promise<void>): Promise<void> {
  const database = await createTestDatabase(inject('databaseUrl'));
  const runtime = createTestRuntime(database.url);
  try {
    await restoreBackup(runtime.ctx, join(folder, name), { withoutSecrets: false });
    await use(runtime);
  } finally {
    await runtime.close();
    await database.drop();
  }
}

test('a dump of a release is kept', () => {
  expect(dumps.length).toBeGreaterThan(0);
});

test.for(dumps)('%s has the schema of today, and every list answers', (name) =>
  withDump(name, async (runtime) => {
    const [applied] = await runtime.ctx.sql<{ n: number }[]>`
      select count(*)::int as n from drizzle.__drizzle_migrations`;
    expect(applied?.n).toBe(knownMigrations());
    const project = await openProjectAsSystem(runtime.ctx, 'ops', 'test');
    const { key } = await createKey(project, { name: 'upgrade', scopes: ['read', 'write'] });
    const call = createCaller(runtime, key);
    const lists = httpRoutes.filter(
      ({ method, path }) => method.toUpperCase() === 'GET' && !path.includes('{'),
    );
    const failed: unknown[] = [];
    for (const { path } of lists) {
      const response = await appOf(runtime).request(path, {
        headers: { authorization: `Bearer ${key}` },
      });
      // Some need a query; none may fail.
      if (response.status >= 500) failed.push({ path, answer: await response.text() });
    }
    expect(failed).toEqual([]);
    const verdicts = await call('/v1/verifications?limit=200');
    expect([verdicts.status, JSON.stringify(verdicts.body)]).toEqual([
      200,
      expect.stringContaining('"verdict"'),
    ]);
  }),
);

test.for(dumps)('%s has its pending work done once, and takes new work', (name) =>
  withDump(name, async (runtime) => {
    const project = await openProjectAsSystem(runtime.ctx, 'ops', 'test');
    const { key } = await createKey(project, { name: 'upgrade', scopes: ['ingest', 'read'] });
    const call = createCaller(runtime, key);
    const sent = await call('/v1/turns', { turns: [sampleTurn('new-1')] });
    expect(sent.status).toBe(202);
    await drainWork(runtime);
    for (const id of [...waiting, 'new-1']) {
      const { body } = await call(`/v1/verifications?turn_id=${id}`);
      const verifiers = (body.data as { verifier: unknown }[]).map(({ verifier }) =>
        JSON.stringify(verifier),
      );
      expect(verifiers.length, id).toBeGreaterThan(0);
      expect(new Set(verifiers).size, id).toBe(verifiers.length);
    }
    await insertTestReport(runtime, project, 'rep_upgraded');
    expect((await call('/v1/reports')).status).toBe(200);
  }),
);
