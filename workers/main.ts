import { Worker } from 'node:worker_threads';
import { siblingFile } from '../server/pool';
import { createRuntime, type Runtime, logRowSecurity, waitForSchema } from '../server/runtime';
import { runLane } from './lane';

/** A worker process. It has no state; any number of them may run. */
async function main(): Promise<void> {
  const runtime = createRuntime('worker', siblingFile(import.meta.url, 'worker', 'thread'));
  const { ctx, owner, stopping, pool } = runtime;
  const stop = (): void => {
    stopping.abort();
    setTimeout(() => process.exit(0), 9_000).unref();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
  await waitForSchema(runtime, 'work starts when it returns');
  if (stopping.signal.aborted) process.exit(0);
  await logRowSecurity(ctx);
  const background = startBackground(runtime);
  ctx.log.info({ owner }, 'worker is ready');
  process.send?.({ ready: true });
  await Promise.all([
    runLane(ctx, {
      owner,
      signal: stopping.signal,
      rules: runtime.rules,
      subjects: runtime.subjects,
      pool,
    }),
    background,
  ]);
  await runtime.close();
  process.exit(0);
}

/**
 * Resolves when the thread ends.
 *
 * @throws Error if the thread ends without a stop request
 */
function startBackground({ stopping: { signal } }: Runtime): Promise<void> {
  const file = siblingFile(import.meta.url, 'worker', 'background-thread');
  if (file === null)
    return Promise.reject(
      new Error('the file of the background thread is missing: build with npm start'),
    );
  const thread = new Worker(file, { resourceLimits: { maxYoungGenerationSizeMb: 16 } });
  signal.addEventListener('abort', () => thread.postMessage('stop'));
  return new Promise((resolve, reject) => {
    thread.once('error', reject);
    thread.once('exit', () => {
      if (signal.aborted) resolve();
      else reject(new Error('the background thread ended'));
    });
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`worker: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
