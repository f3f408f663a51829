import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startEdge, startWorker } from '../testing/processes';
import { createStack, type Stack } from '../testing/stack';
import { runDemo } from './run-demo.mjs';

/** `npm run demo` with a separate edge and worker. */

let stack: Stack;
let url = '';

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  ({ url } = await startEdge(stack.variables));
  await startWorker(stack.variables);
});

afterAll(async () => {
  await stack.close();
});

test('VS-45 planted faults are caught, and a random sample has labels with their probability', async () => {
  const lines: string[] = [];
  const demo = () =>
    runDemo({
      url,
      key: stack.key,
      turns: 60,
      seed: 7,
      run: 'test',
      print: (line) => lines.push(line),
    });
  const { judged, labels } = await demo();
  expect(judged).toHaveLength(60);
  const planted = judged.filter(({ fault }) => fault !== null);
  expect(planted.length).toBeGreaterThan(5);
  // A figure of another row is hard to catch: the integrity bench measures whether it is caught.
  const plain = planted.filter(({ fault }) => fault !== 'wrong_place');
  expect(plain.filter(({ outcome }) => outcome !== 'failed')).toEqual([]);
  expect(lines.join('\n')).toContain(`${planted.length} of 60 answers have one wrong figure`);
  const stored = await stack.sql<
    { kind: string; rater: string; selection: string; probability: number; right: boolean }[]
  >`
    select l.kind, l.rater, l.selection, l.probability, l.success = (t.payload::jsonb->'metadata'->>'planted' = 'none') as right
    from labels l join turns t on t.project_id = l.project_id and t.id = l.subject_id`;
  expect(labels.given).toBeGreaterThan(5);
  expect(stored).toHaveLength(labels.given);
  expect(stored.filter(({ right }) => !right)).toHaveLength(labels.wrong);
  for (const row of stored) {
    expect(row).toMatchObject({ kind: 'override', selection: 'sample', probability: 0.3 });
    expect(row.rater).toMatch(/\(scripted\)$/);
  }
});
