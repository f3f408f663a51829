import { checkSchema, createRuntime, tellNet } from '../server/runtime';
import { pruneAnswers } from '../server/traces';
import { runLane } from './lane';

const pruneEveryMs = 60 * 60 * 1000;

/** A worker process. Keeps no state; any number of them may run. */
async function main(): Promise<void> {
  const runtime = createRuntime('worker');
  const { ctx, owner, stopping } = runtime;
  await checkSchema(ctx.sql);
  await tellNet(ctx);
  const stop = (): void => {
    stopping.abort();
    setTimeout(() => process.exit(0), 9_000).unref();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
  const prune = (): void => void pruneAnswers(ctx).catch((error: unknown) => ctx.log.warn({ err: error }, 'nothing pruned'));
  const pruning = setInterval(prune, pruneEveryMs);
  prune();
  ctx.log.info({ owner }, 'worker is ready');
  process.send?.({ ready: true });
  await runLane(ctx, { owner, signal: stopping.signal, rules: runtime.rules });
  clearInterval(pruning);
  await runtime.close();
  process.exit(0);
}

main().catch((error: unknown) => {
  process.stderr.write(`worker: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
