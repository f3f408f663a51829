import { describe, expect, test } from 'vitest';
import { type GatewayDialect, SourceSettings } from '../../domain';
import { readWithSources } from '../dialects/named-sources';
import { dialectOf } from '../dialects/dialects';
import { readSources, scanTurn, scanSubject } from './scan-turn';

// Which parts of a request its answer is compared with, by the route's setting, in each API.

const block = 'Use this. <context>{"host":"web-1","disk_pct":91.4}</context>';
const earlier = 'Before: <context>{"host":"web-1","disk_pct":55}</context>';

const bodies: Record<Exclude<GatewayDialect, 'embeddings'>, object> = {
  chat: {
    model: 'm',
    messages: [
      { role: 'system', content: 'You help.' },
      { role: 'user', content: earlier },
      { role: 'assistant', content: 'Noted.' },
      { role: 'user', content: [{ type: 'text', text: block }] },
    ],
  },
  responses: {
    model: 'm',
    instructions: 'You help.',
    input: [
      { role: 'user', content: earlier },
      { role: 'assistant', content: 'Noted.' },
      { role: 'user', content: [{ type: 'input_text', text: block }] },
    ],
  },
  messages: {
    model: 'm',
    system: [{ type: 'text', text: 'You help.' }],
    max_tokens: 10,
    messages: [
      { role: 'user', content: earlier },
      { role: 'assistant', content: 'Noted.' },
      { role: 'user', content: [{ type: 'text', text: block }] },
    ],
  },
  gemini: {
    systemInstruction: { parts: [{ text: 'You help.' }] },
    contents: [
      { role: 'user', parts: [{ text: earlier }] },
      { role: 'model', parts: [{ text: 'Noted.' }] },
      { role: 'user', parts: [{ text: block }] },
    ],
  },
  ollama: {
    model: 'm',
    messages: [
      { role: 'system', content: 'You help.' },
      { role: 'user', content: earlier },
      { role: 'assistant', content: 'Noted.' },
      { role: 'user', content: block },
    ],
  },
};

async function unsourced(
  dialect: GatewayDialect,
  body: object,
  output: string,
  settings: object,
): Promise<number | undefined> {
  const sources = SourceSettings.parse(settings);
  const read = readSources({
    dialect,
    body: Buffer.from(JSON.stringify(body)),
    allowUserFigures: false,
    sources,
  });
  const answer = { output, envelope: null, repromptUsed: false, derivedCountsAsSourced: false };
  return (await scanTurn(scanSubject(read, false), answer, false))?.unsourced;
}

const tag = { by: 'tag', tag: 'context' };

describe.each(['chat', 'responses', 'messages', 'gemini', 'ollama'] as const)(
  'INT-2 %s',
  (dialect) => {
    const scan = (output: string, settings: object) =>
      unsourced(dialect, bodies[dialect], output, settings);

    test('a retrieved block counts only if the route declares it', async () => {
      expect(await scan('web-1 is at 91.4%.', {})).toBe(1);
      expect(await scan('web-1 is at 91.4%.', { blocks: [tag] })).toBe(0);
      expect(await scan('web-1 is at 91.4%.', { blocks: [{ ...tag, roles: ['system'] }] })).toBe(1);
      expect(await scan('web-1 is at 92%.', { blocks: [tag] })).toBe(1);
    });

    test('a block of an earlier turn counts only by setting', async () => {
      expect(await scan('web-1 is at 55%.', { blocks: [tag] })).toBe(1);
      expect(await scan('web-1 was at 55%.', { blocks: [tag], earlier_messages: true })).toBe(0);
    });
  },
);

const document = (data: string, title?: string) => ({
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data },
  title,
});
const withDocuments = (now: readonly object[], before: readonly object[] = []) => ({
  model: 'm',
  max_tokens: 10,
  messages: [
    { role: 'user', content: [...before, { type: 'text', text: 'Read.' }] },
    { role: 'assistant', content: 'Read.' },
    { role: 'user', content: [...now, { type: 'text', text: 'How full?' }] },
  ],
});

describe('INT-2 document blocks of Anthropic’s API', () => {
  test.each([
    ['text', document('disk_pct: 91.4')],
    [
      'content of parts',
      {
        type: 'document',
        source: { type: 'content', content: [{ type: 'text', text: 'disk_pct: 91.4' }] },
      },
    ],
    [
      'content of a string',
      { type: 'document', source: { type: 'content', content: 'disk_pct: 91.4' } },
    ],
    [
      'a search result',
      {
        type: 'search_result',
        source: 'https://x',
        title: 'Disk',
        content: [{ type: 'text', text: 'disk_pct: 91.4' }],
      },
    ],
  ])('%s counts by setting', async (_what, part) => {
    const body = withDocuments([part]);
    expect(await unsourced('messages', body, 'It is at 91.4%.', {})).toBe(1);
    expect(await unsourced('messages', body, 'It is at 91.4%.', { documents: true })).toBe(0);
  });

  test('those of earlier turns have their own setting; a PDF has no text', async () => {
    const body = withDocuments([], [document('disk_pct: 91.4')]);
    expect(await unsourced('messages', body, 'It is at 91.4%.', { documents: true })).toBe(1);
    expect(
      await unsourced('messages', body, 'It is at 91.4%.', {
        documents: true,
        earlier_messages: true,
      }),
    ).toBe(0);
    const pdf = withDocuments([
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'OTEuNA==' },
      },
    ]);
    expect(await unsourced('messages', pdf, 'It is at 91.4%.', { documents: true })).toBe(1);
  });

  test('each has its title as id, else its position', () => {
    const body = Buffer.from(
      JSON.stringify(withDocuments([document('1', 'Disk report'), document('2')])),
    );
    const read = readWithSources(
      dialectOf('messages'),
      body,
      SourceSettings.parse({ documents: true }),
    );
    expect(read?.context).toEqual([
      { id: 'Disk report', text: '1' },
      { id: 'message[2].document[1]', text: '2' },
    ]);
  });
});

test('INT-2 tool results of earlier turns count by setting', async () => {
  const body = {
    model: 'm',
    messages: [
      { role: 'user', content: 'How full?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 't', type: 'function', function: { name: 'disk', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 't', content: '{"disk_pct":91.4}' },
      { role: 'assistant', content: 'It is at 91.4%.' },
      { role: 'user', content: 'Say it again.' },
    ],
  };
  expect(await unsourced('chat', body, 'It is at 91.4%.', {})).toBe(1);
  expect(await unsourced('chat', body, 'It is at 91.4%.', { earlier_messages: true })).toBe(0);
});
