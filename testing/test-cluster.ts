// Global set-up of the integration tests: one temporary PostgreSQL cluster for the whole run,
// without fsync. Tests that kill the server, or are about durability, start their own
// (startTestCluster).
import type { TestProject } from 'vitest/node';
import { createTestTemplate } from './test-template';
import { startTestCluster } from '../scripts/temporary-cluster.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * Superuser's address of the empty database `assay`; other databases may be made next to it.
     */
    databaseUrl: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster({ settings: { max_connections: '300' } });
  await createTestTemplate(cluster.url);
  project.provide('databaseUrl', cluster.url);
  return cluster.stop;
}
