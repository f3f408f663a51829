import { expect, test } from 'vitest';
import { exampleWarnings } from '../domain';
import { readPromptDefaults } from './defaults';
import { defaultsOf, rubricBody } from './prompt-fixture';
import { chooseText } from './resolve';

test('X-8 defaults are read by kind and name, in order', () => {
  const defaults = defaultsOf({
    'task/rubric.md': rubricBody,
    'consistency/pair.md': rubricBody,
    'task/.DS_Store': 'x',
  });
  expect([...defaults.keys()]).toEqual(['consistency-pair', 'task-rubric']);
  expect(defaults.get('task-rubric')).toMatchObject({
    kind: 'task',
    body: rubricBody,
    front: { title: 'Rubric' },
  });
});

test('X-8 the defaults of this release are read, and each matches its file', () => {
  const defaults = readPromptDefaults();
  for (const { slug, kind } of defaults.values()) expect(slug.startsWith(`${kind}-`)).toBe(true);
});

test('SOAR-35 the prompts about decompositions have an example of each band, of several complexities', () => {
  const about = [...readPromptDefaults().values()].filter(
    ({ front }) => front.output === 'decomposition',
  );
  expect(about.map(({ slug, front }) => [slug, exampleWarnings(front.examples)])).toEqual([
    ['decomposition-adversarial', []],
    ['decomposition-self', []],
  ]);
});

test.each([
  ['an empty one', { 'task/rubric.md': '' }, 'prompts/task/rubric.md: the prompt is empty'],
  [
    'a wrong placeholder',
    { 'task/rubric.md': `${rubricBody}{{nobody}}` },
    'prompts/task/rubric.md, line 12: {{nobody}}',
  ],
  [
    'no variables in its text',
    { 'task/a.md': rubricBody.replace('{{task}}', '') },
    'prompts/task/a.md: the text lacks {{task}}',
  ],
  [
    'another file',
    { 'task/rubric.txt': rubricBody },
    'prompts/task/rubric.txt: a prompt is <kind>/<name>.md',
  ],
  [
    'a name that is no slug',
    { 'task/Rubric 2.md': rubricBody },
    'prompts/task/Rubric 2.md: a prompt is',
  ],
  [
    'two of one slug',
    { 'a/b-c.md': rubricBody, 'a-b/c.md': rubricBody },
    'there is a prompt "a-b-c" already',
  ],
])('X-8 a release with %s does not start, and names the file', (_name, files, message) => {
  expect(() => defaultsOf(files as unknown as Record<string, string>)).toThrow(message);
});

const fallback = defaultsOf({ 'task/rubric.md': rubricBody }).get('task-rubric');
if (fallback === undefined) throw new Error('no fixture');

test.each([
  ['nothing was promoted', null, 'task-rubric@0', null],
  ['the release was promoted', { version: 0, body: null }, 'task-rubric@0', null],
  ['a version was promoted', { version: 3, body: rubricBody }, 'task-rubric@3', null],
  ['the promoted version is gone', { version: 3, body: null }, 'task-rubric@0', 'missing'],
  ['the promoted version is empty', { version: 3, body: ' \n' }, 'task-rubric@0', 'empty'],
  [
    'the promoted version has no text',
    { version: 3, body: rubricBody.slice(0, rubricBody.indexOf('# How')) },
    'task-rubric@0',
    'empty',
  ],
  [
    'the promoted version lacks what the judge fills in',
    { version: 3, body: rubricBody.replace('{{task}}', '') },
    'task-rubric@0',
    'invalid',
  ],
])('X-8, QV-41 where %s a run gets a text that works', (_name, promoted, version, why) => {
  const { prompt, fellBack } = chooseText(fallback, promoted);
  expect(prompt.version).toBe(version);
  expect(prompt.text).toContain('{{task}}');
  expect(fellBack?.why ?? null).toBe(why);
});
