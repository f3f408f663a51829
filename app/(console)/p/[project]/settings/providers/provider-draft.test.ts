import { expect, test } from 'vitest';
import type { Provider } from '@/app/_trpc/outputs';
import { draftOf, newDraft, readDraft, withKind } from './provider-draft';

const stored: Provider = {
  name: 'openai',
  kind: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  models: ['gpt-4o-mini', 'gpt-4o'],
  enabled: true,
  prices: [{ model: 'gpt-4o', usd_per_million: { input: 2, output: 8.5 } }],
  key: 'sk-…wxyz',
  source: 'project',
  updatedAt: null,
};

test('S-45 S-100 a key that is not entered is not sent, so that the stored one stays', () => {
  expect(readDraft(draftOf(stored), stored)).toEqual({
    ok: true,
    name: 'openai',
    input: {
      kind: 'openai',
      models: ['gpt-4o-mini', 'gpt-4o'],
      prices: stored.prices,
      enabled: true,
    },
  });
  expect(readDraft({ ...draftOf(stored), apiKey: 'sk-new' }, stored)).toMatchObject({
    input: { api_key: 'sk-new' },
  });
});

test('a compatible server without a key has none', () => {
  const draft = {
    ...newDraft,
    name: 'ollama',
    kind: 'openai_compatible',
    baseUrl: 'http://ollama:11434/v1',
    models: 'llama3:8b',
  } as const;
  expect(readDraft(draft, null)).toMatchObject({
    input: { api_key: null, base_url: 'http://ollama:11434/v1', models: ['llama3:8b'] },
  });
});

test.each([
  ['a name with blanks', { name: 'my models' }, 'name'],
  ['no name', { name: '' }, 'name'],
  ['a model that is none', { models: 'gpt-4o, a$b' }, 'models'],
  ['a key with blanks', { apiKey: 'sk one' }, 'api_key'],
])('%s is reported at its field', (_what, change, field) => {
  expect(readDraft({ ...newDraft, ...change }, null)).toMatchObject({
    ok: false,
    errors: { [field]: expect.any(String) },
  });
});

test('another kind sets its own name, and a chosen name stays', () => {
  expect(withKind(newDraft, 'anthropic').name).toBe('anthropic');
  expect(withKind(withKind(newDraft, 'openai_compatible'), 'google').name).toBe('google');
  expect(withKind({ ...newDraft, name: 'house' }, 'google').name).toBe('house');
});

test('X-11 prices are read line by line; a price that is not a number is an error of the field', () => {
  const prices = (text: string) => readDraft({ ...draftOf(stored), prices: text }, stored);
  expect(draftOf(stored).prices).toBe('gpt-4o 2 8.5');
  expect(prices(' llama3:8b  0.2\t0.6 \n\n')).toMatchObject({
    ok: true,
    input: { prices: [{ model: 'llama3:8b', usd_per_million: { input: 0.2, output: 0.6 } }] },
  });
  expect(prices('')).toMatchObject({ ok: true, input: { prices: [] } });
  for (const wrong of [
    'llama3:8b',
    'llama3:8b 0.2',
    'llama3:8b a b',
    'llama3:8b 1 2 3',
    'm 1 2\nm 1 2',
    'm -1 2',
  ])
    expect(prices(wrong)).toMatchObject({ ok: false, errors: { prices: expect.any(String) } });
});
