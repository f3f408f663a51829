// Masking of people's input in the console, and the counts that it shows (S-129).
import { expect } from 'vitest';
import { createCaller as createHttpCaller } from '../../../testing/call';
import { findSecretsIn } from '../../../testing/canary';
import { createTestMember, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { plantedValues } from '../../../testing/planted';
import { SOME_CONTEXT } from '../../../testing/some-context';
import { createKey } from '../../access';
import { createCallContext, createCaller } from './index';

test('S-129 reasons and ids of users are masked, and values are counted', async ({
  runtime,
  project: projectCtx,
}) => {
  const project = projectCtx.projectSlug;
  const { cookie } = await createTestMember(runtime, projectCtx, 'owner', 'owner@mask.example');
  const caller = createCaller(createCallContext(runtime, new Headers({ cookie })));
  expect(await caller.data.masking({ project })).toEqual({ settings: null, replaced: [] });
  const masking = { types: ['key', 'email', 'iban', 'card', 'phone'] as const, paths: [] };
  await caller.settings.update({
    project,
    masking: { ...masking, types: [...masking.types], regions: [] },
  });

  const { key } = await createKey(projectCtx, { name: 'k', scopes: ['ingest', 'read'] });
  const http = createHttpCaller(runtime, key);
  const [user = ''] = plantedValues;
  const turns = [
    { id: 't', output: 'Disk is at 91%.', context: SOME_CONTEXT, metadata: { user_id: user } },
  ];
  expect((await http('/v1/turns', { turns })).status).toBe(202);
  await drainWork(runtime);
  const { data } = (await http('/v1/verifications?turn_id=t')).body;
  const [{ id = '' } = {}] = data as { id?: string }[];
  const reason = `Asked: ${plantedValues.join(' ; ')}`;
  await caller.labels.override({ project, id, verdict: 'unsourced', reason });
  await caller.labels.grade({ project, id, grade: 2, reason });
  expect(await findSecretsIn(runtime.ctx.sql, plantedValues)).toEqual([]);

  await runtime.masks.idle();
  const { settings, replaced } = await caller.data.masking({ project });
  expect(settings).toEqual({ ...masking, regions: [] });
  const counts = Object.fromEntries(replaced.map(({ type, count }) => [type, count]));
  const perReason = { email: 2, card: 3, iban: 2, phone: 2, key: 12 };
  expect(counts).toEqual({
    ...Object.fromEntries(Object.entries(perReason).map(([type, n]) => [type, n * 2])),
    email: perReason.email * 2 + 1,
  });

  // The user is known by the token only, and is found by the value.
  await caller.data.delete({ project, kind: 'user', id: user });
  await drainWork(runtime);
  expect((await http('/v1/turns/t')).status).toBe(404);
  expect(await findSecretsIn(runtime.ctx.sql, plantedValues)).toEqual([]);
});
