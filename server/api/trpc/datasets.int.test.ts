// Datasets in the console: held-out items by role, and masking of people's input.
import { expect } from 'vitest';
import { findSecretsIn } from '../../../testing/canary';
import { createTestMember } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { plantedValues } from '../../../testing/planted';
import type { ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { createCallContext, createCaller } from './index';

async function callerOf(
  runtime: Runtime,
  project: ProjectCtx,
  role: 'owner' | 'admin' | 'reviewer' | 'viewer',
) {
  const { cookie } = await createTestMember(runtime, project, role);
  return createCaller(createCallContext(runtime, new Headers({ cookie })));
}

const lines = (...items: readonly Record<string, unknown>[]): string =>
  items.map((item) => JSON.stringify(item)).join('\n');

test('held-out items are shown to owners and reviewers, and to no one who edits prompts', async ({
  runtime,
  project: projectCtx,
}) => {
  const project = projectCtx.projectSlug;
  const owner = await callerOf(runtime, projectCtx, 'owner');
  const of = { project, slug: 'd' };
  await owner.datasets.put({ ...of, name: 'D' });
  const text = lines(
    { id: 'open', input: 'an open question', split: 'dev' },
    { id: 'hidden', input: 'a secret question', split: 'held_out' },
    { id: 'moved', input: 'was open before', split: 'dev' },
  );
  await owner.datasets.addItems({ ...of, text, format: 'jsonl', mode: 'append' });
  const moved = lines({ id: 'moved', input: 'was open before', split: 'held_out' });
  await owner.datasets.addItems({ ...of, text: moved, format: 'jsonl', mode: 'append' });

  for (const role of ['owner', 'reviewer'] as const) {
    const caller = role === 'owner' ? owner : await callerOf(runtime, projectCtx, role);
    const { items } = await caller.datasets.items({ ...of, version: 2 });
    expect(items.map(({ id }) => id)).toEqual(['open', 'hidden', 'moved']);
    expect(JSON.stringify(await caller.datasets.item({ ...of, id: 'hidden' }))).toContain('secret');
  }
  for (const role of ['admin', 'viewer'] as const) {
    const caller = await callerOf(runtime, projectCtx, role);
    for (const version of [1, 2]) {
      const page = await caller.datasets.items({ ...of, version });
      expect(page.items.map(({ id }) => id)).toEqual(['open']);
      expect(JSON.stringify(page)).not.toMatch(/secret|was open before/);
    }
    for (const id of ['hidden', 'moved'])
      await expect(caller.datasets.item({ ...of, id })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    const diff = await caller.datasets.diff({ ...of, from: 0, to: 2 });
    expect(JSON.stringify(diff)).not.toMatch(/secret|was open before/);
  }
  const admin = await callerOf(runtime, projectCtx, 'admin');
  const content = JSON.stringify({ input: 'mine' });
  for (const id of ['hidden', 'moved']) {
    const change = { ...of, id, content, split: null, tags: [] };
    await expect(admin.datasets.editItem(change)).rejects.toMatchObject({
      code: expect.stringMatching(/NOT_FOUND|FORBIDDEN/) as string,
    });
    await expect(admin.datasets.removeItems({ ...of, ids: [id] })).rejects.toMatchObject({
      code: expect.stringMatching(/NOT_FOUND|FORBIDDEN/) as string,
    });
  }
});

test('a key that reads held-out items can be created by those who may read them', async ({
  runtime,
  project: projectCtx,
}) => {
  const project = projectCtx.projectSlug;
  const key = { project, name: 'k', scopes: ['read' as const, 'held_out' as const] };
  const admin = await callerOf(runtime, projectCtx, 'admin');
  await expect(admin.keys.create(key)).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: expect.stringContaining('held_out') as string,
  });
  await admin.keys.create({ ...key, scopes: ['read'] });
  const owner = await callerOf(runtime, projectCtx, 'owner');
  expect((await owner.keys.create(key)).key).toEqual(expect.any(String));
});

test('S-129 names, items and edits of a dataset are masked, from the call after the change on', async ({
  runtime,
  project: projectCtx,
}) => {
  const project = projectCtx.projectSlug;
  const owner = await callerOf(runtime, projectCtx, 'owner');
  const of = { project, slug: 'masked' };
  // The process has read that masking is off.
  await owner.datasets.put({ ...of, name: 'Before' });
  await owner.settings.update({
    project,
    masking: { types: ['key', 'email', 'iban', 'card', 'phone'], paths: [], regions: [] },
  });
  const secret = plantedValues.join(' ; ');
  await owner.datasets.put({ ...of, name: `D ${secret}`.slice(0, 200), description: secret });
  const item = { id: 'a', input: secret, reference: { text: secret } };
  const csv = `id,input\nc,"${secret.replaceAll('"', '""')}"\n`;
  for (const [format, text] of [
    ['json', JSON.stringify({ items: [item] })],
    ['jsonl', lines({ ...item, id: 'b' })],
    ['csv', csv],
  ] as const)
    expect(
      (await owner.datasets.addItems({ ...of, text, format, mode: 'append' })).added,
      format,
    ).toBe(1);
  await owner.datasets.editItem({
    ...of,
    id: 'a',
    content: JSON.stringify({ input: `again: ${secret}` }),
    split: null,
    tags: [],
  });
  expect(await findSecretsIn(runtime.ctx.sql, plantedValues)).toEqual([]);
});
