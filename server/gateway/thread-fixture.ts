import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { threadOf, type ThreadRole } from './thread';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A file of Node's own that ends as the edge's does where it is loaded as a thread; for tests. */
export interface ThreadBundle {
  start(role: ThreadRole): Worker;
  close(): Promise<void>;
}

export async function bundleThread(): Promise<ThreadBundle> {
  // Packages are found from there.
  mkdirSync(join(root, 'dist'), { recursive: true });
  const dir = mkdtempSync(join(root, 'dist', 'test-thread-'));
  const contents = `import { serveGatewayThread } from './server/gateway/serve-thread'; serveGatewayThread();`;
  const options = { bundle: true, platform: 'node', format: 'esm', target: 'node20', packages: 'external', write: false } as const;
  const { outputFiles } = await build({
    ...options,
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, loader: 'ts' },
    logLevel: 'silent',
  });
  writeFileSync(join(dir, 'thread.js'), outputFiles[0]?.contents ?? '');
  const start = threadOf(`file://${join(dir, 'thread.js')}`);
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
