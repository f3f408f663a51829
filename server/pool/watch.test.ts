import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWatchMemory, readProgress, readWatch, writeWatch } from './watch';

test('R-104 a thread’s report is read as written, and a new subject starts without a part', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ maxLength: 100 }), (subject, part) => {
      const memory = createWatchMemory();
      const watch = writeWatch(memory);
      watch.start(7);
      watch.begin('another');
      watch.enter('something before');
      watch.begin(subject);
      expect(readWatch(memory).part).toBe('');
      watch.enter(part);
      const isNamed = subject !== null && Buffer.byteLength(JSON.stringify(subject)) <= 2_048;
      expect(readWatch(memory)).toEqual({
        threadId: 7,
        sequence: 2,
        subject: isNamed ? JSON.parse(JSON.stringify(subject)) : null,
        part: part.toWellFormed(),
      });
      expect(readProgress(memory)).toEqual({ threadId: 7, sequence: 2 });
    }),
  );
});

test('R-104 a subject that is too long is not named, and spoils no other field', () => {
  const memory = createWatchMemory();
  const watch = writeWatch(memory);
  watch.begin({ text: 'ä'.repeat(3_000) });
  watch.enter('€'.repeat(600));
  const { subject, part, sequence } = readWatch(memory);
  expect([subject, sequence]).toEqual([null, 1]);
  expect(part).toBe('€'.repeat(128));
});
