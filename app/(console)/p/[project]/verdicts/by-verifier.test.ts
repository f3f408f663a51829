import { expect, test } from 'vitest';
import type { VerdictRow } from '@/app/_trpc/outputs';
import { groupByVerifier } from './by-verifier';

const row = (id: string, verifier: string, more: Partial<VerdictRow> = {}): VerdictRow => ({
  id,
  kind: 'task',
  verifier,
  outcome: 'passed',
  verdict: 'pass',
  score: 1,
  model: null,
  excerpt: '',
  unsourced: null,
  figures: null,
  subjectKind: 'turn',
  turnId: null,
  sessionId: null,
  createdAt: new Date(0),
  settledAt: new Date(0),
  superseded: false,
  ruled: null,
  ...more,
});

test('verdicts are grouped by verifier across versions, newest first, earlier revisions last and not counted', () => {
  const groups = groupByVerifier([
    row('old', 'task@1', { superseded: true, outcome: 'failed', settledAt: new Date(9) }),
    row('first', 'task@1', { settledAt: new Date(1) }),
    row('integrity', 'integrity@1', { outcome: 'failed' }),
    row('second', 'task@2', { settledAt: new Date(2) }),
    row('third', 'task@2', { outcome: 'inconclusive', settledAt: new Date(3) }),
  ]);
  expect(groups.map(({ verifier, rows }) => [verifier, ...rows.map(({ id }) => id)])).toEqual([
    ['integrity', 'integrity'],
    ['task', 'third', 'second', 'first', 'old'],
  ]);
  expect(groups.map(({ counts }) => counts)).toEqual([
    [{ state: 'failed', count: 1 }],
    [
      { state: 'inconclusive', count: 1 },
      { state: 'passed', count: 2 },
    ],
  ]);
});

test('no verdicts, no groups', () => {
  expect(groupByVerifier([])).toEqual([]);
});
