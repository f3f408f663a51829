import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SourceSettings } from '../../domain';
import { checkSourcePattern, namedBlocks, turnBegin } from './index';

const settings = (blocks: readonly object[], more: object = {}) =>
  SourceSettings.parse({ blocks, ...more });
const user = (content: string) => ({ role: 'user', content });
const texts = (content: string, block: object) =>
  namedBlocks([user(content)], settings([block])).map(({ text }) => text);

describe('INT-2 parts of messages that are named as sources', () => {
  test.each([
    [
      'a tag',
      { by: 'tag', tag: 'context' },
      'a <context id="1">disk 91.4</context> b <context>\n5\n</context>',
      ['disk 91.4', '5'],
    ],
    [
      'no tag that only begins alike',
      { by: 'tag', tag: 'doc' },
      '<docs>1</docs><doc>2</doc>',
      ['2'],
    ],
    ['no tag that is never closed', { by: 'tag', tag: 'doc' }, '<doc>1', []],
    [
      'a heading',
      { by: 'heading', heading: 'Sources' },
      '# Task\nx\n## Sources\ndisk 91.4\n### Part\n5\n## Question\n7',
      ['disk 91.4\n### Part\n5'],
    ],
    [
      'a line with a colon',
      { by: 'heading', heading: 'context' },
      'Context:\ndisk 91.4\n# Question\n7',
      ['disk 91.4'],
    ],
    [
      'delimiters',
      { by: 'delimiters', start: '[[', end: ']]' },
      'a [[1]] b [[2]] c [[3',
      ['1', '2'],
    ],
    [
      'a delimiter to the end',
      { by: 'delimiters', start: 'DATA' },
      'a DATA 1 DATA 2',
      ['1 DATA 2'],
    ],
    [
      'a pattern, its group',
      { by: 'pattern', pattern: '^--- (.*?) ---$' },
      'x\n--- 1\n2 ---\ny',
      ['1\n2'],
    ],
    [
      'a pattern without a group',
      { by: 'pattern', pattern: 'disk \\d+' },
      'disk 91 and disk 92',
      ['disk 91', 'disk 92'],
    ],
  ])('%s', (_what, block, content, expected) => {
    expect(texts(content, block)).toEqual(expected);
  });

  test('of the system always, of the user in this turn, and of earlier turns by setting', () => {
    const message = (role: string, n: number) => ({ role, content: `<c>${n}</c>` });
    const talk = [
      message('system', 1),
      message('user', 2),
      message('assistant', 3),
      message('user', 4),
      message('user', 5),
      message('assistant', 6),
      message('tool', 7),
    ];
    const found = (block: object, more: object = {}) =>
      namedBlocks(talk, settings([block], more)).map(({ text }) => text);
    expect(found({ by: 'tag', tag: 'c' })).toEqual(['1', '4', '5']);
    expect(found({ by: 'tag', tag: 'c' }, { earlier_messages: true })).toEqual([
      '1',
      '2',
      '4',
      '5',
    ]);
    expect(found({ by: 'tag', tag: 'c', roles: ['user'] })).toEqual(['4', '5']);
    expect(namedBlocks(talk, settings([]))).toEqual([]);
    expect(turnBegin([])).toBe(0);
  });

  test('a found block is part of its message, for any text', () => {
    const kinds = fc.constantFrom(
      { by: 'tag', tag: 'a' },
      { by: 'heading', heading: 'a' },
      { by: 'delimiters', start: '<', end: '>' },
      { by: 'pattern', pattern: '<(.+?)>' },
    );
    const words = fc.array(
      fc.constantFrom(
        '<a>',
        '</a>',
        '<a ',
        '>',
        '#',
        '# a\n',
        '## b\n',
        'a:\n',
        'x',
        ' ',
        '\n',
        '𝒳',
      ),
      {
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(words, kinds, (parts, block) => {
        const content = parts.join('');
        for (const text of texts(content, block)) expect(content).toContain(text);
      }),
    );
  });

  test.each([
    ['a tag', { by: 'tag', tag: 'a' }, '<a>'],
    ['a tag never ended', { by: 'tag', tag: 'a' }, '<a '],
    ['delimiters', { by: 'delimiters', start: '[', end: ']' }, '['],
    ['a heading', { by: 'heading', heading: 'a' }, '# a\n'],
    ['a pattern', { by: 'pattern', pattern: '(a+)+b' }, 'a'],
  ])('hostile texts are read in linear time: %s', (_what, block, piece) => {
    expect(texts(piece.repeat(300_000), block).length).toBeLessThanOrEqual(500);
  });

  test.each([
    ['(?=a)b', 'look-around'],
    ['(a)\\1', 'RE2'],
    ['(', 'RE2'],
    ['(?:(?:a{100}){100}){100}', 'too large|RE2'],
    ['a*', 'empty'],
  ])('a pattern that cannot be used is refused with the fix: %s', (pattern, why) => {
    expect(checkSourcePattern(pattern)).toMatch(new RegExp(why));
    expect(texts('aaa', { by: 'pattern', pattern })).toEqual([]);
  });

  test('limits: 20 blocks, patterns of 300 characters, delimiters of 200', () => {
    const tag = { by: 'tag', tag: 'a' };
    const ok = (blocks: readonly object[]) => SourceSettings.safeParse({ blocks }).success;
    expect([ok(Array(20).fill(tag)), ok(Array(21).fill(tag))]).toEqual([true, false]);
    expect([
      ok([{ by: 'pattern', pattern: 'a'.repeat(300) }]),
      ok([{ by: 'pattern', pattern: 'a'.repeat(301) }]),
    ]).toEqual([true, false]);
    expect([
      ok([{ by: 'delimiters', start: 'a'.repeat(200) }]),
      ok([{ by: 'delimiters', start: 'a'.repeat(201) }]),
    ]).toEqual([true, false]);
    expect([
      ok([{ by: 'tag', tag: '1a' }]),
      ok([{ by: 'heading', heading: ' ' }]),
      ok([{ by: 'none' }]),
    ]).toEqual([false, false, false]);
  });
});
