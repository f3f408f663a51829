import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RouteSettings } from '@/server/gateway/input';
import { blocksOf, linesOf } from './source-lines';

const read = (text: string) =>
  RouteSettings.safeParse({ integrity: { sources: { blocks: blocksOf(text) } } });
const roles = fc.constantFrom<('system' | 'user')[]>(['system', 'user'], ['user'], ['system']);
const oneLine = fc
  .string({ minLength: 1, maxLength: 40 })
  .filter((text) => !/[\r\n]/.test(text) && text.trim() !== '');
const block = fc.oneof(
  fc.record({
    by: fc.constant('tag' as const),
    tag: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_:.-]{0,20}$/),
    roles,
  }),
  fc.record({ by: fc.constant('heading' as const), heading: oneLine, roles }),
  fc.record({
    by: fc.constant('delimiters' as const),
    start: oneLine,
    end: fc.option(oneLine),
    roles,
  }),
  fc.record({
    by: fc.constant('pattern' as const),
    pattern: fc.string({ minLength: 1, maxLength: 40 }),
    roles,
  }),
);

test('stored blocks read back from their lines as the same blocks', () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 5 }), (blocks) => {
      expect(read(linesOf(blocks)).data?.integrity.sources.blocks).toEqual(blocks);
    }),
  );
});

test('spaces at the end of a heading are kept', () => {
  const blocks: Parameters<typeof linesOf>[0] = [
    { by: 'heading', heading: '! ', roles: ['system', 'user'] },
  ];
  expect(blocksOf(linesOf(blocks))).toEqual(blocks);
});

test.each([
  ['<context>', { by: 'tag', tag: 'context' }],
  ['## Sources', { by: 'heading', heading: 'Sources' }],
  ['[[ … ]]', { by: 'delimiters', start: '[[', end: ']]' }],
  ['BEGIN …', { by: 'delimiters', start: 'BEGIN', end: null }],
  ['user: /---(.*)---/', { by: 'pattern', pattern: '---(.*)---', roles: ['user'] }],
])('a line is read as written: %s', (line, expected) => {
  expect(read(line).data?.integrity.sources.blocks[0]).toEqual({
    roles: ['system', 'user'],
    ...expected,
  });
});

test.each(['context', '{"by":"tag"}', '{broken', '<1st>'])(
  'an invalid line is refused: %s',
  (line) => {
    expect(read(line).success).toBe(false);
  },
);
