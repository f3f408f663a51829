import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type ModelUsage, noTokens, groupUsage } from '../../domain';
import { modelIdentity } from './identity';
import { findListed, priceList, priceOf } from './price';
import { type ModelSettings, noModelSettings, type OwnPrice, priceUsage } from './price-usage';

const at = new Date('2025-10-01T12:00:00Z');
const used = (model: string | null, more: Partial<ModelUsage> = {}): ModelUsage => ({
  ...noTokens,
  model,
  calls: 1,
  costUsd: null,
  input: 1000,
  output: 100,
  ...more,
});
const own = (model: string, validFrom: string, more: Partial<OwnPrice> = {}): OwnPrice => ({
  model,
  validFrom,
  inputUsd: 1,
  outputUsd: 10,
  cacheReadUsd: null,
  cacheWriteUsd: null,
  reasoningUsd: null,
  ...more,
});

test('the name of the price list is that of the installed package', () => {
  const { version } = JSON.parse(
    readFileSync('node_modules/@pydantic/genai-prices/package.json', 'utf8'),
  );
  expect(priceList).toBe(`genai-prices ${version}`);
});

test.each([
  ['gpt-4o', 'openai/gpt-4o'],
  ['openai/gpt-4o-2024-08-06', 'openai/gpt-4o'],
  ['azure/gpt-4o', 'azure/gpt-4o'],
  ['claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4-5'],
  ['anthropic/claude-sonnet-4.5', 'anthropic/claude-sonnet-4-5'],
  [
    'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'aws/regional.anthropic.claude-sonnet-4-5-20250929-v1:0',
  ],
  ['mistral-large-latest', 'mistral/mistral-large'],
  ['google/gemini-2.5-pro', 'google/gemini-2.5-pro'],
  ['groq/llama-3.1-70b-versatile', 'groq/llama-3.1-70b-versatile'],
])('%s is %s of the price list', (model, label) => expect(findListed(model)?.label).toBe(label));

test.each([
  'acme-large',
  'openai/acme-large',
  'ollama/llama3',
  'ollama/gpt-4o',
  'gemini-1.5-flash-8b',
  'ft:gpt-4o-2024-08-06:acme::1',
  '',
  '__proto__',
])('"%s" has no list price, which is not a price of 0', (model) => {
  expect(priceOf(model)).toBeNull();
  expect(priceUsage([used(model)], noModelSettings, at)).toEqual({
    costUsd: null,
    basis: [`none ${modelIdentity(model)}`],
  });
});

test.each<[string, ModelUsage, number]>([
  // OpenAI, October 2025: 2.5, cached 1.25, output 10.
  ['input and output', used('gpt-4o'), (1000 * 2.5 + 100 * 10) / 1e6],
  [
    'a cache read is a cheaper part of the input',
    used('gpt-4o', { cacheRead: 400 }),
    (600 * 2.5 + 400 * 1.25 + 100 * 10) / 1e6,
  ],
  [
    'reasoning is a part of the output',
    used('gpt-4o', { reasoning: 60 }),
    (1000 * 2.5 + 100 * 10) / 1e6,
  ],
  // Anthropic: 3, read 0.3, write 3.75, output 15.
  [
    'reads and writes of a cache',
    used('claude-sonnet-4-5', { cacheRead: 500, cacheWrite: 200 }),
    (300 * 3 + 500 * 0.3 + 200 * 3.75 + 100 * 15) / 1e6,
  ],
  [
    'an input without its cached part is completed',
    used('claude-sonnet-4-5', { input: 10, cacheRead: 500 }),
    (10 * 3 + 500 * 0.3 + 100 * 15) / 1e6,
  ],
  ['only input', used('gpt-4o', { output: null }), (1000 * 2.5) / 1e6],
])('list price: %s', (_, usage, usd) => {
  const cost = priceUsage([usage], noModelSettings, at);
  expect(cost.costUsd).toBeCloseTo(usd, 9);
  expect(cost.basis[0]).toMatch(/^list /);
});

test('a price applies from its date: o3 became cheaper in June 2025', () => {
  const usd = (day: string) =>
    priceUsage([used('o3')], noModelSettings, new Date(`${day}T00:00:00Z`)).costUsd;
  expect(usd('2025-05-01')).toBeCloseTo((1000 * 10 + 100 * 40) / 1e6, 9);
  expect(usd('2025-09-01')).toBeCloseTo((1000 * 2 + 100 * 8) / 1e6, 9);
});

test('sums of small calls keep their base price, and a large call its tier', () => {
  const small = Array.from({ length: 10 }, () => used('claude-sonnet-4-5', { input: 50_000 }));
  const large = used('claude-sonnet-4-5', { input: 300_000 });
  const sum = groupUsage([...small, large]);
  expect(sum.map(({ calls, input }) => [calls, input])).toEqual([
    [10, 500_000],
    [1, 300_000],
  ]);
  const one = (each: ModelUsage) => priceUsage([each], noModelSettings, at).costUsd ?? Number.NaN;
  const all = [...small, large].reduce((total, each) => total + one(each), 0);
  expect(priceUsage(sum, noModelSettings, at).costUsd).toBeCloseTo(all, 9);
  expect(one(large)).toBeGreaterThan((300_000 * 3) / 1e6);
});

test('calls beyond the entries of a sum keep their model and price', () => {
  const large = Array.from({ length: 260 }, () => used('gpt-4o', { input: 100_000 }));
  const sum = groupUsage([...large, used('other')]);
  expect(sum.reduce((calls, each) => calls + each.calls, 0)).toBe(261);
  const { basis } = priceUsage(sum, noModelSettings, at);
  expect(basis).toEqual(['list openai/gpt-4o', 'none']);
  expect(sum.filter(({ model }) => model === 'gpt-4o')).toHaveLength(200);
});

test('the price of an aliased name precedes that of its model', () => {
  const settings: ModelSettings = {
    aliases: new Map([['our-deployment', 'gpt-4o']]),
    prices: [own('our-deployment', '2020-01-01'), own('gpt-4o', '2020-01-01', { inputUsd: 5 })],
  };
  expect(priceUsage([used('our-deployment')], settings, at).basis).toEqual(['own our-deployment']);
  expect(priceUsage([used('azure/our-deployment')], settings, at).basis).toEqual([
    'own our-deployment',
  ]);
  expect(priceUsage([used('openai/gpt-4o')], settings, at).basis).toEqual(['own gpt-4o']);
});

test('a sent cost wins over every price, and the rest is priced', () => {
  const settings: ModelSettings = {
    aliases: new Map(),
    prices: [own('gpt-4o', '2020-01-01'), own('acme-large', '2020-01-01')],
  };
  const usage = groupUsage([
    used('gpt-4o', { costUsd: 0.5 }),
    used('gpt-4o', { costUsd: 0 }),
    used('acme-large'),
    used('other'),
    used(null),
  ]);
  expect(priceUsage(usage, settings, at)).toEqual({
    costUsd: 0.502,
    basis: ['none', 'none other', 'own acme-large', 'sent'],
  });
});

test.each<[string, string, readonly OwnPrice[], number | null]>([
  ['before its first day', '2025-09-30', [own('gpt-4o', '2025-10-01')], null],
  ['on its first day', '2025-10-01', [own('gpt-4o', '2025-10-01')], 0.002],
  [
    'the latest one that began',
    '2025-10-02',
    [
      own('gpt-4o', '2025-10-03', { inputUsd: 100 }),
      own('gpt-4o', '2025-10-02', { inputUsd: 2 }),
      own('gpt-4o', '2025-10-01'),
    ],
    0.003,
  ],
  [
    'the name as sent before the identity',
    '2025-10-02',
    [own('gpt-4o', '2025-10-01'), own('gpt-4o-2024-08-06', '2025-01-01', { inputUsd: 5 })],
    0.006,
  ],
])('own price: %s', (_, day, prices, usd) => {
  const cost = priceUsage(
    [used('openai/gpt-4o-2024-08-06')],
    { aliases: new Map(), prices },
    new Date(`${day}T23:59:59Z`),
  );
  // Without a price of this day the list price applies.
  expect(cost.costUsd).toBeCloseTo(usd ?? 0.0035, 9);
  expect(cost.basis[0]).toMatch(usd === null ? /^list openai\/gpt-4o$/ : /^own gpt-4o/);
});

test('own prices of cached and reasoning tokens, which otherwise cost as the others', () => {
  const usage = used('x', { cacheRead: 500, cacheWrite: 100, reasoning: 50 });
  const cost = (more: Partial<OwnPrice>) =>
    priceUsage([usage], { aliases: new Map(), prices: [own('x', '2020-01-01', more)] }, at).costUsd;
  expect(cost({})).toBeCloseTo((1000 + 100 * 10) / 1e6, 9);
  expect(cost({ cacheReadUsd: 0, cacheWriteUsd: 2, reasoningUsd: 20 })).toBeCloseTo(
    (400 + 100 * 2 + 50 * 10 + 50 * 20) / 1e6,
    9,
  );
});

test('a model without a price gets that of the model that it is an alias of', () => {
  const aliases = new Map([['our-deployment', 'gpt-4o']]);
  expect(priceUsage([used('azure/our-deployment')], { aliases, prices: [] }, at)).toMatchObject({
    basis: ['list openai/gpt-4o'],
  });
  const prices = [own('gpt-4o', '2020-01-01')];
  expect(priceUsage([used('azure/our-deployment')], { aliases, prices }, at)).toMatchObject({
    basis: ['own gpt-4o'],
  });
});
