import { expect, test } from 'vitest';
import { emptyDraft, errorsAt, type ExperimentDraft, readDraft } from './experiment-draft';

const filled: ExperimentDraft = {
  ...emptyDraft('refunds'),
  name: 'Short answers',
  model: 'openai:gpt-4o-mini',
  verifiers: ['integrity'],
};

test.each<[string, Partial<ExperimentDraft>, object]>([
  [
    'a prompt without a system message, over the latest version',
    {},
    {
      name: 'Short answers',
      dataset: 'refunds',
      split: null,
      repetitions: 1,
      budget_usd: null,
      target: {
        type: 'prompt',
        model: 'openai:gpt-4o-mini',
        messages: [{ role: 'user', content: '{{input}}' }],
      },
    },
  ],
  [
    'a system message, a version, a split and a budget',
    { system: 'Be brief.', version: '3', split: 'dev', budget: '2.5', repetitions: '5' },
    {
      dataset: 'refunds@3',
      split: 'dev',
      repetitions: 5,
      budget_usd: 2.5,
      target: {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: '{{input}}' },
        ],
      },
    },
  ],
  [
    'a stored prompt in production',
    { prompt: 'refund-answer', user: 'not sent' },
    { target: { type: 'prompt', model: 'openai:gpt-4o-mini', prompt: 'refund-answer' } },
  ],
  [
    'a version of a stored prompt',
    { prompt: 'refund-answer', promptVersion: ' 7 ' },
    { target: { prompt: 'refund-answer@7' } },
  ],
  [
    'an HTTP address with a JSON body',
    { target: 'http', url: 'https://host.example/answer', output: '$.answer' },
    {
      target: {
        type: 'http',
        url: 'https://host.example/answer',
        body: { question: '{{input}}' },
        output: '$.answer',
      },
    },
  ],
  [
    'outputs of the user’s program',
    { target: 'outputs', model: '' },
    { target: { type: 'outputs' } },
  ],
])('%s', (_name, part, input) => {
  expect(readDraft({ ...filled, ...part })).toMatchObject({ input });
});

test.each<[Partial<ExperimentDraft>, keyof ExperimentDraft]>([
  [{ name: ' ' }, 'name'],
  [{ dataset: '' }, 'dataset'],
  [{ version: 'x' }, 'version'],
  [{ verifiers: [] }, 'verifiers'],
  [{ model: '' }, 'model'],
  [{ target: 'http', url: 'no address' }, 'url'],
  [{ target: 'http', url: 'https://host.example', body: '{' }, 'body'],
  [{ repetitions: '0' }, 'repetitions'],
  [{ repetitions: '' }, 'repetitions'],
  [{ concurrency: '65' }, 'concurrency'],
  [{ budget: '-1' }, 'budget'],
  [{ budget: 'much' }, 'budget'],
])('%o is an error of %s alone', (part, field) => {
  const read = readDraft({ ...filled, ...part });
  expect('errors' in read && Object.keys(read.errors)).toEqual([field]);
});

test('errors of the server are shown at their fields', () => {
  expect(
    errorsAt([
      ['target.model', 'No provider.'],
      ['verifiers.0', 'It is archived.'],
      ['baseline', 'There is none.'],
    ]),
  ).toEqual({ model: 'No provider.', verifiers: 'It is archived.' });
});
