import { beforeEach, expect } from 'vitest';
import { appOf } from '../../testing/app';
import { createTestProject } from '../../testing/database';
import { test } from '../../testing/fixture';
import { createKey, listAudit, type ProjectCtx } from '../access';
import { checkPrompt, planTrial, promotePrompt } from '../experiments';
import { AssayError } from '../platform';
import type { Runtime } from '../runtime';
import { createPrompt } from './create';
import { getPrompt, getPromptBody } from './get';
import { listPrompts } from './list';
import { moveLabel } from './move-label';
import { pinApplicationPrompt } from './pin';
import { applicationBody as body } from './prompt-fixture';
import { previewPrompt } from './preview';
import { savePrompt } from './save';
import { saveCustomPromptIn } from './save-custom';

/** Prompts of a project's applications, which no verifier uses. */

const slug = 'refund-answer';
let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
});

const save = (text = body, named = slug) =>
  savePrompt(project, runtime.prompts, { slug: named, body: text, message: 'by hand' });
const get = () => getPrompt(project, runtime.prompts, slug);
const pin = (named: string) =>
  pinApplicationPrompt(project, runtime.prompts, named, 'target.prompt');
const move = (label: string, version: number) =>
  moveLabel(project, runtime.prompts, { slug, label, version });
/** The place and the message of a refusal. */
const faultOf = async (act: Promise<unknown>): Promise<string> => {
  const error = await act.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AssayError) || error.code !== 'refused') throw new Error(String(error));
  return `${error.details[0]?.path ?? ''}: ${error.details[0]?.message ?? error.message}`;
};

test('a slug that does not exist becomes a prompt of an application, in production at once', async () => {
  expect(await save()).toEqual({ version: 1, isNew: true });
  expect(await save()).toEqual({ version: 1, isNew: false });
  const detail = await get();
  expect(detail).toMatchObject({
    kind: 'application',
    verifier: null,
    base: 1,
    title: 'Refund answers',
    output: 'message',
    optional: ['input', 'context', 'tools', 'host'],
    production: { version: 1 },
    labels: [{ label: 'production', version: 1 }],
    versions: [{ version: 1, labels: ['production'] }],
    fellBack: null,
  });
  expect(await getPromptBody(project, runtime.prompts, slug, 1)).toBe(body);
  expect((await listPrompts(project, runtime.prompts)).find((each) => each.slug === slug)).toEqual(
    expect.objectContaining({ verifier: null, kind: 'application' }),
  );
  // It changes no verdict, so it is not a promotion of a judge's prompt.
  const actions = (await listAudit(project, {})).items.map(({ action }) => action);
  expect(actions.filter((action) => action.startsWith('prompts.')).sort()).toEqual([
    'prompts.label',
    'prompts.save',
  ]);
});

test('versions may have variables of their own; labels select versions for experiments', async () => {
  await save();
  await save(body.replace('optional: [host]', 'variables: [plan]').replace('{{host}}', '{{plan}}'));
  await save(body.replace('## user\n{{input}}', '').replace('## system\n', ''));
  await move('candidate', 2);
  expect((await pin(slug)).version).toBe(`${slug}@1`);
  expect((await pin(`${slug}@candidate`)).version).toBe(`${slug}@2`);
  expect((await pin(`${slug}@3`)).text).toContain('You answer for {{host}}.');
  await promotePrompt(project, runtime.prompts, { slug, version: 3 });
  expect((await pin(slug)).version).toBe(`${slug}@3`);
  await promotePrompt(project, runtime.prompts, { slug, version: 1 });
  expect((await pin(`${slug}@production`)).version).toBe(`${slug}@1`);
});

test.for([
  ['none', 'there is no prompt "none": create it'],
  [`${slug}@9`, `"${slug}" has no version 9: its latest is 1`],
  [`${slug}@staging`, `"${slug}" has no label "staging"`],
  ['task-rubric', '"task-rubric" is a prompt of the verifier task'],
] as const)(
  'a name that selects no prompt of an application is refused: %s',
  async ([named, why]) => {
    await save();
    expect(await faultOf(pin(named))).toContain(`target.prompt: ${why}`);
  },
);

test.for([
  ['no front matter', 'Answer {{input}}.', 'line 1: the first line must be ---'],
  ['an unknown variable', body.replace('{{context}}', '{{policy}}'), 'line 10: {{policy}} is not'],
  ['its fix', body.replace('{{context}}', '{{policy}}'), 'metadata to `optional`'],
  ['the reference', body.replace('{{context}}', '{{reference}}'), 'line 10: {{reference}} is not'],
  ['another output', body.replace('output: message', 'output: rubric'), 'output: must be message'],
  ['an empty section', body.replace('{{input}}', ''), 'line 12: the section "## user" is empty'],
  ['no user', body.replace('## user', ''), 'line 7: no section has the role user'],
  [
    'an optional text',
    body.replace('output', 'may_be_empty: true\noutput'),
    'may_be_empty: a prompt',
  ],
] as const)(
  'a text with %s is refused with its line, and nothing is stored',
  async ([, text, why]) => {
    expect(await faultOf(save(text))).toMatch(/^body: /);
    expect(await faultOf(save(text))).toContain(why);
    await expect(get()).rejects.toMatchObject({ code: 'not_found' });
  },
);

test('slugs: not of a judge, not twice, of the allowed form, and not taken by a judge later', async () => {
  expect(await faultOf(save(body, 'Refund'))).toContain('slug: must have lower-case');
  expect(await faultOf(save(body, 'a--b'))).toContain('slug: must have lower-case');
  expect(await faultOf(save(body, 'task-rubric'))).toContain('output: must stay');
  const create = (named: string) =>
    createPrompt(project, runtime.prompts, { slug: named, body, message: '' });
  expect(await create(slug)).toEqual({ version: 1, isNew: true });
  expect(await faultOf(create(slug))).toContain(`slug: there is a prompt "${slug}" already`);
  expect(await faultOf(create('task-rubric'))).toContain('slug: there is a prompt');
  const judge = project.db.transaction((tx) =>
    saveCustomPromptIn(project, tx, runtime.prompts, {
      slug,
      title: 'x',
      description: '',
      variables: [],
      text: '{{output}}',
      message: '',
    }),
  );
  expect(await faultOf(judge)).toContain('slug: "refund-answer" is the slug of a prompt of an');
  await runtime.ctx.sql`
    insert into prompt_versions (project_id, slug, version, body, message, created_by)
    values (${project.projectId}, 'old-rubric', 1, 'no front matter', '', 'test')`;
  expect(await faultOf(save(body, 'old-rubric'))).toContain('slug: "old-rubric" has versions of');
});

test('no gate and no trial applies, even where the project requires trials', async () => {
  await save();
  await save(`${body}Be brief.\n`);
  await runtime.ctx.sql`
    insert into project_settings (project_id, promotion_gate) values (${project.projectId}, 'require')
    on conflict (project_id) do update set promotion_gate = 'require'`;
  expect(await faultOf(checkPrompt(project, runtime.prompts, { slug, version: 2 }))).toContain(
    'slug: no gate applies',
  );
  const forced = { slug, version: 2, force: true, reason: 'now' };
  expect(await faultOf(promotePrompt(project, runtime.prompts, forced))).toContain(
    'force: no gate',
  );
  expect(
    await promotePrompt(project, runtime.prompts, { slug, version: 2, reason: 'Shorter' }),
  ).toBe(null);
  expect((await get()).production.version).toBe(2);
  const trial = planTrial(project, runtime.subjects, {
    slug,
    version: 1,
    subjects: 10,
    order: 'newest',
    seed: 1,
    heldOut: false,
  });
  expect(await faultOf(trial)).toContain('run an experiment with it');
});

test('the check of the editor reports the same faults', async () => {
  await save();
  const check = (text: string) => previewPrompt(project, runtime.prompts, { slug, body: text });
  expect(await check(body)).toMatchObject({ issues: [], subject: null, subjects: [] });
  expect((await check(body.replace('{{host}}', '{{nobody}}'))).issues).toMatchObject([{ line: 8 }]);
});

test('S-2 it does not exist in another project, which may have its own', async () => {
  await save();
  const other = await createTestProject(runtime);
  await expect(getPrompt(other, runtime.prompts, slug)).rejects.toMatchObject({
    code: 'not_found',
  });
  const own = { slug, body: body.replace('Refund answers', 'Other'), message: '' };
  expect(await savePrompt(other, runtime.prompts, own)).toEqual({ version: 1, isNew: true });
  expect((await get()).title).toBe('Refund answers');
});

test('an application reads the version in production over HTTP', async () => {
  const { key } = await createKey(project, { name: 'k', scopes: ['read', 'write'] });
  const call = async (method: string, path: string, sent?: object) => {
    const response = await appOf(runtime).request(`/v1/prompts/${slug}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  expect((await call('POST', '/versions', { body })).status).toBe(201);
  expect((await call('POST', '/versions', { body: `${body}Now.\n` })).body.version).toBe(2);
  expect((await call('GET', '')).body).toMatchObject({
    kind: 'application',
    production_version: 1,
  });
  expect((await call('GET', '/versions/1')).body).toMatchObject({ body, labels: ['production'] });
  expect(await call('PUT', '/labels/production', { version: 2 })).toMatchObject({ status: 200 });
  expect((await call('GET', '')).body).toMatchObject({ production_version: 2 });
});
