// Three projects for `npm test`. `unit`: no service, no port, part of `npm run verify`. `integration`
// (*.int.test.ts): what needs PostgreSQL or starts processes; one temporary cluster for all
// (testing/test-cluster.ts), its address by `inject('databaseUrl')`. Each file makes its own
// project rows, or its own database where it needs to be alone. `isolated`: the same for files that
// change what all modules of a process share (OpenTelemetry's provider, the list of kinds): each
// has its own modules. The files of the other two share them: loading them again for each file took
// a third of the time. A fourth, `clients`, installs packages from npm: `npm run clients` alone.
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { HeavyFirst } from './testing/heavy-first.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const alias = {
  '@': root.replace(/\/$/, ''),
  // Its only content is an error for browsers.
  'server-only': fileURLToPath(new URL('./node_modules/server-only/empty.js', import.meta.url)),
};
const exclude = [...configDefaults.exclude, '.next/**', 'dist/**', '.assay/**', 'e2e/**'];

const isolated = [
  ...['api/http', 'ingest', 'rules'].map((folder) => `server/${folder}/clients.int.test.ts`),
  'server/verifiers/tenth-kind.int.test.ts',
];
const clients = 'testing/clients/matrix.int.test.ts';
// On CI a test that a busy machine upset is tried once more; the reporter names it.
const retry = process.env.CI === undefined ? 0 : 1;
const onCluster = {
  globalSetup: ['testing/test-cluster.ts'],
  setupFiles: ['testing/quick-scrypt.ts'],
  fileParallelism: true,
  // One more than cores: much of what a file does is to wait for PostgreSQL and for processes to
  // come up.
  maxWorkers: 3,
  retry,
  // What a test waits for is a signal; these only end one that would never come, on a machine with
  // other work too.
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

export default defineConfig({
  test: {
    sequence: { sequencer: HeavyFirst },
    // On CI the integration tests load the modules that the unit tests have transformed. In a
    // checkout, a cached import of a file that was moved would fail.
    experimental: { fsModuleCache: process.env.CI !== undefined },
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...exclude, '**/*.int.test.ts'],
          isolate: false,
          // Two cores: the other steps of `npm run verify` are done long before this one.
          maxWorkers: 2,
          retry,
          testTimeout: 60_000,
          hookTimeout: 300_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'integration',
          include: ['**/*.int.test.ts'],
          exclude: [...exclude, ...isolated, clients],
          isolate: false,
          ...onCluster,
        },
      },
      {
        resolve: { alias },
        test: { name: 'isolated', include: isolated, exclude, ...onCluster },
      },
      {
        resolve: { alias },
        // Two installations at a time.
        test: {
          name: 'clients',
          include: [clients],
          exclude,
          ...onCluster,
          maxConcurrency: 2,
          retry: 0,
        },
      },
    ],
  },
});
