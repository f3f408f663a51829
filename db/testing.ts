import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import type { Actor, ProjectCtx } from '../server/access';
import { createProject, openProjectAsSystem } from '../server/access';
import { claimWork } from '../server/queue';
import { createRuntime, type Runtime } from '../server/runtime';
import { verifyClaimed } from '../server/verdicts';
import { migrateDatabase } from './migrate';

/** Factories for integration tests: a database of one's own, a process's runtime on it, a project in it. */

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A migrated database beside `serverUrl`'s. */
export async function createTestDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  const admin = postgres(serverUrl, { max: 1, onnotice: () => undefined });
  await admin.unsafe(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrateDatabase(url.href);
  return {
    url: url.href,
    async drop() {
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
}

/** A runtime as a process makes it, silent, with variables of the test's own. */
export function createTestRuntime(databaseUrl: string, variables: Readonly<Record<string, string>> = {}): Runtime {
  return createRuntime('admin', {
    DATABASE_URL: databaseUrl, ASSAY_SECRET: 'test-secret-test-secret-test-secret', ASSAY_LOG_LEVEL: 'silent', ASSAY_DB_POOL: '4', ...variables,
  });
}

const system: Actor = { kind: 'system', id: 'test', label: 'test' };

/** A project with a slug of its own. */
export async function createTestProject(runtime: Runtime, slug = `p-${randomBytes(5).toString('hex')}`): Promise<ProjectCtx> {
  await createProject(runtime.ctx, system, { slug, name: slug });
  return openProjectAsSystem(runtime.ctx, slug, 'test');
}

/** Claims and verifies until nothing is due: what a worker does, without its waiting. Returns how many verdicts were stored. */
export async function drainWork(runtime: Runtime, owner = 'drain'): Promise<number> {
  let stored = 0;
  for (;;) {
    const clean = await claimWork(runtime.ctx, { owner, limit: 200, lost: false });
    const lost = await claimWork(runtime.ctx, { owner, limit: 1, lost: true });
    const claimed = [...clean, ...lost];
    if (claimed.length === 0) return stored;
    stored += (await verifyClaimed(runtime.ctx, { owner, claimed, signal: new AbortController().signal })).size;
  }
}
