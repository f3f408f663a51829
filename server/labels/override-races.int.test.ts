import { expect } from 'vitest';
import { createCaller, type Json } from '../../testing/call';
import { createTestRuntime, drainWork } from '../../testing/database';
import { reportFigure } from '../../testing/figures';
import { test } from '../../testing/fixture';
import { SOME_CONTEXT } from '../../testing/some-context';
import { long } from '../../testing/stack';
import { createKey } from '../access';

test('R-81 an override during a re-score: the human verdict is always shown, and history keeps every value', async ({
  database,
  runtime,
  project,
  onTestFinished,
}) => {
  const races = long ? 100 : 25;
  const { key } = await createKey(project, { name: 'k', scopes: ['ingest', 'read', 'write'] });
  const call = createCaller(runtime, key);
  const second = createTestRuntime(database.url);
  onTestFinished(() => second.close());
  const { sql } = runtime.ctx;
  const ids = Array.from({ length: races }, (_, i) => `r81-${i}`);
  const send = (output: string) =>
    call('/v1/turns', { turns: ids.map((id) => ({ id, context: SOME_CONTEXT, output })) });
  await send('It is 42 %.');
  await drainWork(runtime);
  const stored = () => sql<{ id: string; subject_id: string; row: Json }[]>`
    select id, subject_id, to_jsonb(v) - 'superseded' as row from verdicts v order by subject_id, revision`;
  const before = await stored();
  expect(before).toHaveLength(races);

  // New content is verified by two workers while each first verdict is overruled.
  expect((await send('It is 43 %.')).status).toBe(202);
  const rescored = Promise.all([drainWork(runtime, 'a'), drainWork(second, 'b')]);
  const ruled = await Promise.all(
    before.map(({ id }) =>
      call(`/v1/verifications/${id}/overrides`, {
        verdict: 'pass',
        reason: 'It is in the ticket.',
      }),
    ),
  );
  await rescored;
  expect(new Set(ruled.map(({ status }) => status))).toEqual(new Set([201]));

  const after = await stored();
  expect(after).toHaveLength(2 * races);
  for (const { id, row } of before) {
    expect(after.find((each) => each.id === id)?.row).toEqual(row);
    const { body } = await call(`/v1/verifications/${id}`);
    expect(body).toMatchObject({
      verdict: 'unsourced',
      effective_verdict: 'sourced',
      overrides: [{ verdict: 'sourced', undone: false }],
    });
  }
  const listed = (await call('/v1/verifications?limit=200')).body.data as Json[];
  const shown = new Map(listed.map((each) => [each.id, each.effective_verdict]));
  for (const { id } of after)
    expect(shown.get(id)).toBe(before.some((each) => each.id === id) ? 'sourced' : 'unsourced');
  const labels = await sql<{ n: number; subjects: number }[]>`
    select count(*)::int as n, count(distinct subject_id)::int as subjects from labels where kind = 'override'`;
  expect(labels).toEqual([{ n: races, subjects: races }]);
  reportFigure('R-81', { races, overwritten: 0 });
});
