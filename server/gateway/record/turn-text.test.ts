import { expect, test } from 'vitest';
import { prepareTurn, readTurn } from '../../traces';
import { type TurnFacts, turnText } from './turn-text';

const facts: TurnFacts = {
  id: 'call_1',
  sessionId: 's',
  traceId: null,
  model: 'gpt-4o',
  startedAt: new Date(0),
  endedAt: new Date(5),
  request: null,
  output: 'Fine.',
  envelope: null,
  repromptUsed: false,
  inputTokens: null,
  outputTokens: null,
  costUsd: null,
  metadata: {},
  record: null,
};
const withTool = (sent: { readonly arguments?: string | null; readonly result: string | null }): TurnFacts => ({
  ...facts,
  request: {
    model: null,
    stream: false,
    messages: [],
    tools: [{ id: 'tc1', name: 'disk', arguments: null, ...sent }],
    offersTools: false,
    asksShape: false,
    choices: 1,
  },
});
const stored = (given: TurnFacts) => {
  const turn = prepareTurn(Buffer.from(turnText(given)), true, { now: new Date(), idSeed: null });
  return readTurn(turn.payload);
};

test.each([
  ['JSON, digit by digit', '{"a":9007199254740993,"b":1e400,"c":1.50}', '{"a":9007199254740993,"b":1e400,"c":1.50}', 'json'],
  ['plain words', 'about 5 GB', 'about 5 GB', 'text'],
  ['what begins like JSON', '{"a":1', '{"a":1', 'text'],
  ['deeper than a turn may nest', `${'['.repeat(80)}7${']'.repeat(80)}`, `${'['.repeat(80)}7${']'.repeat(80)}`, 'json'],
  ['brackets in strings', `{"a":"${'}'.repeat(90)}","b":${'['.repeat(80)}${']'.repeat(80)}}`, null, 'json'],
])('INT-2 a result of a tool stays what was sent: %s', (_name, result, read, format) => {
  expect(stored(withTool({ result })).tools).toMatchObject([{ id: 'tc1', name: 'disk', result: read ?? result, format }]);
});

test('a tool that was called and not answered has no result; names that are too long are cut, and empty ones named by place', () => {
  const turn = withTool({ arguments: '{"host":', result: null });
  const odd = {
    ...turn,
    sessionId: 's'.repeat(500),
    request: turn.request && { ...turn.request, tools: [{ id: '', name: 'n'.repeat(900), arguments: null, result: '1' }] },
  };
  expect(stored(turn).tools).toMatchObject([{ arguments: '"{\\"host\\":"', result: '' }]);
  expect(stored(odd).tools).toMatchObject([{ id: 'tools[0]', name: 'n'.repeat(500), result: '1' }]);
});
