import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { bundleOptions } from '../scripts/bundle-options.mjs';
import { root } from '../scripts/data-dir.mjs';

/** The bundled file of the gateway's threads, for tests. */
export interface ThreadBundle<Role> {
  start(role: Role): Worker;
  close(): Promise<void>;
}

/**
 * @param threadOf from server/gateway/thread.ts: finds the thread's file next to the given module
 */
export async function bundleThread<Role>(
  threadOf: (moduleUrl: string) => ((role: Role) => Worker) | null,
): Promise<ThreadBundle<Role>> {
  // External packages are resolved from this folder.
  mkdirSync(join(root, 'dist'), { recursive: true });
  const dir = mkdtempSync(join(root, 'dist', 'test-thread-'));
  const { outputFiles } = await build({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: ['server/gateway/serve-thread.ts'],
    write: false,
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
