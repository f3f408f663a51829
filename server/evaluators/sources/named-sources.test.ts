import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SourceSettings, type TurnContent } from '../../domain';
import { withNamedSources } from './index';

type Named = readonly (readonly [id: string, content: string, format: 'json' | 'text'])[];

type Sent = readonly { readonly role: string; readonly content: unknown }[];

/** A turn as read from its stored text. */
const stored = (input: Sent, more: Partial<TurnContent> = {}): TurnContent => ({
  clientId: null,
  input: input.map(({ role, content }) =>
    typeof content === 'string'
      ? { role, content }
      : { role, content: JSON.stringify(content) ?? 'null', format: 'json' },
  ),
  tools: [],
  context: [],
  output: 'x',
  answer: 'x',
  envelope: null,
  relayedFrom: null,
  repromptUsed: false,
  tags: [],
  metadata: '{}',
  gateway: null,
  ...more,
});
const named = (turn: TurnContent, settings: object): Named =>
  withNamedSources(turn, SourceSettings.parse(settings)).context.map(({ id, content, format }) => [
    id,
    content,
    format,
  ]);

const tag = { blocks: [{ by: 'tag', tag: 'context' }] };
const documents = { documents: true };
const earlier = { earlier_messages: true };
const system = (content: unknown) => ({ role: 'system', content });
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const text = (said: string) => ({ type: 'text', text: said });
const document = (data: string, title?: string) => ({
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data },
  title,
});
const result = (content: unknown, id = 'tu_1') => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});

describe('INT-2 parts of a stored turn’s messages that are named as sources', () => {
  test.each<readonly [what: string, input: Sent, settings: object, expected: Named]>([
    ['nothing without a setting', [system('<context>1</context>'), user([document('2')])], {}, []],
    [
      'a block of the system',
      [system('Use <context>disk 91.4</context>'), user('?')],
      tag,
      [['system[0].context[0]', 'disk 91.4', 'text']],
    ],
    [
      'of a developer',
      [{ role: 'developer', content: '<context>1</context>' }, user('?')],
      tag,
      [['system[0].context[0]', '1', 'text']],
    ],
    [
      'a block that is JSON',
      [user('<context>{"disk_pct":91.40}</context>')],
      tag,
      [['user[0].context[0]', '{"disk_pct":91.40}', 'json']],
    ],
    [
      'text parts',
      [user([text('<context>1'), text('2</context>')])],
      tag,
      [['user[0].context[0]', '1\n2', 'text']],
    ],
    [
      'parts of the responses API',
      [user([{ type: 'input_text', text: '<context>1</context>' }])],
      tag,
      [['user[0].context[0]', '1', 'text']],
    ],
    ['no block of the assistant', [assistant('<context>1</context>'), user('?')], tag, []],
    [
      'no block of an earlier turn',
      [user('<context>1</context>'), assistant('ok'), user('?')],
      tag,
      [],
    ],
    [
      'a block of an earlier turn by setting',
      [user('<context>1</context>'), assistant('ok'), user('?')],
      { ...tag, ...earlier },
      [['user[0].context[0]', '1', 'text']],
    ],
    [
      'documents by title, else by place',
      [user([document('1', 'Disk report'), document('2'), text('?')])],
      documents,
      [
        ['Disk report', '1', 'text'],
        ['message[0].document[1]', '2', 'text'],
      ],
    ],
    [
      'a document of parts, and a search result',
      [
        user([
          { type: 'document', source: { type: 'content', content: [text('1')] } },
          { type: 'search_result', source: 'https://x', title: 'Disk', content: [text('2')] },
        ]),
      ],
      documents,
      [
        ['message[0].document[0]', '1', 'text'],
        ['Disk', '2', 'text'],
      ],
    ],
    [
      'no text of a PDF',
      [user([{ type: 'document', source: { type: 'base64', data: 'OTEuNA==' } }])],
      documents,
      [],
    ],
    [
      'no documents of an earlier turn',
      [user([document('1')]), assistant('ok'), user('?')],
      documents,
      [],
    ],
    [
      'documents of an earlier turn by setting',
      [user([document('1')]), assistant('ok'), user('?')],
      { ...documents, ...earlier },
      [['message[0].document[0]', '1', 'text']],
    ],
    [
      'no array of parts that a user wrote as text',
      [user(JSON.stringify([document('1')]))],
      documents,
      [],
    ],
    [
      'no results of tools without the setting',
      [user('?'), { role: 'tool', content: '{"a":1}' }],
      { ...tag, ...documents },
      [],
    ],
    [
      'results of tools by setting',
      [user('?'), { role: 'tool', content: '{"a":1.50}' }, assistant('1.5'), user('again')],
      earlier,
      [['message[1].result[0]', '{"a":1.50}', 'json']],
    ],
    [
      'results as the gateway stores them',
      [user('?'), { role: 'tool', content: '[tool result call_1] {"a":1}' }, user('again')],
      earlier,
      [['call_1', '{"a":1}', 'json']],
    ],
    [
      'results of tools in messages of the user, which are no new words of the user',
      [
        user([document('9')]),
        assistant('…'),
        user([result([text('1')]), result({ a: 1 }, 'tu_2'), text('<context>5</context>')]),
      ],
      { ...tag, ...documents, ...earlier },
      [
        ['message[0].document[0]', '9', 'text'],
        ['tu_1', '1', 'text'],
        ['tu_2', '{"a":1}', 'json'],
      ],
    ],
  ])('%s', (_what, input, settings, expected) => {
    expect(named(stored(input), settings).toSorted(([a], [b]) => a.localeCompare(b))).toEqual(
      expected.toSorted(([a], [b]) => a.localeCompare(b)),
    );
  });

  test('a source that the turn already has is not added again; digits and damaged characters are kept', () => {
    const own: Partial<TurnContent> = {
      context: [{ id: 'c', content: '1', format: 'text' }],
      tools: [{ id: 't', name: 'tool', arguments: '{}', result: '2', format: 'text' }],
    };
    const turn = stored(
      [user('<context>1</context><context>2</context><context>3</context>')],
      own,
    );
    expect(named(turn, tag)).toEqual([
      ['c', '1', 'text'],
      ['user[0].context[2]', '3', 'text'],
    ]);
    expect(withNamedSources(turn, SourceSettings.parse({}))).toBe(turn);
    const content = '[{"type":"tool_result","content":{"a":1.50,"b":12345678901234567890}}]';
    expect(
      named({ ...stored([]), input: [{ role: 'user', content, format: 'json' }] }, earlier),
    ).toEqual([['message[0].result[0]', '{"a":1.50,"b":12345678901234567890}', 'json']]);
    expect(named(stored([user([document('a\u0000\ud800', 't\u0000')])]), documents)).toEqual([
      ['t␀', 'a␀�', 'text'],
    ]);
  });

  test('any input is readable', () => {
    const part = fc.oneof(
      fc.json().map((json) => JSON.parse(json) as unknown),
      fc.record({
        type: fc.constantFrom('document', 'search_result', 'tool_result', 'text', 7),
        source: fc.jsonValue(),
        content: fc.jsonValue(),
        title: fc.jsonValue(),
        text: fc.jsonValue(),
      }),
    );
    const message = fc.record({
      role: fc.constantFrom('user', 'system', 'tool', 'assistant', ''),
      content: fc.oneof(fc.string(), fc.array(part), fc.jsonValue()),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), (input) => {
        const turn = stored(input);
        const found = withNamedSources(
          turn,
          SourceSettings.parse({ ...tag, ...documents, ...earlier }),
        );
        expect(found.context.every(({ content }) => content.trim() !== '')).toBe(true);
      }),
    );
  });
});
