import { expect, test } from 'vitest';
import { aliasKeys, modelIdentity } from './identity';

/** The names of one model per line, its identity first. */
const names: readonly (readonly [string, readonly string[]])[] = [
  [
    'gpt-4o',
    [
      'openai/gpt-4o',
      'gpt-4o-2024-08-06',
      'openai/gpt-4o-2024-11-20',
      'azure/gpt-4o',
      'openrouter/openai/gpt-4o:extended',
      'openai:gpt-4o',
      'GPT-4o',
      'azure/gpt-4o?api-version=1',
    ],
  ],
  ['gpt-4o-mini', ['gpt-4o-mini-2024-07-18', 'openai/gpt-4o-mini']],
  ['gpt-4.1-mini', ['openai/gpt-4.1-mini-2025-04-14']],
  ['gpt-4', ['gpt-4-0613', 'openai/gpt-4-0314']],
  ['gpt-3.5-turbo', ['gpt-35-turbo', 'gpt-3.5-turbo-0125', 'azure:gpt-35-turbo']],
  ['gpt-3.5-turbo-16k', ['gpt-3.5-turbo-16k-0613']],
  ['gpt-4-turbo-preview', ['gpt-4-1106-preview', 'gpt-4-0125-preview']],
  ['o1', ['o1-2024-12-17', 'openai:o1']],
  ['o1-preview', ['o1-preview-2024-09-12']],
  ['chatgpt-4o', ['chatgpt-4o-latest']],
  [
    'claude-sonnet-4-5',
    [
      'claude-sonnet-4-5-20250929',
      'anthropic/claude-sonnet-4.5',
      'openrouter/anthropic/claude-4.5-sonnet-20250929',
      'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'vertex_ai/claude-sonnet-4-5@20250929',
      'claude-sonnet-4-5-latest',
    ],
  ],
  ['claude-sonnet-4', ['claude-4-sonnet', 'claude-sonnet-4@20250514', 'claude-sonnet-4-0']],
  [
    'claude-3-5-haiku',
    ['claude-3-5-haiku@20241022', 'anthropic/claude-3.5-haiku', 'claude-3-5-haiku-latest'],
  ],
  ['claude-3-5-sonnet', ['claude-3-5-sonnet-v2@20241022', 'claude-sonnet-3.5']],
  ['claude-3-7-sonnet-thinking', ['anthropic/claude-3.7-sonnet:thinking']],
  ['claude-2.1', ['claude-v2:1', 'anthropic.claude-v2:1', 'claude-2-1']],
  ['claude-2', ['claude-v2']],
  ['claude-instant-1.2', ['anthropic/claude-instant-1.2']],
  [
    'gemini-1.5-pro',
    [
      'models/gemini-1.5-pro',
      'google/gemini-pro-1.5',
      'gemini-1.5-pro-002',
      'gemini/gemini-1.5-pro',
    ],
  ],
  ['gemini-2.5-pro', ['publishers/google/models/gemini-2.5-pro', 'gcp:gemini-2.5-pro-latest']],
  ['gemini-2.5-pro-preview', ['gemini-2.5-pro-preview-05-06']],
  ['gemini-1.5-flash-8b', ['models/gemini-1.5-flash-8b-001']],
  [
    'llama-3.1-70b-instruct',
    [
      'accounts/fireworks/models/llama-v3p1-70b-instruct',
      'us.meta.llama3-1-70b-instruct-v1:0',
      'meta-llama/Meta-Llama-3.1-70B-Instruct',
      'meta-llama/llama-3.1-70b-instruct:free',
      'llama3.1:70b-instruct',
    ],
  ],
  ['llama-3.1-70b-instruct-q4-k-m', ['ollama:llama3.1:70b-instruct-q4_K_M']],
  ['mistral-large', ['mistral-large-latest', 'mistral.mistral-large-2402-v1:0']],
  ['mistral-7b-instruct-v0.3', ['mistralai/Mistral-7B-Instruct-v0.3']],
  ['mixtral-8x7b-instruct-v0.1', ['mistralai/Mixtral-8x7B-Instruct-v0.1']],
  ['deepseek-r1', ['deepseek-ai/DeepSeek-R1', 'deepseek.r1-v1:0', 'deepseek-r1-0528']],
  ['deepseek-v3.1', ['deepseek/deepseek-v3.1']],
  ['command-r-plus', ['cohere.command-r-plus-v1:0', 'command-r-plus-08-2024']],
  ['qwen-2.5-72b-instruct', ['Qwen/Qwen2.5-72B-Instruct', 'qwen2.5-72b-instruct']],
  ['nova-pro', ['amazon.nova-pro-v1:0', 'us.amazon.nova-pro-v1:0']],
  ['kimi-k2', ['moonshotai/kimi-k2', 'kimi-k2-0905']],
  ['ft:gpt-4o-2024-08-06:acme:judge:9xyz', ['openai/ft:gpt-4o-2024-08-06:acme:judge:9xyz']],
  ['text-embedding-3-large', ['openai/text-embedding-3-large']],
  ['acme-large', ['acme-large-20250101', 'azure/acme-large', 'openai/acme-large-2025-01-01']],
  ['Acme_Model v1.2', []],
  ['acme/Large-1', ['openrouter/acme/Large-1']],
  ['__proto__', []],
  ['constructor', []],
];

const flat = names.flatMap(([identity, more]) =>
  [identity, ...more].map((name) => [name, identity] as const),
);

test.each(flat)('the identity of %s is %s', (name, identity) =>
  expect(modelIdentity(name)).toBe(identity),
);

test('each line is another model, and an identity is its own identity', () => {
  expect(new Set(names.map(([identity]) => identity)).size).toBe(names.length);
  for (const [, identity] of flat) expect(modelIdentity(modelIdentity(identity))).toBe(identity);
});

test.each(['', ' ', '/', ':', '?', '@', '2024-01-01', '-20240101', 'a'.repeat(300)])(
  'the identity of "%s" is a text again',
  (name) => expect(modelIdentity(name)).toBe(modelIdentity(modelIdentity(name))),
);

test('an alias matches the name as sent, without its provider, and the identity', () => {
  expect(aliasKeys('openai/gpt-4o-2024-08-06')).toEqual([
    'openai/gpt-4o-2024-08-06',
    'gpt-4o-2024-08-06',
    'gpt-4o',
  ]);
  expect(aliasKeys('gpt-4o')).toEqual(['gpt-4o']);
  expect(aliasKeys('Acme_Model')).toEqual(['acme_model']);
});
