import { execFileSync } from 'node:child_process';
import { expect } from '@playwright/test';
import { z } from 'zod';
import { until } from '../testing/until';
import type { LocalServices } from './local-services';

/** A deployment works: a turn and a task get verdicts, and the console serves its first pages. */
export async function verifyOnServices({ assay, ports }: LocalServices): Promise<void> {
  assay('projects', 'create', 'ops');
  const { key } = z
    .object({ key: z.string() })
    .parse(
      JSON.parse(
        assay('keys', 'create', '--project', 'ops', '--scopes', 'ingest,verify,read', '--json'),
      ),
    );
  const callApi = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${ports.edge}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.ok, `${path}: ${response.status}`).toBe(true);
    return response.json();
  };
  const sources = [
    { id: 'tc1', name: 'disk', result: { rows: [{ host: 'web-1', disk_pct: 91.4 }] } },
  ];
  await callApi('/v1/turns', {
    turns: [
      {
        id: 't-1',
        model: 'openai/gpt-4o',
        tools: sources,
        output: 'web-1 is at 91.4%, with 21 GiB free.',
      },
    ],
  });
  const Settled = z.object({
    data: z.array(z.object({ outcome: z.string().nullable(), state: z.string() })),
  });
  const settled = await until('the verdict of the turn', async () => {
    const { data } = Settled.parse(await callApi('/v1/verifications?turn_id=t-1'));
    return data.length > 0 && data[0]?.state === 'settled' ? data : null;
  });
  expect(settled).toMatchObject([{ outcome: 'failed' }]);

  // Work for a judge is sent to workers by jobs in Redis; without a provider a worker settles it as
  // inconclusive.
  const pendingTask = z.object({ id: z.string() }).parse(
    await callApi('/v1/verify/task', {
      task_description: 'Say how full web-1 is',
      task_output: 'Rather full.',
      success_criteria: ['Names a share'],
      cost_usd: 1,
      mode: 'async',
    }),
  );
  await until('the verdict of the task', async () => {
    const { outcome } = z
      .object({ outcome: z.string().nullable() })
      .parse(await callApi(`/v1/verifications/${pendingTask.id}`));
    return outcome === 'inconclusive' ? true : null;
  });
  const keys = execFileSync('redis-cli', ['-p', String(ports.redis), '--scan'], {
    encoding: 'utf8',
  });
  expect(keys).toMatch(/judge/);

  // The link that creates the owner's account.
  const link = /http:\S+claim\?token=\S+/.exec(assay('owner-link'))?.[0] ?? '';
  expect(link).toContain(`http://localhost:${ports.web}/`);
  const signIn = await fetch(`http://localhost:${ports.web}/sign-in`);
  expect(signIn.status).toBe(200);
  expect(await signIn.text()).toContain('Sign in');
}
