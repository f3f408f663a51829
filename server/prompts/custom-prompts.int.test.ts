import { beforeEach, expect } from 'vitest';
import { appOf } from '../../testing/app';
import { createTestProject } from '../../testing/database';
import { test } from '../../testing/fixture';
import { createKey, listAudit, type ProjectCtx } from '../access';
import { promotePrompt } from '../experiments';
import type { Runtime } from '../runtime';
import { getPrompt, getPromptBody } from './get';
import { listPrompts } from './list';
import { moveLabel } from './move-label';
import { pinPrompt } from './pin';
import { previewPrompt } from './preview';
import { resolvePrompt } from './resolve';
import { savePrompt } from './save';
import { type CustomPrompt, saveCustomPromptIn } from './save-custom';

/** Prompts of custom judges: any slug, and no text of the release. */

const slug = 'refund-policy';
let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
});

const define = (changes: Partial<CustomPrompt> = {}) =>
  project.db.transaction((tx) =>
    saveCustomPromptIn(project, tx, runtime.prompts, {
      slug,
      title: 'Refund policy: "strict"',
      description: '',
      variables: ['policy', 'Not_A_Placeholder'],
      text: 'Policy: {{policy}}\nAnswer: {{output}}',
      message: 'first',
      ...changes,
    }),
  );
const get = () => getPrompt(project, runtime.prompts, slug);
const running = () => resolvePrompt(runtime.ctx, runtime.prompts, project.projectId, slug);
const bodyOf = (version: number) => getPromptBody(project, runtime.prompts, slug, version);
const save = (body: string) =>
  savePrompt(project, runtime.prompts, { slug, body, message: 'by hand' });

test('the first definition is version 1 in production, and there is no version 0', async () => {
  expect(await define()).toEqual({ version: 1, isNew: true });
  expect(await running()).toMatchObject({
    prompt: { version: `${slug}@1`, text: 'Policy: {{policy}}\nAnswer: {{output}}' },
    fellBack: null,
  });
  const detail = await get();
  expect(detail).toMatchObject({
    kind: 'judge',
    verifier: slug,
    base: 1,
    title: 'Refund policy: "strict"',
    output: 'judge',
    variables: [],
    production: { version: 1 },
    labels: [{ label: 'production', version: 1 }],
  });
  expect(detail.optional).toEqual(
    expect.arrayContaining(['policy', 'input', 'output', 'steps', 'subject', 'examples', 'format']),
  );
  expect(detail.optional).not.toContain('Not_A_Placeholder');
  expect(detail.versions).toMatchObject([{ version: 1, labels: ['production'] }]);
  await expect(bodyOf(0)).rejects.toMatchObject({ code: 'not_found' });
  await expect(
    moveLabel(project, runtime.prompts, { slug, label: 'production', version: 0 }),
  ).rejects.toMatchObject({ code: 'refused', details: [{ path: 'version' }] });
});

test('it is listed among the prompts of the release, in the order of slugs', async () => {
  const before = (await listPrompts(project, runtime.prompts)).map((each) => each.slug);
  await define();
  const after = await listPrompts(project, runtime.prompts);
  expect(after.map((each) => each.slug)).toEqual([...before, slug].sort());
  expect(after.find((each) => each.slug === slug)).toMatchObject({
    kind: 'judge',
    verifier: slug,
    base: 1,
    production: { version: 1 },
    latest: { version: 1 },
  });
});

test('the same definition again stores nothing; another text is a draft until it is promoted', async () => {
  await define();
  expect(await define({ message: 'again' })).toEqual({ version: 1, isNew: false });
  expect(await define({ text: '{{policy}} {{output}}' })).toEqual({ version: 2, isNew: true });
  expect((await running()).prompt.version).toBe(`${slug}@1`);
  await moveLabel(project, runtime.prompts, { slug, label: 'production', version: 2 });
  expect((await running()).prompt.text).toBe('{{policy}} {{output}}');
  expect((await pinPrompt(project, runtime.prompts, slug, 1)).version).toBe(`${slug}@1`);
  const actions = (await listAudit(project, {})).items.map(({ action }) => action);
  expect(actions.filter((action) => action === 'prompts.promote')).toHaveLength(2);
  expect(actions.filter((action) => action === 'prompts.save')).toHaveLength(2);
});

test('an edit keeps the variables of the mapping, and its faults have their lines', async () => {
  await define();
  const body = await bodyOf(1);
  const edited = body.replace('Answer:', 'The answer:');
  expect(await save(edited)).toEqual({ version: 2, isNew: true });
  expect(await save(edited)).toEqual({ version: 2, isNew: false });
  for (const [text, message] of [
    [body.replace('{{policy}}', '{{tariff}}'), 'has a fault in line 8: {{tariff}} is not a'],
    [body.replace('- policy', '- tariff'), 'optional: must stay [policy]'],
    [body.replace('output: judge', 'output: rubric'), 'output: must stay judge'],
    [body.replace(/\{\{\w+\}\}/g, 'it'), 'shows nothing of the subject to the judge'],
  ] as const)
    await expect(save(text)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining(message),
      details: [{ path: 'body' }],
    });
  expect((await get()).versions).toHaveLength(2);
});

test('faults of a definition have the lines of its text; slugs of the release are refused', async () => {
  await expect(define({ text: 'One\nTwo {{tariff}}' })).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('judge.prompt'),
    details: [{ path: 'judge.prompt', message: expect.stringContaining('line 2') }],
  });
  await expect(define({ slug: 'task-rubric' })).rejects.toMatchObject({
    details: [{ path: 'slug' }],
  });
  await expect(get()).rejects.toMatchObject({ code: 'not_found' });
  await expect(running()).rejects.toThrow(/there is no prompt "refund-policy"/);
});

test('a version with a variable that the mapping no longer has is not promoted', async () => {
  await define();
  await define({ variables: [], text: '{{output}}' });
  await moveLabel(project, runtime.prompts, { slug, label: 'production', version: 2 });
  await expect(
    moveLabel(project, runtime.prompts, { slug, label: 'production', version: 1 }),
  ).rejects.toMatchObject({ message: expect.stringContaining('{{policy}}') });
  expect((await running()).prompt.version).toBe(`${slug}@2`);
});

test('X-8 an unusable production version falls back to version 1, and every page reports it', async () => {
  await define();
  await runtime.ctx.sql`
    insert into prompt_versions (project_id, slug, version, body, message, created_by)
    values (${project.projectId}, ${slug}, 2, 'no front matter', '', 'test')`;
  await runtime.ctx.sql`
    update prompt_labels set version = 2 where project_id = ${project.projectId} and slug = ${slug}`;
  const fellBack = { version: 2, why: 'invalid' };
  expect(await running()).toMatchObject({ prompt: { version: `${slug}@1` }, fellBack });
  expect((await get()).fellBack).toMatchObject(fellBack);
});

test('the promotion gate applies to later versions', async () => {
  await define();
  await define({ text: '{{policy}} {{output}}' });
  await runtime.ctx.sql`
    insert into project_settings (project_id, promotion_gate) values (${project.projectId}, 'require')
    on conflict (project_id) do update set promotion_gate = 'require'`;
  await expect(promotePrompt(project, runtime.prompts, { slug, version: 2 })).rejects.toMatchObject(
    { message: expect.stringContaining('against version 1') },
  );
  expect((await running()).prompt.version).toBe(`${slug}@1`);
});

test('a preview is filled by the variables and members of a subject of judges', async () => {
  await define();
  const subject = {
    subject: { target: 'turn', output: 'Within 60 days.', input: { last_user: 'x' } },
    variables: { policy: 'Within 30 days.' },
  };
  await runtime.ctx.sql`
    insert into subjects (project_id, kind, id, content, content_hash, created_at)
    values (${project.projectId}, 'judge', 'sub_1', ${JSON.stringify({ subject, facts: {} })}, 'h', now())`;
  const preview = await previewPrompt(project, runtime.prompts, { slug, body: await bodyOf(1) });
  expect(preview.issues).toEqual([]);
  expect(preview.parts.filter(({ name }) => name !== null)).toEqual([
    { name: 'policy', text: 'Within 30 days.', cut: 0 },
    { name: 'output', text: 'Within 60 days.', cut: 0 },
  ]);
});

test('S-2 it does not exist in another project', async () => {
  await define();
  const other = await createTestProject(runtime);
  await expect(getPrompt(other, runtime.prompts, slug)).rejects.toMatchObject({
    code: 'not_found',
  });
  expect((await listPrompts(other, runtime.prompts)).some((each) => each.slug === slug)).toBe(
    false,
  );
});

test('/v1/prompts/{slug} serves it like a prompt of the release', async () => {
  await define();
  const { key } = await createKey(project, { name: 'k', scopes: ['read', 'write'] });
  const call = async (method: string, path: string, body?: object) => {
    const response = await appOf(runtime).request(`/v1/prompts/${slug}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  expect(await call('GET', '')).toMatchObject({
    status: 200,
    body: { slug, kind: 'judge', output: 'judge', production_version: 1, latest_version: 1 },
  });
  const text = String((await call('GET', '/versions/1')).body.body);
  const saved = await call('POST', '/versions', { body: `${text}\nBe strict.\n` });
  expect(saved).toMatchObject({ status: 201, body: { version: 2 } });
  expect(await call('PUT', '/labels/candidate', { version: 2 })).toMatchObject({ status: 200 });
  expect(await call('PUT', '/labels/production', { version: 2 })).toMatchObject({ status: 200 });
  expect((await running()).prompt.text).toContain('Be strict.');
  expect((await call('GET', '/versions/0')).status).toBe(404);
});
