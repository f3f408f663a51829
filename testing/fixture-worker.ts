import { type AnyKind, kinds as ownKinds, type PlanNode } from '../server/verifiers';
import { createRuntime } from '../server/runtime';
import { runLane } from '../workers/lane';

/**
 * A worker whose integrity verifier misbehaves before its first node, according to `HARNESS_KIND`:
 * `abort` ends the process on an answer that contains POISON; `hold` reports to the parent that it
 * has claimed the work, and waits for permission; `slow` takes `HARNESS_DELAY_MS` for each turn, so
 * that a kill interrupts it in the middle of work.
 */
const behaviour = process.env.HARNESS_KIND ?? 'slow';
const delayMs = Number(process.env.HARNESS_DELAY_MS ?? 5);

function misbehave(output: string): Promise<void> | void {
  if (behaviour === 'abort' && output.includes('POISON')) process.abort();
  if (behaviour === 'slow') return new Promise((resolve) => setTimeout(resolve, delayMs));
  if (behaviour !== 'hold') return;
  return new Promise((resolve) => {
    process.once('message', () => resolve());
    process.send?.({ holds: output });
  });
}

function wrap(inner: AnyKind): AnyKind {
  return {
    ...inner,
    plan(subject, setting) {
      const [first, ...rest] = inner.plan(subject, setting);
      if (first === undefined) return [];
      const output = (subject as { readonly output: string }).output;
      const begin: PlanNode = {
        ...first,
        timeoutMs: 120_000,
        async run(details, ctx) {
          await misbehave(output);
          return first.run(details, ctx);
        },
      };
      return [begin, ...rest];
    },
  };
}

const kinds = new Map([...ownKinds].map(([name, kind]) => [name, wrap(kind)]));
const runtime = createRuntime('worker');
process.on('disconnect', () => process.exit(0));
// The parent checks whether anything has reached the prototype of all objects.
process.on('message', (message) => {
  if (typeof message === 'object' && message !== null && 'probe' in message)
    process.send?.({
      keys: Object.keys(Object.getPrototypeOf({}) as object),
      isPublic: String(Reflect.get({}, 'isPublic')),
    });
});
process.send?.({ ready: true });
await runLane(runtime.ctx, {
  owner: runtime.owner,
  signal: runtime.stopping.signal,
  rules: runtime.rules,
  subjects: { ...runtime.subjects, kinds },
  ...(process.env.HARNESS_BATCH === undefined
    ? {}
    : { maxBatch: Number(process.env.HARNESS_BATCH) }),
});
