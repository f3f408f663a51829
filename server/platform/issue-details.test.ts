import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { asSentence, errorText, fieldSentence, invalid, issueDetails, pathText } from './index';

/** Phrases of zod that no caller should read. */
const jargon =
  /expected|received|nonoptional|invalid input|invalid option|unrecognized|too (?:small|big)|discriminator|\bNaN\b|\bundefined\b|regex|invalid_/i;

const messagesOf = (schema: z.ZodType, value: unknown): string[] =>
  issueDetails(schema.safeParse(value).error?.issues ?? []).map((detail) => fieldSentence(detail));

const at = (schema: z.ZodType, value: unknown): string =>
  messagesOf(z.object({ field: schema }), value === undefined ? {} : { field: value })[0] ?? 'none';

const long = 'x'.repeat(301);
const shape = z.discriminatedUnion('type', [
  z.object({ type: z.literal('prompt'), model: z.string() }),
  z.object({ type: z.literal('http'), url: z.url() }),
]);
const names = z.enum(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l']);

describe('the message of each zod code', () => {
  test.each<[string, z.ZodType, unknown, string]>([
    ['invalid_type', z.string(), undefined, 'is required and must be a string.'],
    ['invalid_type', z.string(), 5, 'must be a string, not a number.'],
    ['invalid_type', z.string(), null, 'must be a string, not null.'],
    ['invalid_type', z.number(), 'five', 'must be a number, not a string.'],
    ['invalid_type', z.coerce.number(), 'five', 'must be a number.'],
    ['invalid_type', z.int(), 1.5, 'must be a whole number, not 1.5.'],
    ['invalid_type', z.boolean(), 'yes', 'must be true or false, not a string.'],
    ['invalid_type', z.object({}), [], 'must be an object, not an array.'],
    ['invalid_type', z.array(z.string()), {}, 'must be an array, not an object.'],
    ['invalid_type', z.record(z.string(), z.string()), 'x', 'must be an object, not a string.'],
    ['invalid_type', z.tuple([z.string()]), true, 'must be an array, not true.'],
    ['invalid_type', z.coerce.date(), 'never', 'must be a time.'],
    ['invalid_type', z.null(), 1, 'must be null, not a number.'],
    ['invalid_type', z.never(), 1, 'must be left out.'],
    ['invalid_type', z.unknown().nonoptional(), undefined, 'is required.'],
    ['invalid_type', z.unknown(), undefined, 'is required.'],
    ['invalid_value', z.literal('v1'), 'v2', 'must be `v1`, not `v2`.'],
    ['invalid_value', z.literal(true), undefined, 'is required and must be true.'],
    ['invalid_value', z.enum(['a', 'b']), 'c', 'must be one of `a`, `b`, not `c`.'],
    ['invalid_value', z.enum(['a', 'b']), {}, 'must be one of `a`, `b`, not an object.'],
    ['invalid_value', z.enum(['a', 'b']), '', 'must be one of `a`, `b`, not an empty string.'],
    ['invalid_value', z.enum(['a']), 'a`\u202e', 'must be `a`, not `a\uFFFD\uFFFD`.'],
    ['invalid_value', z.enum(['a']), long, `must be \`a\`, not \`${'x'.repeat(40)}…\`.`],
    ['invalid_value', z.enum(['a']), undefined, 'is required and must be `a`.'],
    [
      'invalid_value',
      names,
      'z',
      'must be one of `a`, `b`, `c`, `d`, `e`, `f`, `g`, `h`, `i`, `j` and 2 more, not `z`.',
    ],
    ['too_small', z.string().min(1), '', 'must not be empty.'],
    ['too_small', z.string().min(3), 'ab', 'must have at least 3 characters, not 2.'],
    ['too_small', z.string().min(3).max(9), 'ab', 'must have 3 to 9 characters, not 2.'],
    ['too_small', z.string().length(4), 'ab', 'must have exactly 4 characters, not 2.'],
    ['too_small', z.array(z.number()).min(2), [1], 'must have at least 2 items, not 1.'],
    ['too_small', z.array(z.number()).min(1), [], 'must not be empty.'],
    ['too_small', z.number().min(0).max(1), -0.5, 'must be from 0 to 1, not -0.5.'],
    ['too_small', z.number().gt(0).max(1), 0, 'must be greater than 0 and at most 1, not 0.'],
    ['too_small', z.number().min(0), -1, 'must be at least 0, not -1.'],
    ['too_small', z.number().gt(0), 0, 'must be greater than 0, not 0.'],
    ['too_small', z.int().min(1).max(200), 0, 'must be a whole number from 1 to 200, not 0.'],
    ['too_small', z.set(z.string()).min(2), new Set(['a']), 'must have at least 2 items, not 1.'],
    [
      'too_small',
      z.date().min(new Date('2026-01-01T00:00:00Z')),
      new Date('2020-01-01T00:00:00Z'),
      'must be at least 2026-01-01T00:00:00.000Z.',
    ],
    ['too_big', z.string().max(300), long, 'must have at most 300 characters, not 301.'],
    ['too_big', z.array(z.number()).max(1), [1, 2], 'must have at most 1 item, not 2.'],
    ['too_big', z.number().max(1), 5, 'must be at most 1, not 5.'],
    ['too_big', z.number().lt(1), 1, 'must be less than 1, not 1.'],
    ['too_big', z.int().min(0).max(9), 10, 'must be a whole number from 0 to 9, not 10.'],
    ['too_big', z.string().length(1), 'ab', 'must have exactly 1 character, not 2.'],
    ['not_multiple_of', z.number().multipleOf(5), 7, 'must be a multiple of 5, not 7.'],
    ['invalid_format', z.email(), 'x', 'must be an e-mail address such as name@example.org.'],
    [
      'invalid_format',
      z.iso.datetime({ offset: true }),
      'today',
      'must be a time such as 2026-01-31T12:00:00Z, not `today`.',
    ],
    ['invalid_format', z.iso.date(), '1.1.', 'must be a date such as 2026-01-31, not `1.1.`.'],
    ['invalid_format', z.url(), 'x', 'must be an absolute URL such as https://example.org/path.'],
    ['invalid_format', z.url(), '', 'must not be empty.'],
    ['invalid_format', z.string().startsWith('/'), 'x', 'must begin with `/`.'],
    ['invalid_format', z.string().endsWith('.md'), 'x', 'must end with `.md`.'],
    ['invalid_format', z.string().includes('@'), 'x', 'must contain `@`.'],
    ['invalid_format', z.string().regex(/^a+$/), 'x', 'must match the pattern `/^a+$/`.'],
    ['invalid_format', z.ulid(), 'x', 'must have the format ulid.'],
    ['unrecognized_keys', z.strictObject({ weight: z.number() }), { weight: 1, wieght: 2 }, ''],
    [
      'invalid_union',
      z.union([z.string(), z.array(z.string())]),
      5,
      'must be a string or an array, not 5.',
    ],
    [
      'invalid_union',
      z.union([z.string(), z.array(z.string()), z.null()]),
      undefined,
      'is required and must be a string, an array or null.',
    ],
    [
      'invalid_union',
      z.union([z.literal('x'), z.number()]),
      'y',
      'must be `x` or a number, not `y`.',
    ],
    ['invalid_union', shape, { type: 'sql' }, ''],
    ['invalid_union', shape, {}, ''],
    ['invalid_union', shape, 'x', 'must be an object, not a string.'],
    [
      'invalid_union',
      z.union([z.strictObject({ text: z.string() }), z.strictObject({ check: z.string() })]),
      {},
      'must have `text` or `check`.',
    ],
    [
      'invalid_union',
      z.xor([z.string(), z.string().max(5)]),
      'x',
      'has more than one of the forms that are allowed here.',
    ],
    [
      'invalid_key',
      z.record(z.string().max(2), z.string()),
      { abc: 'x' },
      'has a name that must have at most 2 characters, not 3.',
    ],
    [
      'invalid_element',
      z.map(z.object({}), z.string()),
      new Map([[{}, 5]]),
      'has an item that must be a string, not a number.',
    ],
    ['custom', z.string().refine(() => false), 'x', 'is not valid.'],
    ['custom', z.string().refine(() => false, 'must rhyme'), 'x', 'must rhyme.'],
    ['custom', z.string().refine(() => false, 'send another'), 'x', 'send another.'],
  ])('%s: %#', (_code, schema, value, text) => {
    const sentence = at(schema, value);
    expect(sentence.replace(/`x`/g, '')).not.toMatch(jargon);
    expect(sentence).toMatch(/^`field/);
    expect(sentence).toMatch(/[^.][.?]$/);
    expect(sentence.replace(/^`[^`]*`:? /, '')).toContain(text);
  });

  test('a nested fault is named by its path', () => {
    const Turns = z.object({
      turns: z.array(z.object({ messages: z.array(z.object({ role: names, text: z.string() })) })),
    });
    const turns = [{ messages: [{ role: 'a', text: 'x' }, { role: 'a' }] }];
    expect(messagesOf(Turns, { turns })).toEqual([
      '`turns[0].messages[1].text` is required and must be a string.',
    ]);
    expect(at(z.strictObject({ weight: z.number() }), { weight: 1, wieght: 2 })).toBe(
      '`field.wieght` is not known; did you mean `weight`?',
    );
    expect(at(shape, { type: 'sql' })).toBe(
      '`field.type` must be one of `prompt`, `http`, not `sql`.',
    );
    expect(at(shape, {})).toBe('`field.type` is required and must be one of `prompt`, `http`.');
    expect(at(shape, { type: 'http', url: 'x' })).toMatch(/^`field\.url` must be an absolute URL/);
    expect(at(z.array(z.union([z.string(), z.object({ n: z.number() })])), ['a', { n: 'b' }])).toBe(
      '`field[1].n` must be a number, not a string.',
    );
    expect(at(z.record(z.string(), z.number()), { 'a b': 'x' })).toBe(
      '`field["a b"]` must be a number, not a string.',
    );
  });

  test('the whole body is named if there is no path', () => {
    const [issue] = issueDetails(z.object({}).safeParse([]).error?.issues ?? []);
    expect(issue === undefined ? '' : fieldSentence(issue, 'the query')).toBe(
      'The query must be an object, not an array.',
    );
  });

  test.each(['api_key', 'password', 'headers', 'authorization', 'signing_secret', 'token'])(
    'a value of %s is never repeated',
    (name) => {
      const value = 'sk-live-4711';
      for (const schema of [z.enum(['a']), z.iso.date(), z.union([z.literal('a'), z.number()])])
        expect(messagesOf(z.object({ [name]: schema }), { [name]: value }).join()).not.toContain(
          value,
        );
    },
  );
});

test('a path is written as callers write it', () => {
  expect(pathText(['turns', 3, 'messages', 0, 'role'])).toBe('turns[3].messages[0].role');
  expect(pathText(['metadata', 'a.b', 'x-y'])).toBe('metadata["a.b"].x-y');
  expect(pathText([0, 'id'])).toBe('[0].id');
  expect(pathText([])).toBe('');
});

test.each([
  ['no such verdict', 'No such verdict.'],
  ['limit: must be 1 to 5', '`limit` must be 1 to 5.'],
  ['limit: give another', '`limit`: give another.'],
  ['`limit` is not known; did you mean `lines`?', '`limit` is not known; did you mean `lines`?'],
  ['--name is needed', '--name is needed.'],
  ['a part: here', 'A part: here.'],
  ['task_output must be text', 'task_output must be text.'],
])('%s becomes the sentence %s', (text, sentence) => {
  expect(asSentence(text)).toBe(sentence);
  expect(asSentence(sentence)).toBe(sentence);
});

test('an error names its field once, however it was written', () => {
  const details = [{ path: 'limit', message: 'must be 1 to 5' }];
  const want = {
    message: '`limit` must be 1 to 5.',
    details: [{ path: 'limit', message: '`limit` must be 1 to 5.' }],
  };
  expect(errorText(invalid('must be 1 to 5', details))).toEqual(want);
  expect(errorText(invalid('limit: must be 1 to 5', details))).toEqual(want);
  expect(errorText(invalid('the limit is odd', details)).message).toBe('The limit is odd.');
});

test('no value and schema among these produces jargon', () => {
  const schemas = fc.constantFrom<z.ZodType>(
    shape,
    names,
    z.union([z.string().min(3), z.strictObject({ a: z.int().max(3) }), z.array(z.boolean())]),
    z.array(z.union([z.number(), z.object({ n: z.number().nullable() })])).max(2),
    z.record(z.string().max(3), z.union([z.string(), z.boolean()])),
  );
  fc.assert(
    fc.property(schemas, fc.jsonValue({ maxDepth: 2 }), (schema, value) => {
      const sentence = at(schema, value);
      // The caller chose these names.
      expect(sentence.replaceAll(/`[^`]*`/g, '')).not.toMatch(jargon);
      expect(sentence).toMatch(/^(?:none|`field[^]*[.?])$/);
    }),
    { numRuns: 500 },
  );
});
