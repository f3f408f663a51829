import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { threadOf, type ThreadRole } from './thread';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The file of the gateway's threads, as it is built; for tests. */
export interface ThreadBundle {
  start(role: ThreadRole): Worker;
  close(): Promise<void>;
}

export async function bundleThread(): Promise<ThreadBundle> {
  // Packages are found from there.
  mkdirSync(join(root, 'dist'), { recursive: true });
  const dir = mkdtempSync(join(root, 'dist', 'test-thread-'));
  const options = { bundle: true, platform: 'node', format: 'esm', target: 'node20', packages: 'external', write: false } as const;
  const { outputFiles } = await build({
    ...options,
    absWorkingDir: root,
    entryPoints: ['server/gateway/serve-thread.ts'],
    logLevel: 'silent',
  });
  writeFileSync(join(dir, 'gateway-thread.js'), outputFiles[0]?.contents ?? '');
  const start = threadOf(pathToFileURL(join(dir, 'edge.js')).href);
  if (start === null) throw new Error('no thread');
  const workers: Worker[] = [];
  return {
    start(role) {
      const worker = start(role);
      workers.push(worker);
      return worker;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
