import { expect, test } from 'vitest';
import { draftOf, type JudgingDraft, readJudging } from './judging-draft';

const draft: JudgingDraft = {
  defaultJudge: '',
  second: '',
  third: '',
  floor: '0.1',
  budget: '30',
  retries: '2',
  neutralProof: 'literal',
  semanticJudge: false,
  promotionGate: 'advise',
};

test('stored settings come back unchanged, percentages included', () => {
  const judging = {
    defaultJudge: 'openai:gpt-4o-mini',
    jury: ['anthropic:claude-haiku'],
    bypassBelowUsd: 0.1,
    costBudgetShare: 0.07,
    retries: 5,
    neutralProof: 'rescale',
    semanticJudge: true,
    promotionGate: 'advise',
    standard: { bypassBelowUsd: 0.1, costBudgetShare: 0.3, retries: 2, sessionIdleSeconds: 1_800 },
    models: [],
  } as const;
  expect(readJudging(draftOf(judging))).toEqual({
    defaultJudge: 'openai:gpt-4o-mini',
    jury: ['anthropic:claude-haiku'],
    bypassBelowUsd: 0.1,
    costBudgetShare: 0.07,
    retries: 5,
    neutralProof: 'rescale',
    semanticJudge: true,
    promotionGate: 'advise',
  });
});

test.each<[string, Partial<JudgingDraft>, object]>([
  ['no judge of its own', {}, { defaultJudge: null, jury: [] }],
  [
    'a jury of three',
    { defaultJudge: 'a:x', second: 'b:y', third: 'c:z' },
    { jury: ['b:y', 'c:z'] },
  ],
  [
    'a judge twice in a jury',
    { defaultJudge: 'a:x', second: 'a:x' },
    { errors: { second: 'The judges of a jury must differ.' } },
  ],
  [
    'a judge that is none',
    { defaultJudge: 'two words' },
    { errors: { defaultJudge: expect.stringContaining('provider:model') as string } },
  ],
  [
    'a floor that is no number',
    { floor: 'cheap' },
    { errors: { floor: 'Enter a number from 0 to 1,000,000.' } },
  ],
  ['an empty budget', { budget: '' }, { errors: { budget: 'Enter a number from 0 to 1,000.' } }],
  ['no budget at all', { budget: '0' }, { costBudgetShare: 0 }],
])('VS-38 VS-39 settings of judging: %s', (_, part, expected) => {
  expect(readJudging({ ...draft, ...part })).toMatchObject(expected);
});
