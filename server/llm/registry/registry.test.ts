import { expect, test } from 'vitest';
import { familiesOf, familyOf } from './family';
import { normaliseModel } from './normalise';
import { costOf, priceOf } from './price';
import { sameFamily, sameModel } from './same-model';
import { isModelName, readModelSpec } from './spec';

/** Spellings of one model per line, the family first. */
const spellings: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'anthropic',
    'claude-3-5-sonnet',
    [
      'anthropic:claude-3-5-sonnet-20241022',
      'claude-3-5-sonnet-latest',
      'anthropic/claude-3.5-sonnet',
      'openrouter:anthropic/claude-3.5-sonnet:beta',
      'us.anthropic.claude-3-5-sonnet-20241022-v2:0',
      'bedrock/eu.anthropic.claude-3-5-sonnet-20240620-v1:0',
      'arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-3-5-sonnet-20240620-v1:0',
      'vertex_ai/claude-3-5-sonnet@20240620',
      'claude-3-5-sonnet-v2@20241022',
      'CLAUDE-3-5-SONNET?temperature=0.3',
      'claude-sonnet-3.5',
    ],
  ],
  [
    'anthropic',
    'claude-sonnet-4',
    [
      'claude-sonnet-4-20250514',
      'claude-4-sonnet',
      'anthropic/claude-sonnet-4',
      'claude-sonnet-4@20250514',
    ],
  ],
  [
    'openai',
    'gpt-4o',
    [
      'openai:gpt-4o',
      'openai/gpt-4o-2024-08-06',
      'gpt-4o-2024-11-20',
      'openrouter:openai/gpt-4o:extended',
      'gpt4o',
      'chatgpt-4o-latest',
      'azure/gpt-4o?api-version=1',
      'ft:gpt-4o-2024-08-06:acme:judge:9xyz',
    ],
  ],
  [
    'openai',
    'gpt-3.5-turbo',
    ['gpt-35-turbo', 'gpt-3.5-turbo-0125', 'gpt-3.5-turbo-16k', 'azure:gpt-35-turbo'],
  ],
  [
    'openai',
    'gpt-4-turbo',
    ['gpt-4-1106-preview', 'gpt-4-turbo-2024-04-09', 'gpt-4-0125-preview', 'gpt-4-turbo-preview'],
  ],
  ['openai', 'o1', ['openai:o1', 'o1-2024-12-17', 'openai/o1-preview', 'o1?reasoning_effort=low']],
  ['openai', 'o3-mini', ['o3-mini-high', 'openai:o3-mini-2025-01-31']],
  [
    'google',
    'gemini-1.5-pro',
    [
      'google:gemini-1.5-pro-002',
      'models/gemini-1.5-pro-latest',
      'google/gemini-pro-1.5',
      'vertex_ai/gemini-1.5-pro@001',
      'gemini-1.5-pro-exp-0801',
    ],
  ],
  [
    'google',
    'gemini-2.5-pro',
    ['gemini-2.5-pro-preview-05-06', 'gemini-2.5-pro-exp-03-25', 'google:gemini-2.5-pro'],
  ],
  ['google', 'gemma-2-9b', ['gemma2:9b', 'google/gemma-2-9b-it:free', 'gemma2:9b-instruct-q4_0']],
  [
    'meta',
    'llama-3.1-70b',
    [
      'llama3.1:70b',
      'meta-llama/Meta-Llama-3.1-70B-Instruct-Turbo',
      'meta-llama/llama-3.1-70b-instruct:free',
      'accounts/fireworks/models/llama-v3p1-70b-instruct',
      'us.meta.llama3-1-70b-instruct-v1:0',
      'ollama:llama3.1:70b-instruct-q4_K_M',
      'hf.co/bartowski/Meta-Llama-3.1-70B-Instruct-GGUF:IQ2_XXS',
      'Meta-Llama-3.1-70B-Instruct-AWQ-INT4',
      'groq:llama-3.1-70b-versatile',
    ],
  ],
  [
    'meta',
    'llama3:8b',
    ['llama3', 'llama3:latest', 'Llama-3-8B-Instruct', 'ollama/llama3:8b-instruct-fp16'],
  ],
  [
    'mistral',
    'mistral-large',
    [
      'mistral-large-latest',
      'mistral:mistral-large-2407',
      'mistral.mistral-large-2402-v1:0',
      'mistralai/mistral-large',
    ],
  ],
  [
    'mistral',
    'mixtral-8x7b',
    ['mixtral:8x7b', 'mistralai/Mixtral-8x7B-Instruct-v0.1', 'mixtral:8x7b-instruct-v0.1-q5_K_S'],
  ],
  [
    'qwen',
    'qwen2.5-72b',
    [
      'Qwen/Qwen2.5-72B-Instruct',
      'qwen2.5:72b',
      'qwen/qwen-2.5-72b-instruct:nitro',
      'Qwen2.5-72B-Instruct-GPTQ-Int8',
    ],
  ],
  ['deepseek', 'deepseek-chat', ['deepseek:deepseek-chat', 'deepseek/deepseek-chat:free']],
  [
    'deepseek',
    'deepseek-r1',
    [
      'deepseek-ai/DeepSeek-R1',
      'deepseek-r1-0528',
      'deepseek.r1-v1:0',
      'accounts/fireworks/models/deepseek-r1',
    ],
  ],
  [
    'cohere',
    'command-r-plus',
    ['cohere.command-r-plus-v1:0', 'command-r-plus-08-2024', 'cohere/command-r-plus'],
  ],
  [
    'microsoft',
    'phi-3-mini',
    ['phi3:mini', 'microsoft/Phi-3-mini-128k-instruct', 'phi-3-mini-4k-instruct'],
  ],
  ['xai', 'grok-3', ['xai:grok-3-latest', 'x-ai/grok-3-beta']],
  ['amazon', 'nova-pro', ['amazon.nova-pro-v1:0', 'us.amazon.nova-pro-v1:0', 'amazon/nova-pro']],
  ['zhipu', 'glm-4.5', ['zai-org/GLM-4.5', 'z-ai/glm-4.5:free', 'GLM-4.5-FP8']],
  [
    'moonshot',
    'kimi-k2',
    ['moonshotai/kimi-k2', 'moonshotai/Kimi-K2-Instruct', 'kimi-k2-0905-preview'],
  ],
  ['yi', 'yi-34b', ['yi:34b', '01-ai/Yi-34B-Chat', 'yi:34b-chat-q4_0']],
  ['ai21', 'jamba-1.5-large', ['ai21.jamba-1-5-large-v1:0', 'ai21/jamba-1-5-large']],
  ['ibm', 'granite-3.1-8b', ['ibm-granite/granite-3.1-8b-instruct', 'granite3.1:8b']],
];

test('VS-35 60 and more spellings of 12 and more families: all spellings on a line are one model', () => {
  const all = spellings.flatMap(([, model, more]) => [model, ...more]);
  expect(all.length).toBeGreaterThanOrEqual(60);
  expect(new Set(spellings.map(([family]) => family)).size).toBeGreaterThanOrEqual(12);
  for (const [family, model, more] of spellings) {
    for (const each of [model, ...more]) {
      expect(familyOf(each), each).toBe(family);
      expect(
        sameModel(each, model),
        `${each} = ${normaliseModel(each)}, ${model} = ${normaliseModel(model)}`,
      ).toBe(true);
      expect(sameModel(model, each)).toBe(sameModel(each, model));
    }
  }
});

test('VS-35 models on different lines are different models', () => {
  const taken = spellings.flatMap(([, model, more]) =>
    spellings
      .filter(([, other]) => other !== model)
      .flatMap(([, other, others]) =>
        [model, ...more].flatMap((a) => [other, ...others].map((b) => [a, b] as const)),
      )
      .filter(([a, b]) => sameModel(a, b)),
  );
  expect(taken).toEqual([]);
});

test.each([
  ['house:acme-large', 'acme-large'],
  ['house:acme-large-2024-08-01', 'other:acme-large'],
  ['acme-large', 'acme-large?temperature=1'],
])('VS-35 models of unknown families are compared by name: %s and %s', (a, b) => {
  expect(sameModel(a, b)).toBe(true);
  expect(sameModel(b, a)).toBe(true);
});

test.each([
  ['gpt-4o', 'gpt-4o-mini'],
  ['house:acme-large', 'acme-small'],
  ['acme:latest', 'other:latest'],
  ['claude-3-opus', 'claude-3-sonnet'],
  ['claude-sonnet-4', 'claude-sonnet-4-5'],
  ['gemini-1.5-flash', 'gemini-1.5-flash-8b'],
  ['llama3.1:8b', 'llama3.1:70b'],
  ['llama-3.1-8b', 'llama-3.2-8b'],
  ['o1', 'o1-mini'],
  ['deepseek-chat', 'deepseek-reasoner'],
  ['unknown-a', 'unknown-b'],
])('VS-35 %s and %s are two models', (a, b) => expect(sameModel(a, b)).toBe(false));

test.each([
  ['metamath-7b', null],
  ['metal-1', null],
  ['marco-o1', 'qwen'],
  ['olmo1', 'allenai'],
  ['polo1', null],
  ['turbo1', null],
  ['gpt4all-j', null],
  ['gpt-neox-20b', 'eleutherai'],
  ['gpt-j-6b', 'eleutherai'],
  ['gpt-oss-120b', 'openai'],
  ['cogito1', null],
  ['palmyra-x5', 'writer'],
  ['delphi-2', null],
  ['novate-7b', null],
  ['openai/my-own-tune', 'openai'],
  ['o1', 'openai'],
  ['o4-mini', 'openai'],
  ['', null],
  ['constructor', null],
  ['__proto__', null],
])('VS-36 the family of "%s" is %s: words are matched whole', (model, family) =>
  expect(familyOf(model)).toBe(family),
);

test('VS-36 a distillate belongs to both families; an unknown name may be related to any', () => {
  expect(familiesOf('deepseek-r1-distill-llama-70b')).toEqual(['deepseek', 'meta']);
  expect(sameFamily('deepseek-r1-distill-llama-70b', 'llama3:8b')).toBe(true);
  expect(sameFamily('gpt-4o', 'claude-3-opus')).toBe(false);
  expect(sameFamily('gpt-4o', 'acme-large')).toBeNull();
});

test.each([
  ['llama3:8b', null, 'llama3:8b'],
  ['openai:gpt-4o', 'openai', 'gpt-4o'],
  [
    'openai_compatible:meta-llama/llama-3.1-8b-instruct:free',
    'openai_compatible',
    'meta-llama/llama-3.1-8b-instruct:free',
  ],
  ['house:llama3:8b', 'house', 'llama3:8b'],
  ['other:llama3:8b', null, 'other:llama3:8b'],
  ['gpt-4o', null, 'gpt-4o'],
])('QV-37 the spec "%s" names provider %s', (text, provider, model) => {
  expect(readModelSpec(text, ['house'])).toEqual({ provider, model, parameters: new Map() });
});

test('QV-37 parameters of a spec follow "?"', () => {
  const spec = readModelSpec('anthropic:claude-3-5-haiku?temperature=0.3&__proto__=1');
  expect([...spec.parameters]).toEqual([
    ['temperature', '0.3'],
    ['__proto__', '1'],
  ]);
  expect(spec.model).toBe('claude-3-5-haiku');
});

test.each([
  '../secret',
  'a//b',
  'a\r\nhost: x',
  'a b',
  '',
  'x'.repeat(201),
  'модель',
  '?a',
  'a#b',
  '%2e%2e',
])('S-49 "%s" is not a model name', (name) => expect(isModelName(name)).toBe(false));

test.each([
  'gpt-4o',
  'llama3:8b',
  'meta-llama/llama-3.1-8b-instruct:free',
  '@cf/meta/llama-3',
  'claude-3@20240620',
  'models/gemini-1.5-pro',
])('S-49 "%s" is a model name', (name) => expect(isModelName(name)).toBe(true));

test('X-11 prices are per million tokens, and an unknown price is not zero', () => {
  expect(priceOf('openai:gpt-4o-mini-2024-07-18')).toEqual({ inputUsd: 0.15, outputUsd: 0.6 });
  expect(costOf('gpt-4o', 1_000_000, 100_000)).toBeCloseTo(3.5, 10);
  expect(costOf('us.anthropic.claude-3-5-haiku-20241022-v1:0', 1000, 1000)).toBeCloseTo(0.0048, 10);
  expect(costOf('acme-large', 1, 1)).toBeNull();
});
