import { expect, test } from 'vitest';
import { fillPrompt, listPlaceholders } from '../domain';
import { rubricBody, rubricWith } from './prompt-fixture';
import { maxPromptBytes, readPrompt } from './read';

const contract = {
  output: 'rubric',
  variables: ['task', 'output'],
  optional: ['context'],
} as const;
const mutable = {
  ...contract,
  variables: [...contract.variables],
  optional: [...contract.optional],
};
const issuesOf = (body: string) => {
  const read = readPrompt(body, mutable);
  return read.state === 'valid'
    ? []
    : read.issues.map(({ line, message }) => `${line ?? '-'} ${message}`);
};
const change = (from: string, to: string) => rubricBody.replace(from, () => to);

test('X-8 a valid prompt is its front matter and its text', () => {
  expect(readPrompt(rubricBody, mutable)).toEqual({
    state: 'valid',
    front: {
      title: 'Rubric',
      description: 'Scores each criterion from 0 to 1.',
      variables: ['task', 'output'],
      optional: ['context'],
      output: 'rubric',
      examples: [],
    },
    warnings: [],
    text: '# How to judge\n\nThe task was {{task}}.\nIt gave {{output}}.',
  });
  expect(readPrompt(`\uFEFF${rubricBody.replaceAll('\n', '\r\n')}`, mutable)).toEqual(
    readPrompt(rubricBody, mutable),
  );
});

test.each([
  ['nothing', '', '- the prompt is empty'],
  ['blanks', ' \n\t\n', '- the prompt is empty'],
  ['no front matter', 'Judge {{task}} by {{output}}.', '1 the first line must be ---'],
  ['an open front matter', '---\ntitle: x\n', '1 the front matter has no closing line'],
  [
    'no text',
    rubricBody.slice(0, rubricBody.indexOf('# How')),
    '7 the prompt has no text below its front matter',
  ],
  ['a missing variable', change('{{task}}', 'the task'), '- the text lacks {{task}}'],
  [
    'an unknown placeholder',
    rubricWith('And {{answer}}.'),
    '12 {{answer}} is not a placeholder of this prompt',
  ],
  [
    'a placeholder with blanks',
    rubricWith('And {{ task }}.'),
    '12 {{ task }} is not a placeholder',
  ],
  [
    'an include',
    rubricWith('{{> ../../etc/passwd}}'),
    '12 {{> ../../etc/passwd}} is not a placeholder',
  ],
  ['a helper', rubricWith('{{#each items}}'), '12 {{#each items}} is not a placeholder'],
  ['a prototype key', rubricWith('{{constructor}}'), '12 {{constructor}} is not a placeholder'],
  ['a NUL', rubricWith('a\u0000b'), '12 the line has a NUL'],
  [
    'half a surrogate pair',
    rubricWith('a\ud800b'),
    '12 the line has a NUL character or half a surrogate pair',
  ],
  ['another output', change('output: rubric', 'output: binary'), '1 output: must stay rubric'],
  ['an unknown output', change('output: rubric', 'output: poem'), '6 output: '],
  [
    'one variable fewer',
    change('[task, output]', '[task]').replace('{{output}}', ''),
    '1 variables: must stay [task, output]',
  ],
  [
    'one variable more',
    change('[task, output]', '[task, output, extra]'),
    '1 variables: must stay [task, output]',
  ],
  ['a variable twice', change('[context]', '[context, task]'), '1 "task" is named twice'],
  [
    'a key of its own',
    change('output: rubric', 'output: rubric\nmodel: gpt'),
    '7 the front matter has no key "model"',
  ],
  [
    '__proto__',
    change('output: rubric', 'output: rubric\n__proto__: {isPublic: true}'),
    '7 the front matter has no key "__proto__"',
  ],
  [
    'a key twice',
    change('output: rubric', 'output: rubric\noutput: rubric'),
    '7 the front matter is not YAML',
  ],
  [
    'an alias',
    change('title: Rubric', 'title: &a Rubric').replace('description: Scores', 'description: *a #'),
    '1 the front matter uses YAML that is not supported',
  ],
  ['a list', change('title: Rubric', '- title'), '3 the front matter is not YAML'],
  ['a number as title', change('title: Rubric', 'title: 12'), '2 title: '],
  ['a long title', change('title: Rubric', `title: ${'x'.repeat(101)}`), '2 title: '],
  [
    'a large front matter',
    change('title: Rubric', `title: ${'x'.repeat(33_000)}`),
    '1 the front matter has 33',
  ],
  [
    'deep nesting',
    change('title: Rubric', `title: ${'['.repeat(3000)}`),
    ' the front matter is not YAML',
  ],
])('X-8, S-34 a prompt with %s is refused with its line', (_name, body, wanted) => {
  const issues = issuesOf(body);
  expect(issues.join('\n')).toContain(wanted);
});

test('X-8 a prompt of 64 KiB is accepted, one byte more is not', () => {
  const room = maxPromptBytes - Buffer.byteLength(rubricBody);
  expect(issuesOf(rubricBody + 'x'.repeat(room))).toEqual([]);
  expect(issuesOf(rubricBody + 'x'.repeat(room + 1))).toEqual([
    '- the prompt has 65537 bytes; at most 65536 are allowed',
  ]);
});

test('R-94 keys of a front matter reach no prototype', () => {
  issuesOf(
    change(
      'output: rubric',
      'output: rubric\n__proto__:\n  isPublic: true\nconstructor: {prototype: {isPublic: true}}',
    ),
  );
  expect(({} as Record<string, unknown>).isPublic).toBeUndefined();
});

test('X-8 at most 20 wrong placeholders are reported, and a text of only braces is read in linear time', () => {
  expect(issuesOf(rubricWith('{{x}}\n'.repeat(500)))).toHaveLength(20);
  expect(issuesOf(rubricWith('{'.repeat(60_000)))).toEqual([]);
});

test.each([
  ['a placeholder', '{{output}}'],
  ['a template of JavaScript', '${process.env.SECRET}'],
  ['a prototype key', '{{constructor}} {{__proto__}}'],
  ['patterns of replacing', "$& $1 $$ $` $'"],
  ['an include', '{{> /etc/passwd}}'],
])('S-34 a value that contains %s is inserted literally', (_name, hostile) => {
  const values = new Map([
    ['task', hostile],
    ['output', 'OUT'],
  ]);
  expect(fillPrompt('{{task}} and {{output}}', values)).toBe(`${hostile} and OUT`);
});

test('S-34 a name that a Map inherits has no value', () => {
  expect(fillPrompt('{{constructor}} {{get}} {{size}}', new Map())).toBe(
    '{{constructor}} {{get}} {{size}}',
  );
  expect(listPlaceholders('{{b}} {{a}} {{b}} {{ c }} {{D}}')).toEqual(['b', 'a']);
});

const planBody = (examples: string) => `---
title: Plans
description: Scores a plan.
variables: [query, examples]
output: decomposition
examples:
${examples}---
About {{query}}, as in {{examples}}.
`;
const planContract = {
  output: 'decomposition' as const,
  variables: ['query', 'examples'],
  optional: [],
};
const item = (band: string, score: number, complexity: string, more = '') =>
  `  - band: ${band}\n    complexity: ${complexity}\n    query: q\n    decomposition: |-\n      goal\n      a [coder] Do a.\n    score: ${score}\n    reasoning: r\n${more}`;
const three =
  item('good', 0.94, 'SIMPLE') + item('mediocre', 0.66, 'MEDIUM') + item('bad', 0.3, 'COMPLEX');

test('SOAR-35 examples are data of the prompt, one of each band and of several complexities', () => {
  const read = readPrompt(planBody(three), planContract);
  expect(read).toMatchObject({ state: 'valid', warnings: [] });
  expect(
    read.state === 'valid' && read.front.examples.map(({ band, score }) => [band, score]),
  ).toEqual([
    ['good', 0.94],
    ['mediocre', 0.66],
    ['bad', 0.3],
  ]);
});

test.each([
  [
    'a missing band',
    item('good', 0.94, 'SIMPLE') + item('bad', 0.3, 'COMPLEX'),
    ['6 No example is mediocre (0.6 to 0.7)'],
  ],
  ['one complexity', three.replaceAll(/SIMPLE|COMPLEX/g, 'MEDIUM'), ['6 All examples are MEDIUM']],
])('SOAR-35 %s is a warning at its line, and not an error', (_what, examples, wanted) => {
  const read = readPrompt(planBody(examples), planContract);
  expect(read.state).toBe('valid');
  const warnings =
    read.state === 'valid' ? read.warnings.map(({ line, message }) => `${line} ${message}`) : [];
  expect(warnings.map((each, i) => each.slice(0, wanted[i]?.length))).toEqual(wanted);
});

test.each([
  [
    'a score outside its band',
    item('good', 0.94, 'SIMPLE') + item('mediocre', 0.8, 'MEDIUM'),
    '21 examples.1.score: must be 0.6 to 0.7 in the band',
  ],
  ['an unknown band', item('best', 1, 'SIMPLE'), '7 examples.0.band: '],
  ['an unknown complexity', item('good', 1, 'HUGE'), '8 examples.0.complexity: '],
  ['a member of its own', item('good', 1, 'SIMPLE', '    model: x\n'), '7 examples.0: '],
  ['no query', item('good', 1, 'SIMPLE').replace('    query: q\n', ''), '7 examples.0.query: '],
  ['thirteen of them', item('good', 1, 'SIMPLE').repeat(13), 'examples: '],
])('SOAR-35 examples with %s are refused at their line', (_what, examples, wanted) => {
  const read = readPrompt(planBody(examples), planContract);
  expect(
    read.state === 'valid'
      ? []
      : read.issues.map(({ line, message }) => `${line ?? '-'} ${message}`).join('\n'),
  ).toContain(wanted);
});

test('SOAR-35 only prompts about decompositions take examples', () => {
  const body = rubricBody.replace(
    'output: rubric',
    () => `output: rubric\nexamples:\n${three.trimEnd()}`,
  );
  expect(issuesOf(body)).toEqual(['1 examples: a prompt whose output is rubric shows none']);
});
