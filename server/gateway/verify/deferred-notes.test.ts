import { expect, test } from 'vitest';
import { createDeferredNotes, notedSessionsMax } from './deferred-notes';

test('QV-31 a project with too many notes loses its own oldest, not those of others', () => {
  const notes = createDeferredNotes();
  notes.keep('a', 's', 'of a');
  for (let n = 0; n < notedSessionsMax; n++) notes.keep('b', `s${n}`, `of b ${n}`);
  expect([notes.take('a', 's'), notes.take('b', 's0'), notes.take('b', 's1')]).toEqual([
    'of a',
    null,
    'of b 1',
  ]);
});
