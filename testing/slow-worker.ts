import { createRuntime } from '../server/runtime';
import { workThrough } from '../server/verdicts';
import { type AnyKind, kinds as ownKinds, type PlanNode } from '../server/verifiers';
import { runSlowLane } from '../workers/slow-lane';

/**
 * A worker that runs only the slow lane. Its verifier calls a scripted judge before its first node,
 * according to `HARNESS_KIND`: `slow` answers after `HARNESS_DELAY_MS`; `hold` reports the answer
 * to the parent and stores the verdict on permission; `abort` ends the process on an answer that
 * contains POISON. `HARNESS_ANSWER` is the judge's answer, which becomes the verdict.
 */
const behaviour = process.env.HARNESS_KIND ?? 'slow';
const delayMs = Number(process.env.HARNESS_DELAY_MS ?? 5);
const answer = process.env.HARNESS_ANSWER;

function askJudge(output: string): Promise<void> {
  if (behaviour === 'abort' && output.includes('POISON')) process.abort();
  return new Promise((resolve) => {
    if (behaviour !== 'hold') {
      setTimeout(resolve, delayMs);
      return;
    }
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
      const begin: PlanNode = {
        ...first,
        timeoutMs: 120_000,
        async run(details, ctx) {
          await askJudge((subject as { readonly output: string }).output);
          return first.run(details, ctx);
        },
      };
      return [begin, ...rest];
    },
    decide(...args) {
      const decision = inner.decide(...args);
      return answer === undefined ? decision : { ...decision, verdict: answer };
    },
  };
}

const kinds = new Map([...ownKinds].map(([name, kind]) => [name, wrap(kind)]));
const runtime = createRuntime('worker');
const { ctx, owner, rules, subjects, stopping } = runtime;
process.on('SIGTERM', () => stopping.abort());
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
await runSlowLane(ctx, {
  owner,
  signal: stopping.signal,
  graceMs: 500,
  async verify(work, signal) {
    await workThrough(ctx, {
      owner,
      claimed: [work],
      rules,
      subjects: { ...subjects, kinds },
      signal,
    });
  },
});
await runtime.close();
process.exit(0);
