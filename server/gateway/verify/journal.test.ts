import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../platform';
import { QualityVerifierSettings } from '../input';
import { openJournal } from './journal';
import { type SessionState, Sessions } from './sessions';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-journal-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const settings = QualityVerifierSettings.parse({ model: 'p:judge', frequency: 30 });

function counted(sessionId: string, turns: number): SessionState {
  const sessions = new Sessions(systemClock, 'r');
  for (let n = 0; n < turns; n++)
    sessions.advance({
      projectId: 'p',
      sessionId,
      clientRequestId: null,
      settings,
      toolFollowup: false,
    });
  const restored = sessions.find({ projectId: 'p', sessionId });
  if (restored === undefined) throw new Error('no session');
  return restored;
}

const kept = () =>
  openJournal(dir, 'r').sessions.map(({ sessionId, own }) => [sessionId, own?.units]);

test('QV-3 lines after a truncated line are read', async () => {
  await openJournal(dir, 'r').journal.append([counted('first', 1)], []);
  appendFileSync(join(dir, 'r.counters.jsonl'), '{"p":"p","s":"torn","e":0,"v":1');
  const { journal } = openJournal(dir, 'r');
  await journal.append([counted('second', 2)], []);
  await journal.append([counted('third', 3)], []);
  expect(kept()).toEqual([
    ['first', 1000],
    ['second', 2000],
    ['third', 3000],
  ]);
});

test('QV-3 a session evicted and used again before the next write keeps its current state', async () => {
  const { journal } = openJournal(dir, 'r');
  await journal.append([counted('mine', 5), counted('gone', 1)], []);
  const ended = ['mine', 'gone'].map((sessionId) => ({ projectId: 'p', sessionId, version: 1 }));
  await journal.append([counted('mine', 2)], ended);
  expect(kept()).toEqual([['mine', 2000]]);
});
