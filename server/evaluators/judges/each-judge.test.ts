import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  contextWith,
  plainPrompt,
  type Script,
  scriptedAsk,
} from '../../../testing/scripted-judge';
import { askJudge, type JudgeTask } from './ask-judge';
import { defineShape } from './read-reply';

/**
 * Each judge is called again once after a malformed reply; judges without a result are named, with
 * their replacement.
 */

const shape = defineShape(
  'said',
  z.strictObject({ nonce: z.string(), met: z.boolean() }),
  (reply) => reply,
  () => null,
);
const task: JudgeTask<unknown> = {
  question: {
    prompt: plainPrompt('{{output}} {{format}}'),
    data: new Map(),
    reminder: 'criteria',
    format: 'JSON',
  },
  shape,
  purpose: 'test',
  maxOutputTokens: 100,
  deadlineMs: 1_000,
};
const models = ['one:gpt-4o', 'two:claude', 'three:gemini'];

async function judge(script: Script, asked = models) {
  const { ask, requests } = scriptedAsk(script);
  return {
    judged: await askJudge(task, asked, contextWith(ask)),
    calls: requests.map(({ model }) => model),
  };
}

const good: Script = ({ nonce }) => `{"nonce":"${nonce}","met":true}`;
/** The first `count` calls return this reply, the next a good one. */
const after = (count: number, bad: ReturnType<Script>): Script => {
  let calls = 0;
  return (seen) => (calls++ < count ? bad : good(seen));
};

const malformed: readonly ReturnType<Script>[] = [
  '',
  'I cannot say.',
  '{"met":true}',
  '[]',
  '{"nonce":1,"met":true}',
  '{',
  { errorClass: 'bad_reply' },
];

test.each(malformed)('VS-20 R-53 a judge that gives %j is called again once', async (bad) => {
  expect(await judge(after(1, bad))).toMatchObject({
    judged: { state: 'judged', usage: { replaced: [] } },
    calls: ['one:gpt-4o', 'one:gpt-4o'],
  });
});

test.each(malformed)(
  'VS-20 R-59 each judge after one that gives %j is called again once too, and each is named',
  async (bad) => {
    const { judged, calls } = await judge(after(4, bad));
    expect(calls).toEqual(['one:gpt-4o', 'one:gpt-4o', 'two:claude', 'two:claude', 'three:gemini']);
    const by = judged.model;
    expect(judged.usage.replaced.map(({ model }) => model)).toEqual(models.slice(0, 2));
    for (const each of judged.usage.replaced)
      expect(each).toMatchObject({
        by,
        reason: expect.stringMatching(/^(unparseable|bad_reply): /) as string,
      });
  },
);

test.each(malformed)(
  'VS-20 where all judges give %j the failure names each, and none is called a third time',
  async (bad) => {
    const { judged, calls } = await judge(() => bad);
    expect(calls).toHaveLength(6);
    expect(judged).toMatchObject({ state: 'failed', usage: { replaced: [] } });
    for (const model of models)
      expect(judged.state === 'failed' && judged.reason).toContain(`${model}: `);
  },
);

test('R-59 a judge that is down is not called again, and the failure of a single judge repeats nothing', async () => {
  const { judged, calls } = await judge(() => ({ errorClass: 'overloaded' }), models.slice(0, 1));
  expect(calls).toEqual(models.slice(0, 1));
  expect(judged).toMatchObject({ state: 'failed', errorClass: 'overloaded' });
});
