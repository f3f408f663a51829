import { expect, test } from 'vitest';
import type { ProviderAccess } from '../../llm';
import { readEnv } from '../../platform';
import { RouteSettings } from '../input';
import { resolveRoute, upstreamUrl } from './resolve';

function provider(
  name: string,
  kind: ProviderAccess['kind'],
  baseUrl: string,
  source: ProviderAccess['source'] = 'project',
): ProviderAccess {
  const { origin } = new URL(baseUrl);
  return {
    name,
    kind,
    baseUrl,
    origin,
    models: [],
    prices: new Map(),
    source,
    openKey: () => `key of ${name}`,
  };
}

const env = (variables: Readonly<Record<string, string>> = {}) =>
  readEnv({ DATABASE_URL: 'postgres://localhost/none', ...variables });
const resolve = (
  name: string,
  settings: object | null,
  providers: readonly ProviderAccess[] = [],
  variables = {},
) =>
  resolveRoute(
    { env: env(variables), providers },
    name,
    settings === null ? null : RouteSettings.parse(settings),
  );

const local = provider('local', 'openai_compatible', 'http://127.0.0.1:11434/v1');
const claude = provider('claude', 'anthropic', 'https://api.anthropic.com/v1');
const own = provider('openai', 'openai', 'https://eu.api.openai.com/v1');
const operators = provider('openai', 'openai', 'https://api.openai.com/v1', 'environment');
const gemini = provider('google', 'google', 'https://generativelanguage.googleapis.com/v1beta');

interface Case {
  readonly what: string;
  readonly name: string;
  readonly settings: object | null;
  readonly providers?: readonly ProviderAccess[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly to: Readonly<Record<string, unknown>>;
}

const cases: readonly Case[] = [
  {
    what: 'openai without configuration',
    name: 'openai',
    settings: null,
    to: {
      source: 'environment',
      api: 'openai',
      baseUrl: 'https://api.openai.com/v1',
      provider: null,
    },
  },
  {
    what: 'anthropic without configuration',
    name: 'anthropic',
    settings: null,
    to: {
      source: 'environment',
      api: 'anthropic',
      baseUrl: 'https://api.anthropic.com/v1',
      provider: null,
    },
  },
  {
    what: 'the operator has an address and no key',
    name: 'anthropic',
    settings: null,
    variables: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' },
    to: { baseUrl: 'http://127.0.0.1:9/v1', api: 'anthropic', provider: null },
  },
  {
    what: 'the operator has a key',
    name: 'openai',
    settings: null,
    providers: [operators],
    to: { source: 'environment', baseUrl: 'https://api.openai.com/v1', provider: operators },
  },
  {
    what: 'the project has a provider of that name',
    name: 'openai',
    settings: null,
    providers: [own],
    to: { source: 'provider', baseUrl: 'https://eu.api.openai.com/v1', provider: own },
  },
  {
    what: 'a provider of its own name',
    name: 'local',
    settings: null,
    providers: [local],
    to: { source: 'provider', provider: local },
  },
  {
    what: 'Google, with chat completions at another path',
    name: 'google',
    settings: null,
    providers: [gemini],
    to: {
      baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
      api: 'openai',
      provider: gemini,
    },
  },
  {
    what: 'settings that name a provider',
    name: 'main',
    settings: { upstream: 'claude' },
    providers: [local, claude],
    to: {
      source: 'project',
      api: 'anthropic',
      baseUrl: 'https://api.anthropic.com/v1',
      provider: claude,
    },
  },
  {
    what: 'settings that name an address, bare',
    name: 'main',
    settings: { upstream: 'https://llm.example.org' },
    to: {
      baseUrl: 'https://llm.example.org/v1',
      origin: 'https://llm.example.org',
      api: 'openai',
      provider: null,
    },
  },
  {
    what: 'settings with no upstream',
    name: 'openai',
    settings: { fail_closed: true },
    providers: [own],
    to: { source: 'project', baseUrl: 'https://eu.api.openai.com/v1', provider: own },
  },
  {
    what: 'settings that name the API',
    name: 'main',
    settings: { upstream: 'https://llm.example.org/anthropic/v1/', api: 'anthropic' },
    to: { baseUrl: 'https://llm.example.org/anthropic/v1', api: 'anthropic' },
  },
];

test.each(cases)('where a route goes: $what', ({ name, settings, providers, variables, to }) => {
  expect(resolve(name, settings, providers, variables)).toMatchObject(to);
});

const vendorOnly = { provider: null, keyGap: { kind: 'no_provider' } };
const noGap = { keyGap: null };

test.each<Omit<Case, 'to'> & { readonly to: object }>([
  { what: 'openai without configuration', name: 'openai', settings: null, to: vendorOnly },
  {
    what: 'anthropic without configuration',
    name: 'anthropic',
    settings: null,
    to: vendorOnly,
  },
  {
    what: 'stored settings that name no address',
    name: 'openai',
    settings: { fail_closed: true },
    to: vendorOnly,
  },
  {
    what: 'a provider of another name at the vendor’s address',
    name: 'openai',
    settings: null,
    providers: [provider('judge', 'openai', 'https://api.openai.com/v1')],
    to: { provider: { name: 'judge' }, keyGap: null },
  },
  { what: 'the operator’s key', name: 'openai', settings: null, providers: [operators], to: noGap },
  { what: 'the project’s provider', name: 'openai', settings: null, providers: [own], to: noGap },
  {
    what: 'the operator’s address without a key',
    name: 'openai',
    settings: null,
    variables: { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
    to: noGap,
  },
  {
    what: 'an address of the route’s own',
    name: 'openai',
    settings: { upstream: 'http://127.0.0.1:9/v1' },
    to: noGap,
  },
])(
  'S-45 nothing is sent to the vendor’s own URL without the key of a provider there: $what',
  ({ name, settings, providers, variables, to }) => {
    expect(resolve(name, settings, providers, variables)).toMatchObject(to);
  },
);

const lite = 'http://litellm:4000/v1';
const [liteOpen, liteClaude] = [
  provider('lite-b', 'openai_compatible', lite),
  provider('lite-a', 'anthropic', lite),
];
const liteTwin = { ...provider('lite-c', 'openai', lite), openKey: liteOpen.openKey };
const sealed = {
  ...provider('lite-d', 'openai', lite),
  openKey: () => {
    throw new Error('sealed');
  },
};

test.each<
  [
    what: string,
    name: string,
    settings: object,
    providers: readonly ProviderAccess[],
    provider: string | null,
  ]
>([
  ['two dialects', 'main', {}, [liteClaude, liteOpen], null],
  ['two keys', 'main', {}, [liteOpen, provider('lite-c', 'openai', lite)], null],
  ['a key that does not open', 'main', {}, [liteOpen, sealed], null],
  ['one key under two names', 'main', {}, [liteOpen, liteTwin], 'lite-b'],
  ['settings that name the API', 'main', { api: 'anthropic' }, [liteOpen, liteClaude], 'lite-a'],
  ['settings that name the other API', 'main', { api: 'openai' }, [liteClaude, liteOpen], 'lite-b'],
  [
    'an API that two speak',
    'main',
    { api: 'openai' },
    [liteClaude, liteOpen, provider('lite-c', 'openai', lite)],
    null,
  ],
  ['the name of one', 'lite-b', {}, [liteClaude, liteOpen], 'lite-b'],
  [
    'another path of the one origin',
    'main',
    {},
    [provider('else', 'anthropic', 'http://litellm:4000/claude/v1'), liteOpen],
    'lite-b',
  ],
  [
    'the operator’s next to the project’s',
    'main',
    {},
    [{ ...liteTwin, openKey: () => 'x', source: 'environment' }, liteOpen],
    'lite-b',
  ],
  [
    'the operator’s of another dialect',
    'main',
    {},
    [{ ...liteClaude, source: 'environment' }, liteOpen],
    null,
  ],
])(
  'S-45 of several providers at one URL none is used unless it is unambiguous: %s',
  (_what, name, settings, providers, found) => {
    const resolved = resolve(name, { upstream: lite, ...settings }, providers);
    expect(resolved?.provider?.name ?? null).toBe(found);
    expect(resolved?.keyGap?.kind ?? null).toBe(found === null ? 'several_providers' : null);
  },
);

test('an unknown name, or one whose provider is gone, is no route', () => {
  expect(resolve('unknown', null, [local])).toBeNull();
  expect(resolve('main', { upstream: 'gone' }, [local])).toBeNull();
  expect(
    resolveRoute({ env: env(), providers: [] }, 'openai', { settings: 'of another release' }),
  ).toBeNull();
});

test.each([
  ['https://eu.api.openai.com:444/v1', null],
  ['http://eu.api.openai.com/v1', null],
  ['https://evil.example/v1', null],
  ['https://eu.api.openai.com/other/v1', 'openai'],
  ['https://EU.api.openai.com', 'openai'],
])(
  'S-45 a stored key goes to its own origin alone: upstream %s has the key of %s',
  (upstream, named) => {
    expect(resolve('main', { upstream }, [own, local])?.provider?.name ?? null).toBe(named);
  },
);

test('QV-39 routes without settings use the operator’s, others use only their own', () => {
  const variables = {
    QUALITY_VERIFIER_MODEL: 'p:judge',
    QUALITY_VERIFIER_FREQUENCY: '0',
    QUALITY_VERIFIER_MAX_HISTORY: '4',
  };
  expect(resolve('openai', null, [], variables)?.settings.quality_verifier).toMatchObject({
    model: 'p:judge',
    frequency: 1,
    max_history: 4,
  });
  expect(resolve('local', null, [local], variables)?.settings.quality_verifier.model).toBe(
    'p:judge',
  );
  expect(resolve('openai', {}, [], variables)?.settings.quality_verifier).toMatchObject({
    model: null,
    frequency: 10,
    max_history: null,
  });
});

test('an upstream URL is accepted as clients of that API use it', () => {
  expect(upstreamUrl('http://127.0.0.1:11434')).toBe('http://127.0.0.1:11434/v1');
  expect(upstreamUrl('http://127.0.0.1:11434//')).toBe('http://127.0.0.1:11434/v1');
  expect(upstreamUrl('https://h.example/api/v3/')).toBe('https://h.example/api/v3');
});
