import { expect } from 'vitest';
import { createTestProject, drainWork } from '../testing/database';
import { test } from '../testing/fixture';
import { SOME_CONTEXT } from '../testing/some-context';
import { putReviewSettings } from '../server/labels';
import type { Runtime } from '../server/runtime';
import { ingestTurns } from '../server/ingest';
import { runReviewQueues } from './review-queues';

let runtime: Runtime;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

test('two workers fill the review queues of several projects as verdicts settle, each once, and stop on the signal', async () => {
  const stop = new AbortController();
  const running = [1, 2].map(() => runReviewQueues(runtime.ctx, { signal: stop.signal }));
  const projects = [await createTestProject(runtime), await createTestProject(runtime)];
  for (const project of projects) {
    await putReviewSettings(project, {
      verifier: null,
      settings: { auditRate: 1, uncertainBand: 0, raters: 1, blind: false },
    });
    const turns = Array.from({ length: 5 }, (_, n) => ({
      id: `t-${n}`,
      context: SOME_CONTEXT,
      output: 'All is well.',
    }));
    const body = Buffer.from(JSON.stringify({ turns }));
    await ingestTurns(project, runtime.writer, {
      body,
      validUtf8: true,
      idempotencyKey: null,
      planTurns: runtime.rules.planTurns,
    });
  }
  await drainWork(runtime);
  const drawn = async (projectId: string) =>
    (
      await runtime.ctx
        .sql`select 1 from review_items where project_id = ${projectId} and probability = 1`
    ).length;
  for (const { projectId } of projects)
    await expect.poll(() => drawn(projectId), { timeout: 20_000 }).toBe(5);
  stop.abort();
  await Promise.all(running);
});
