import { expect, test } from 'vitest';
import { noTokens } from '../../domain';
import { prepareTurn, readTurn } from '../../ingest';
import { createMasker, type MaskRules } from '../../masking';
import type { ReadRequest } from '../dialects/dialect';
import { type TurnFacts, turnOf, turnText } from './turn-text';

const facts: TurnFacts = {
  id: 'call_1',
  sessionId: 's',
  traceId: null,
  model: 'gpt-4o',
  startedAt: new Date(0).toISOString(),
  endedAt: new Date(5).toISOString(),
  request: null,
  output: 'Fine.',
  envelope: null,
  repromptUsed: false,
  usage: [],
  metadata: {},
  record: null,
  masker: null,
};
const noRequest: ReadRequest = {
  model: null,
  stream: false,
  messages: [],
  tools: [],
  documents: [],
  offersTools: false,
  asksShape: false,
  choices: 1,
};
const withTool = (sent: {
  readonly arguments?: string | null;
  readonly result: string | null;
}): TurnFacts => ({
  ...facts,
  request: { ...noRequest, tools: [{ id: 'tc1', name: 'disk', arguments: null, ...sent }] },
});
const emails: MaskRules = { key: Buffer.alloc(32, 1), types: ['email'], regions: [], paths: [] };
const withQuestion = (masker: TurnFacts['masker']): TurnFacts => ({
  ...facts,
  masker,
  request: {
    ...noRequest,
    messages: [
      { role: 'user', content: 'One?' },
      { role: 'assistant', content: 'Two.' },
      { role: 'user', content: 'Is ann@example.com\nlate?' },
    ],
  },
});
const stored = (given: TurnFacts) => {
  const turn = prepareTurn(Buffer.from(turnText(given)), true, { now: new Date(), idSeed: null });
  return readTurn(turn.payload);
};

test.each([
  [
    'JSON, digit by digit',
    '{"a":9007199254740993,"b":1e400,"c":1.50}',
    '{"a":9007199254740993,"b":1e400,"c":1.50}',
    'json',
  ],
  ['plain words', 'about 5 GB', 'about 5 GB', 'text'],
  ['what begins like JSON', '{"a":1', '{"a":1', 'text'],
  [
    'deeper than a turn may nest',
    `${'['.repeat(80)}7${']'.repeat(80)}`,
    `${'['.repeat(80)}7${']'.repeat(80)}`,
    'json',
  ],
  [
    'brackets in strings',
    `{"a":"${'}'.repeat(90)}","b":${'['.repeat(80)}${']'.repeat(80)}}`,
    null,
    'json',
  ],
])('INT-2 a tool result stays unchanged: %s', (_name, result, read, format) => {
  expect(stored(withTool({ result })).tools).toMatchObject([
    { id: 'tc1', name: 'disk', result: read ?? result, format },
  ]);
});

test('a tool call without an answer has no result; long names are cut, and empty ones replaced by their position', () => {
  const turn = withTool({ arguments: '{"host":', result: null });
  const odd = {
    ...turn,
    sessionId: 's'.repeat(500),
    request: turn.request && {
      ...turn.request,
      tools: [{ id: '', name: 'n'.repeat(900), arguments: null, result: '1' }],
    },
  };
  expect(stored(turn).tools).toMatchObject([{ arguments: '"{\\"host\\":"', result: '' }]);
  expect(stored(odd).tools).toMatchObject([{ id: 'tools[0]', name: 'n'.repeat(500), result: '1' }]);
});

test.each<[string, TurnFacts]>([
  ['nothing but an answer', facts],
  ['tools', withTool({ arguments: '{"a":1}', result: 'about 5 GB' })],
  [
    'an envelope that is longer than the output',
    { ...facts, envelope: '{"answer":"Fine, as it was.","claims":[]}', repromptUsed: true },
  ],
  [
    'names that are cut',
    {
      ...facts,
      sessionId: 's'.repeat(500),
      model: 'm'.repeat(900),
      traceId: '0af7651916cd43dd8448eb211c80319c',
    },
  ],
  ['no session', { ...facts, sessionId: '', model: null }],
  [
    'NULs and half characters',
    { ...facts, sessionId: 'a\u0000b', model: '\ud800', output: 'x\udc00\u0000' },
  ],
  ['half characters that a tool sent as text', withTool({ result: '"\\ud800"' })],
  [
    'half a character that a tool sent',
    withTool({ arguments: '{"a":"cut \ud83d"}', result: '"\ud83d"' }),
  ],
  [
    'a name twice, the first one deep',
    withTool({ result: `{"a":${'['.repeat(80)}${']'.repeat(80)},"a":1}` }),
  ],
  ['a question', withQuestion(null)],
  ['a question with a masked address', withQuestion(createMasker(emails))],
  [
    'costs',
    {
      ...facts,
      model: 'gpt-4o',
      usage: [
        { ...noTokens, model: 'gpt-4o', calls: 1, input: 12, cacheRead: 4, costUsd: 0.000_012 },
      ],
      metadata: { gateway_route: 'main', request_id: 'r1' },
    },
  ],
])('a turn is stored like one of POST /v1/turns: %s', (_name, given) => {
  expect(turnOf(given)).toEqual(
    prepareTurn(Buffer.from(turnText(given)), true, { now: new Date(), idSeed: null }),
  );
});

test('the line by which lists show a turn is masked like the turn', () => {
  expect(turnOf(withQuestion(null)).inputExcerpt).toBe('Is ann@example.com');
  expect(turnOf(withQuestion(createMasker(emails))).inputExcerpt).toMatch(/^Is \[email/i);
});
