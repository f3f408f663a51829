import { expect, vi } from 'vitest';
import { createCaller, type Json } from '../../testing/call';
import { createTestProject } from '../../testing/database';
import { test } from '../../testing/fixture';
import { verifyAll } from '../../testing/verify-all';
import { createKey } from '../access';

/**
 * A tenth kind is one folder and one registry entry: rules, verdicts, decisions, settings, rates
 * and lists handle it like the nine kinds of the release.
 */

vi.mock('./all-kinds', async (load) => {
  const { lengthKind } = await import('./length-fixture');
  const { allKinds } = await load<{ readonly allKinds: readonly object[] }>();
  return { allKinds: [...allKinds, lengthKind] };
});

test('X-10 a tenth kind is verified by rules, configured, listed, counted and read back', async ({
  runtime,
}) => {
  const project = await createTestProject(runtime);
  const { key } = await createKey(project, {
    name: 'k',
    scopes: ['ingest', 'verify', 'read', 'write'],
  });
  const call = createCaller(runtime, key);
  const ok = async (path: string, body?: unknown, method?: string): Promise<Json> => {
    const reply = await call(path, body, {}, method);
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  await ok('/v1/rules/integrity', undefined, 'DELETE');
  await ok('/v1/verifiers/length', { config: { max_chars: 10 } }, 'PUT');
  await ok('/v1/rules/lengths', { verifier: 'length', filter: { model: 'm' } }, 'PUT');
  await ok('/v1/turns', {
    turns: [
      { id: 'short', model: 'm', output: 'Yes.' },
      { id: 'long', model: 'm', output: 'Yes, as far as I can see.' },
      { id: 'other', model: 'n', output: 'Yes.' },
    ],
  });
  const preview = await ok('/v1/rules/preview', { verifier: 'length' });
  expect(preview).toMatchObject({ matched: 3, of: 3, judge_calls: 0, prompt: null });
  expect(preview.subjects).toContainEqual({ id: 'short', subject: { text: 'Yes.' } });

  await verifyAll(runtime);

  const decisions = (await ok('/v1/decisions?rule=lengths')).data as Json[];
  const stateOf = ({ subject_id: id, state }: Json) => [String(id), state];
  expect(Object.fromEntries(decisions.map(stateOf))).toEqual({
    long: 'run',
    other: 'filtered',
    short: 'run',
  });
  const listed = (await ok('/v1/verifications?verifier=length')).data as Json[];
  const verdicts = await Promise.all(listed.map(({ id }) => ok(`/v1/verifications/${String(id)}`)));
  expect(Object.fromEntries(verdicts.map((each) => [each.turn_id, each]))).toMatchObject({
    short: { verdict: 'pass', outcome: 'passed', verifier: 'length@2', length: { chars: 4 } },
    long: { verdict: 'fail', outcome: 'failed', verifier: 'length@2', length: { chars: 25 } },
  });

  await ok(`/v1/verifications/${String(listed[0]?.id)}/overrides`, {
    verdict: 'pass',
    reason: 'Long, and needed.',
  });
  const counted = await runtime.ctx.sql<{ passed: number; failed: number }[]>`
    select sum(passed)::int as passed, sum(failed)::int as failed from verdict_rollups
    where project_id = ${project.projectId} and verifier_slug = 'length'`;
  expect([...counted]).toEqual([{ passed: 1, failed: 1 }]);
  const slugs = ((await ok('/v1/verifiers')).data as Json[]).map(({ slug }) => slug);
  expect(slugs).toContain('length');
});
