import { expect, test } from 'vitest';
import { chooseJudge, type JudgeRequest } from './choose-judge';
import { familyOf } from './family';

const wish: JudgeRequest = {
  executor: 'gpt-4o',
  configured: null,
  defaultJudge: 'anthropic:claude-3-5-haiku',
  available: [
    'openai:gpt-4o',
    'openai:gpt-4o-mini',
    'anthropic:claude-3-5-haiku',
    'google:gemini-1.5-flash',
    'house:llama3:70b',
  ],
};

test('VS-34 the default judge judges if it is of another family', () => {
  expect(chooseJudge(wish)).toEqual({
    state: 'chosen',
    judge: 'anthropic:claude-3-5-haiku',
    crossModel: 'enforced',
    warning: null,
  });
});

test('VS-34 VS-35 if the default judge is of the executor’s family, the cheapest of another family judges', () => {
  const choice = chooseJudge({ ...wish, executor: 'claude-3-opus' });
  expect(choice).toMatchObject({
    state: 'chosen',
    judge: 'google:gemini-1.5-flash',
    crossModel: 'enforced',
  });
});

test('VS-36 the chosen judge is never of the executor’s family', () => {
  for (const executor of [
    'o1',
    'openai/gpt-4',
    'us.anthropic.claude-3-opus-20240229-v1:0',
    'gemini-pro',
    'Meta-Llama-3-8B',
    'mixtral:8x7b',
    'qwq:32b',
  ]) {
    const choice = chooseJudge({ ...wish, executor });
    const judge = choice.state === 'chosen' ? choice.judge : executor;
    expect(familyOf(judge), executor).not.toBe(familyOf(executor));
  }
});

test('VS-35 a configured judge that is the executor’s model is refused, in any spelling', () => {
  for (const configured of [
    'openai:gpt-4o',
    'gpt-4o-2024-08-06',
    'openrouter:openai/gpt-4o:extended',
    'GPT-4o?temperature=0',
  ]) {
    expect(chooseJudge({ ...wish, configured }), configured).toMatchObject({ state: 'refused' });
  }
});

test('VS-35 a configured judge of the executor’s family is allowed, with a warning', () => {
  expect(chooseJudge({ ...wish, configured: 'openai:gpt-4o-mini' })).toMatchObject({
    state: 'chosen',
    judge: 'openai:gpt-4o-mini',
    crossModel: 'same_family_allowed',
    warning: expect.stringContaining('same family'),
  });
});

test('VS-37 an unknown executor: the default judge judges, with a warning', () => {
  expect(chooseJudge({ ...wish, executor: null })).toMatchObject({
    judge: 'anthropic:claude-3-5-haiku',
    crossModel: 'unverified',
  });
  expect(chooseJudge({ ...wish, executor: null, configured: 'openai:gpt-4o' })).toMatchObject({
    judge: 'openai:gpt-4o',
    crossModel: 'unverified',
  });
  expect(chooseJudge({ ...wish, executor: 'acme-large' })).toMatchObject({
    judge: 'anthropic:claude-3-5-haiku',
    crossModel: 'unverified',
  });
});

test('VS-34 without a model, or a model of another family, there is no judge and no pass', () => {
  expect(chooseJudge({ ...wish, defaultJudge: null, available: [] })).toMatchObject({
    state: 'none',
    reason: 'no_provider',
  });
  expect(
    chooseJudge({ ...wish, defaultJudge: 'openai:gpt-4o-mini', available: ['openai:o3-mini'] }),
  ).toMatchObject({
    state: 'none',
    reason: 'no_other_family',
  });
});

test('X-2 a verifier that judges its own work by design reports it', () => {
  expect(chooseJudge({ ...wish, self: true })).toMatchObject({
    judge: 'gpt-4o',
    crossModel: 'self',
    warning: expect.any(String),
  });
});
