import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startEdge, startWorker } from '../testing/processes';
import { createStack, type Stack } from '../testing/stack';
import { findFreePort } from '../scripts/postgres.mjs';
import type { TaskFault } from './make-tasks.mjs';
import { runDemo } from './run-demo.mjs';
import { errsOn } from './simulated-judge.mjs';

/** The tasks of `npm run demo`, against its own edge and worker. */

let stack: Stack;
let url = '';
let judgePort = 0;

beforeAll(async () => {
  judgePort = await findFreePort();
  stack = await createStack(inject('databaseUrl'), {
    ASSAY_OUTBOUND_ALLOW: `127.0.0.1:${judgePort}`,
  });
  ({ url } = await startEdge(stack.variables));
  await startWorker(stack.variables);
});

afterAll(async () => {
  await stack.close();
});

const demo = (port: number, run: string) => {
  const lines: string[] = [];
  return runDemo({
    url,
    key: stack.key,
    turns: 1,
    tasks: 24,
    judgePort: port,
    seed: 7,
    run,
    print: (line) => lines.push(line),
  }).then(({ tasks }) => ({ tasks, text: lines.join('\n') }));
};

/**
 * A check finds a missing section before any judge is called. A judge that errs contradicts it, and
 * one that does not may be in doubt.
 */
function expected(fault: TaskFault | null, errs: boolean): string {
  if (fault === 'missing_section') return 'failed';
  if (errs) return fault === null ? 'failed' : 'passed';
  return fault === null ? 'passed or needs_review' : 'failed, needs_review or passed';
}

test('X-1 VS-16 a check finds its fault, and tasks on which the simulated judge errs get the opposite verdict; all is named as simulated', async () => {
  const { tasks, text } = await demo(judgePort, 'test');
  expect(tasks).toHaveLength(24);
  for (const { id, fault, output, outcome } of tasks ?? [])
    expect(expected(fault, errsOn(output)), id).toContain(outcome);
  const judges = await stack.sql<{ judge_model: string | null }[]>`
    select distinct judge_model from verdicts where kind = 'task' and judge_calls > 0`;
  expect(judges.map((row) => row.judge_model)).toEqual(['simulated/judge-1']);
  const [provider] = await stack.sql<
    { enabled: boolean }[]
  >`select enabled from providers where name = 'simulated'`;
  expect(provider).toEqual({ enabled: false });
  expect(text).toContain('of 24 reports have one fault');
});

test('if Assay may not call the judge, tasks are omitted, with instructions', async () => {
  const { tasks, text } = await demo(await findFreePort(), 'refused');
  expect(tasks).toBeNull();
  expect(text).toMatch(/Tasks are skipped: .*ASSAY_OUTBOUND_ALLOW=127\.0\.0\.1:\d+ npm start/);
});
