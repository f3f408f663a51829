import { expect } from 'vitest';
import { createCaller } from '../../testing/call';
import { drainWork } from '../../testing/database';
import { test } from '../../testing/fixture';
import { sampleTurn } from '../../testing/stack';
import { createKey } from '../access';
import { listVerdicts } from './index';

test('verdicts are listed by a tag of their trace and by the version of a prompt', async ({
  runtime,
  project,
}) => {
  const { key } = await createKey(project, { name: 'k', scopes: ['ingest', 'read'] });
  const call = createCaller(runtime, key);
  await call('/v1/turns', { turns: ['one', 'two', 'three'].map((id) => sampleTurn(id)) });
  await drainWork(runtime);
  const { sql, projectId } = project;
  // The rows of an exporter that names traces and of a verifier with a prompt.
  await sql`
    insert into traces (project_id, id, has_root, tags)
    values (${projectId}, 'tr-1', true, array[${'beta'}, ${'it’s, "odd"'}]::text[]), (${projectId}, 'tr-2', true, array[${'alpha'}]::text[])`;
  await sql`update verdicts set trace_id = 'tr-1' where project_id = ${projectId} and id in (
    select id from verdicts where project_id = ${projectId} order by id limit 2)`;
  await sql`update verdicts set trace_id = 'tr-2' where project_id = ${projectId} and trace_id is distinct from 'tr-1'`;
  await sql`
    update scores set prompt_version = 'review@3' where project_id = ${projectId} and verdict_id in (
      select id from verdicts where project_id = ${projectId} and trace_id = 'tr-1' order by id limit 1)`;

  const found = async (filters: Parameters<typeof listVerdicts>[1]) =>
    (await listVerdicts(project, filters)).items.length;
  expect(await found({})).toBe(3);
  expect(await found({ tag: 'beta' })).toBe(2);
  expect(await found({ tag: 'it’s, "odd"' })).toBe(2);
  expect(await found({ tag: 'bet' })).toBe(0);
  expect(await found({ tag: 'beta', prompt: 'review@3' })).toBe(1);
  expect(await found({ tag: 'alpha', prompt: 'review@3' })).toBe(0);
  expect(await found({ prompt: 'review@4' })).toBe(0);

  const answer = await call('/v1/verifications?tag=beta&prompt_version=review%403');
  expect((answer.body.data as unknown[]).length).toBe(1);
  const pending = await call('/v1/verifications?state=pending&tag=beta');
  expect([pending.status, pending.body.data]).toEqual([200, []]);
});
