// Global setup of the integration tests: one temporary PostgreSQL cluster for the whole run,
// without fsync. Tests that kill the server or test durability start their own (startTestCluster).
import type { TestProject } from 'vitest/node';
import { runVariable } from './test-run';
import { createTestTemplate } from './test-template';
import { startTestCluster } from '../scripts/temporary-cluster.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * The superuser's URL of the empty database `assay`; tests may create other databases next to
     * it.
     */
    databaseUrl: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster({
    inMemory: true,
    settings: { max_connections: '300', max_wal_size: '1GB' },
  });
  await createTestTemplate(cluster.url);
  project.provide('databaseUrl', cluster.url);
  let reruns = 0;
  process.env[runVariable] = `${process.pid}-0`;
  project.onTestsRerun(() => {
    process.env[runVariable] = `${process.pid}-${++reruns}`;
  });
  return cluster.stop;
}
