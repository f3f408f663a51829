import { expect, test } from 'vitest';
import { createDeferredNotes } from './deferred-notes';
import { requestBody, testDeps, testRoute } from './verify-fixture';
import { createPrepareCall } from './prepare-call';
import { createShapeRefusals } from './shape-refusals';

const hold = testRoute({ settings: { integrity: { mode: 'hold' } } });
const deferring = testRoute({
  settings: { quality_verifier: { model: 'judge:small', deferred: true } },
});

function preparing() {
  const deferred = createDeferredNotes();
  const prepare = createPrepareCall({
    ...testDeps({ deferred }).deps,
    readAhead: () => undefined,
    shapes: createShapeRefusals(),
  });
  const up = async (route: typeof hold, body: Buffer) =>
    (await prepare({ id: 'call_1', route, dialect: 'chat', noteKey: 's', model: 'm', body })).body;
  return { deferred, up };
}

const of = (messages: readonly object[]): Buffer =>
  Buffer.from(JSON.stringify({ model: 'm', messages }));
const pieces = (content: string) => ({ role: 'user', content });

test.each([
  ['5,000 messages', Array.from({ length: 5_000 }, () => pieces('a')), true],
  ['5,001 messages', Array.from({ length: 5_001 }, () => pieces('a')), false],
  ['1 MiB', [pieces('a'.repeat(1_048_576))], false],
  ['400,000 tiny messages', Array.from({ length: 400_000 }, (_, n) => pieces(`m ${n}`)), false],
])(
  'INT-17 R-62 a rule is added to requests up to 1 MiB and 5,000 messages: %s',
  async (_, messages, ruled) => {
    const body = of(messages);
    const { up } = preparing();
    const sent = await up(hold, body);
    expect([sent === body, sent.includes('Rule #-1')]).toEqual([!ruled, ruled]);
  },
);

test('QV-31 a note that does not fit into a request waits for the next one', async () => {
  const { deferred, up } = preparing();
  deferred.keep('prj_1', 's', 'Look first.');
  const wrong = Buffer.from('no json');
  expect(await up(deferring, wrong)).toBe(wrong);
  expect((await up(deferring, requestBody('chat', false))).toString()).toContain('Look first.');
  expect(deferred.take('prj_1', 's')).toBeNull();
});
