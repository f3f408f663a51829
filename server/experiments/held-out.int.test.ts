import { expect } from 'vitest';
import { createCaller, type Json } from '../../testing/call';
import { createTestMember } from '../../testing/database';
import { test } from '../../testing/fixture';
import { verifyAll } from '../../testing/verify-all';
import { createKey } from '../access';
import { createCallContext, createCaller as createConsole } from '../api/trpc';

/** A word in the item, its answer and its tool, and nowhere else in the project. */
const secret = 'zanzibar';

const splits = [
  { dataset: 'places', before: 'held_out', how: 'on the held-out split' },
  { dataset: 'towns', before: 'dev', how: 'of an item that was held out afterwards' },
] as const;

test.for(splits)(
  'what an experiment $how made is read with the permission, and otherwise not found',
  async ({ dataset, before }, { runtime, project }) => {
    const scopes = ['ingest', 'verify', 'read', 'write'] as const;
    const { key: plain } = await createKey(project, {
      name: `plain ${dataset}`,
      scopes: [...scopes],
    });
    const { key: whole } = await createKey(project, {
      name: `whole ${dataset}`,
      scopes: [...scopes, 'held_out'],
    });
    const [asPlain, asWhole] = [createCaller(runtime, plain), createCaller(runtime, whole)];
    const ok = async (path: string, body?: unknown, method?: string): Promise<Json> => {
      const reply = await asWhole(path, body, {}, method);
      expect(reply.status, reply.text).toBeLessThan(300);
      return reply.body;
    };
    await ok(`/v1/datasets/${dataset}`, { name: dataset, description: '' }, 'PUT');
    const item = { id: 'a', input: `Where is ${secret}?` };
    await ok(`/v1/datasets/${dataset}/items`, { items: [{ ...item, split: before }] });
    const start = async (name: string): Promise<string> => {
      const { id } = await ok('/v1/experiments', {
        name,
        dataset,
        split: before,
        target: { type: 'outputs' },
        verifiers: ['integrity'],
      });
      await ok(`/v1/experiments/${String(id)}/outputs`, {
        outputs: [
          {
            item_id: 'a',
            output: `${secret} has 91.4 % of it.`,
            tools: [{ id: 't', name: 'find', result: { [secret]: 91.4 } }],
          },
        ],
      });
      await ok(`/v1/experiments/${String(id)}/finish`, {});
      return String(id);
    };
    const ids = [await start('first'), await start('second')];
    await verifyAll(runtime);
    if (before !== 'held_out')
      await ok(`/v1/datasets/${dataset}/items`, { items: [{ ...item, split: 'held_out' }] });
    const [id] = ids;
    const rows = (await ok(`/v1/experiments/${String(id)}/rows`)).data as {
      turn_id: string;
      verdicts: { verification_id: string }[];
    }[];
    const turn = rows[0]?.turn_id ?? '';
    const verdict = rows[0]?.verdicts[0]?.verification_id ?? '';
    expect(verdict).toMatch(/^ver_/);

    const reads = [
      `/v1/turns/${turn}`,
      `/v1/turns?experiment=${String(id)}`,
      `/v1/verifications/${verdict}`,
      `/v1/verifications?experiment=${String(id)}`,
      `/v1/verifications?turn_id=${turn}`,
      `/v1/experiments/compare?ids=${ids.join(',')}`,
      `/v1/experiments/compare/items?ids=${ids.join(',')}`,
    ];
    for (const path of reads) {
      const shown = await asWhole(path);
      expect([path, shown.status, shown.text]).toEqual([
        path,
        200,
        expect.stringContaining(secret),
      ]);
      const hidden = await asPlain(path);
      expect([path, hidden.text]).toEqual([path, expect.not.stringContaining(secret)]);
      expect([200, 404]).toContain(hidden.status);
    }
    const added = await asPlain(`/v1/datasets/${dataset}/items/from`, {
      turns: [turn],
      split: 'dev',
    });
    expect(added.body).toMatchObject({ added: 0, rejected: [{ id: turn, code: 'not_found' }] });

    const slug = project.projectSlug;
    for (const role of ['owner', 'reviewer', 'admin', 'viewer'] as const) {
      const { cookie } = await createTestMember(runtime, project, role);
      const console = createConsole(createCallContext(runtime, new Headers({ cookie })));
      const named = { project: slug, id: turn };
      const pages: readonly (() => Promise<unknown>)[] = [
        () => console.turns.get(named),
        async () => Buffer.from((await console.turns.original(named)).base64, 'base64').toString(),
        () => console.verdicts.get({ project: slug, id: verdict }),
        () => console.verdicts.list({ project: slug, experiment: id }),
        () => console.experiments.compareItems({ project: slug, ids }),
        ...(role === 'viewer' ? [] : [() => console.playground.turn(named)]),
      ];
      const found = JSON.stringify(await console.search.find({ project: slug, q: verdict }));
      expect(found).toContain(verdict);
      expect(found).not.toContain(secret);
      const read = await Promise.all(
        pages.map((page) =>
          page().then(
            (data) => JSON.stringify(data),
            (error: { readonly code?: string }) => String(error.code),
          ),
        ),
      );
      const may = role === 'owner' || role === 'reviewer';
      expect([role, ...read.map((text) => text.includes(secret))]).toEqual([
        role,
        ...pages.map(() => may),
      ]);
    }
  },
);
