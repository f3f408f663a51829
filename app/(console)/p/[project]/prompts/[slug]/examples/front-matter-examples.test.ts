import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PromptExample } from '@/server/domain';
import { newExample, readDraft, readExamples, withExample } from './front-matter-examples';

const release = readFileSync('prompts/decomposition/self.md', 'utf8');
const example: PromptExample = {
  band: 'bad',
  complexity: 'CRITICAL',
  query: 'Move it: "all" # of it',
  decomposition: 'Goal: it moves.\nm1 [mover] Move it.\n\n  Order: m1',
  score: 0.2,
  reasoning: '{{query}} says more\n---\nthan that.',
};
const head = '---\n# Ours\ntitle:   "Read over" # keep\nvariables: [query,   format]\n';
const tail = 'output: decomposition\n---\n\n# Text\n\n---\nexamples: none\n';

test('SOAR-35 the examples of a release are read unchanged', () => {
  const read = readExamples(release);
  expect(read?.map(({ band, complexity, score }) => [band, complexity, score])).toEqual([
    ['good', 'SIMPLE', '0.94'],
    ['mediocre', 'MEDIUM', '0.66'],
    ['bad', 'MEDIUM', '0.34'],
  ]);
  expect(read?.[0]?.decomposition).toContain('\ns2 [code-analyzer]');
  expect(read?.every((each) => 'example' in readDraft(each))).toBe(true);
});

test.each([
  ['without examples', `${head}${tail}`],
  ['with none', `${head}examples: []\n${tail}`],
  ['with the key alone', `${head}examples:\n${tail}`],
  ['with them last', `${head}output: decomposition\nexamples: []\n---\ntext\n`],
  ['with Windows line ends', `${head}${tail}`.replaceAll('\n', '\r\n')],
  ['behind a byte order mark', `\uFEFF${head}${tail}`],
])('SOAR-35 one is added to a text %s, changed and removed again', (_what, body) => {
  const added = withExample(body, 0, example);
  const rest = body.replace(/examples:(?: \[\])?\r?\n(?!.*none)/, '');
  const without = (text: string) => text.replace(/examples:\r?\n(?: .*\r?\n|\r?\n(?= ))*/, '');
  expect(without(added)).toBe(rest);
  expect(readExamples(added)?.map((each) => readDraft(each))).toEqual([{ example }]);
  const two = withExample(added, 1, { ...example, band: 'good', score: 1 });
  expect(readExamples(two)?.map(({ score }) => score)).toEqual(['0.2', '1']);
  expect(
    readExamples(withExample(two, 0, { ...example, score: 0.3 }))?.map(({ score }) => score),
  ).toEqual(['0.3', '1']);
  expect(withExample(withExample(two, 1, null), 0, null)).toBe(rest);
});

test('SOAR-35 the rest of a release is kept byte for byte', () => {
  const changed = withExample(release, 1, example);
  const cut = (text: string) => [
    text.slice(0, text.indexOf('examples:')),
    text.slice(text.indexOf('\n---\n')),
  ];
  expect(cut(changed)).toEqual(cut(release));
  expect(readExamples(changed)?.map(({ band }) => band)).toEqual(['good', 'bad', 'bad']);
});

test.each([
  ['no front matter', '# Text'],
  ['an open one', '---\ntitle: x\n'],
  ['no YAML', '---\ntitle: [\n---\ntext'],
  ['a list', '---\n- a\n---\ntext'],
])('a text with %s is not changed', (_what, body) => {
  expect([readExamples(body), withExample(body, 0, example)]).toEqual([null, body]);
});

test('an invalid example is read, with its errors by field', () => {
  const read = readExamples(`${head}examples: [{ band: best, score: high, query: 7 }, 5]\n${tail}`);
  expect(read).toEqual([{ ...newExample, score: 'high', query: '7' }, newExample]);
  expect(readDraft({ ...newExample, score: 'high' })).toMatchObject({
    errors: { query: 'must not be empty', score: 'A number from 0 to 1.' },
  });
  expect(readDraft({ ...newExample, ...example, score: '0,65' })).toMatchObject({
    errors: { score: 'must be below 0.5 in the band "bad", not 0.65' },
  });
});
