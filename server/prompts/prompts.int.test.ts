import { beforeEach, expect } from 'vitest';
import { createTestProject } from '../../testing/database';
import { test } from '../../testing/fixture';
import { listAudit, type ProjectCtx } from '../access';
import type { Runtime } from '../runtime';
import { getPrompt, getPromptBody } from './get';
import { listPrompts } from './list';
import { moveLabel } from './move-label';
import { previewPrompt } from './preview';
import { defaultsOf, rubricBody, rubricWith } from './prompt-fixture';
import { resolvePrompt } from './resolve';
import { savePrompt } from './save';

const defaults = defaultsOf({
  'task/rubric.md': rubricBody,
  'consistency/pair.md': rubricBody.replace('rubric', 'pair'),
});
const slug = 'task-rubric';
let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
});

const save = (words: string, message = '') =>
  savePrompt(project, defaults, { slug, body: rubricWith(words), message });
const promote = (version: number, label = 'production') =>
  moveLabel(project, defaults, { slug, label, version });
const running = () => resolvePrompt(runtime.ctx, defaults, project.projectId, slug);

test('X-8 the release is version 0; a saved version is used once it is promoted, a run in progress keeps its own', async () => {
  const began = await running();
  expect(began).toMatchObject({ prompt: { version: `${slug}@0` }, fellBack: null });
  expect(await save('First.', 'Shorter')).toEqual({ version: 1, isNew: true });
  expect((await running()).prompt.version).toBe(`${slug}@0`);
  await promote(1);
  const next = await running();
  expect(next.prompt).toMatchObject({
    version: `${slug}@1`,
    text: expect.stringContaining('First.'),
  });
  expect(began.prompt.text).not.toContain('First.');
  await promote(0);
  expect((await running()).prompt.version).toBe(`${slug}@0`);
  expect(await getPromptBody(project, defaults, slug, 1)).toBe(rubricWith('First.'));
});

test('X-8 the same text again is the existing version, and stores nothing', async () => {
  expect(await savePrompt(project, defaults, { slug, body: rubricBody, message: '' })).toEqual({
    version: 0,
    isNew: false,
  });
  await save('First.');
  expect(await save('First.', 'another message')).toEqual({ version: 1, isNew: false });
  await save('Second.');
  expect(await save('First.')).toEqual({ version: 3, isNew: true });
  expect((await getPrompt(project, defaults, slug)).versions.map(({ version }) => version)).toEqual(
    [3, 2, 1, 0],
  );
});

test('X-8 ten saves at once are ten versions', async () => {
  const saved = await Promise.all(Array.from({ length: 10 }, (_, n) => save(`Words ${n}.`)));
  expect(saved.map(({ version }) => version).sort((a, b) => a - b)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ]);
});

test('X-8 of two concurrent promotions one wins, both are audited, and each row names the version it replaced', async () => {
  await save('First.');
  await save('Second.');
  await Promise.all([promote(1), promote(2)]);
  const { production } = await getPrompt(project, defaults, slug);
  expect([1, 2]).toContain(production.version);
  const promoted = (await listAudit(project, {})).items.filter(
    ({ action }) => action === 'prompts.promote',
  );
  expect(promoted).toHaveLength(2);
  const [last, first] = promoted.map(
    ({ detail }) => JSON.parse(detail) as { from: number; to: number },
  );
  expect(first?.from).toBe(0);
  expect(last).toMatchObject({ from: first?.to, to: production.version });
});

test('X-8 promoting the promoted version changes nothing, and leaves no audit row', async () => {
  await save('First.');
  await promote(1);
  const before = await getPrompt(project, defaults, slug);
  await promote(1);
  expect(await getPrompt(project, defaults, slug)).toEqual(before);
  const actions = (await listAudit(project, {})).items
    .map(({ action }) => action)
    .filter((action) => action.startsWith('prompts.'));
  expect(actions.sort()).toEqual(['prompts.promote', 'prompts.save']);
});

test.each([
  ['an empty text', '', 'body: the prompt is empty'],
  ['an unknown placeholder', rubricWith('{{nobody}}'), 'line 12'],
  ['a NUL', rubricWith('a\u0000'), 'line 12'],
])('X-8 saving %s is refused and changes nothing', async (_name, body, message) => {
  await expect(savePrompt(project, defaults, { slug, body, message: '' })).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining(message),
    details: [{ path: 'body' }],
  });
  expect((await getPrompt(project, defaults, slug)).versions).toHaveLength(1);
});

test('X-8 a version that does not exist, or that this release cannot use, is not promoted', async () => {
  await expect(promote(7)).rejects.toMatchObject({
    code: 'refused',
    details: [{ path: 'version' }],
  });
  await insert(4, rubricBody.replace('{{task}}', 'it'));
  await expect(promote(4)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('the text lacks {{task}}'),
  });
  expect((await running()).prompt.version).toBe(`${slug}@0`);
});

const insert = (version: number, body: string) => runtime.ctx.sql`
  insert into prompt_versions (project_id, slug, version, body, message, created_by)
  values (${project.projectId}, ${slug}, ${version}, ${body}, '', 'test')`;

test.each([
  ['gone', null, 'missing'],
  ['empty', '  ', 'empty'],
  ['not of this release', rubricBody.replace('{{output}}', ''), 'invalid'],
])(
  'X-8, QV-41 a promoted version that is %s: the release’s text is used, and every page says so',
  async (_name, body, why) => {
    if (body !== null) await insert(1, body);
    await runtime.ctx.sql`
    insert into prompt_labels (project_id, slug, label, version, moved_by) values (${project.projectId}, ${slug}, 'production', 1, 'test')`;
    const expected = { version: 1, why };
    expect(await running()).toMatchObject({ prompt: { version: `${slug}@0` }, fellBack: expected });
    expect((await getPrompt(project, defaults, slug)).fellBack).toMatchObject(expected);
    expect(
      (await listPrompts(project, defaults)).find((prompt) => prompt.slug === slug)?.fellBack,
    ).toMatchObject(expected);
  },
);

test('X-8 labels of any name name versions; more than twenty are refused', async () => {
  await save('First.');
  await promote(1, 'candidate');
  const { versions, labels, production } = await getPrompt(project, defaults, slug);
  expect(versions.map((each) => each.labels)).toEqual([['candidate'], ['production']]);
  expect(labels).toMatchObject([{ label: 'candidate', version: 1 }]);
  expect(production.version).toBe(0);
  for (let n = 0; n < 19; n++) await promote(1, `l-${n}`);
  await expect(promote(1)).rejects.toMatchObject({ code: 'refused' });
});

test('S-2 versions and labels of one project do not exist in another', async () => {
  await save('First.');
  await promote(1);
  const other = await createTestProject(runtime);
  expect((await getPrompt(other, defaults, slug)).versions).toHaveLength(1);
  await expect(getPromptBody(other, defaults, slug, 1)).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(
    moveLabel(other, defaults, { slug, label: 'production', version: 1 }),
  ).rejects.toMatchObject({ code: 'refused' });
  expect((await resolvePrompt(runtime.ctx, defaults, other.projectId, slug)).prompt.version).toBe(
    `${slug}@0`,
  );
});

test('S-20 a slug that is a path is not a prompt', async () => {
  for (const path of [
    '../../etc/passwd',
    'task/rubric',
    '/etc/passwd',
    'task-rubric.md',
    '%2e%2e',
    'constructor',
    '__proto__',
    'a\u0000',
  ]) {
    await expect(getPrompt(project, defaults, path)).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      savePrompt(project, defaults, { slug: path, body: rubricBody, message: '' }),
    ).rejects.toMatchObject({ code: 'refused' });
  }
});

async function storeSubject(
  id: string,
  subject: object,
  at: string,
  owner = project,
): Promise<void> {
  await runtime.ctx.sql`
    insert into subjects (project_id, kind, id, content, content_hash, created_at)
    values (${owner.projectId}, 'task', ${id}, ${JSON.stringify({ subject, facts: {} })}, ${id}, ${at})`;
}

test('S-34 a preview inserts the content of a real subject literally', async () => {
  const hostile = '{{output}} ${1+1} $& {{constructor}} {{> x}}';
  await storeSubject('sub_1', { task_description: 'old', task_output: 'old' }, '2026-01-01');
  await storeSubject(
    'sub_2',
    { task_description: hostile, task_output: { rows: [1] }, shared_context: '' },
    '2026-01-02',
  );
  const latest = await previewPrompt(project, defaults, { slug, body: rubricWith('{{context}}') });
  expect(latest.subjects.map(({ id }) => id)).toEqual(['sub_2', 'sub_1']);
  expect(latest.subject?.id).toBe('sub_2');
  expect(latest.parts).toEqual([
    { name: null, text: '# How to judge\n\nThe task was ', cut: 0 },
    { name: 'task', text: hostile, cut: 0 },
    { name: null, text: '.\nIt gave ', cut: 0 },
    { name: 'output', text: '{\n  "rows": [\n    1\n  ]\n}', cut: 0 },
    { name: null, text: '.\n', cut: 0 },
    { name: 'context', text: null, cut: 0 },
  ]);
  const chosen = await previewPrompt(project, defaults, {
    slug,
    body: rubricBody,
    subject: 'sub_1',
  });
  expect(chosen.parts[1]).toEqual({ name: 'task', text: 'old', cut: 0 });
});

test('S-34 a preview of a pair shows the first two outputs', async () => {
  const body = rubricBody
    .replace('[task, output]', '[first, second]')
    .replace('{{task}}', '{{first}}')
    .replace('{{output}}', '{{second}}');
  const pairs = defaultsOf({ 'task/pair.md': body });
  await storeSubject(
    'sub_p',
    {
      outputs: [
        { task_id: 'a', output: 'A' },
        { task_id: 'b', output: 'B' },
      ],
    },
    '2026-01-01',
  );
  const { parts } = await previewPrompt(project, pairs, { slug: 'task-pair', body });
  expect(parts.filter(({ name }) => name !== null)).toMatchObject([
    { name: 'first', text: 'A' },
    { name: 'second', text: 'B' },
  ]);
});

test('X-8 a preview reports faults that prevent saving, and stores nothing', async () => {
  const wrong = await previewPrompt(project, defaults, { slug, body: rubricWith('{{nobody}}') });
  expect(wrong).toMatchObject({ parts: [], subject: null, subjects: [], issues: [{ line: 12 }] });
  expect((await getPrompt(project, defaults, slug)).versions).toHaveLength(1);
});

test('S-2 a preview reads subjects of its own project, and truncates long values', async () => {
  const other = await createTestProject(runtime);
  await storeSubject('sub_x', {}, '2026-01-01', other);
  await expect(
    previewPrompt(project, defaults, { slug, body: rubricBody, subject: 'sub_x' }),
  ).rejects.toMatchObject({ code: 'not_found' });
  await storeSubject('sub_long', { task_description: 'x'.repeat(12_500) }, '2026-01-01');
  const { parts } = await previewPrompt(project, defaults, { slug, body: rubricBody });
  expect(parts[1]).toMatchObject({ name: 'task', cut: 500 });
});
