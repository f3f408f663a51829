import { beforeEach, expect } from 'vitest';
import { createTestProject, drainWork } from '../../testing/database';
import { test } from '../../testing/fixture';
import { SOME_CONTEXT } from '../../testing/some-context';
import type { ProjectCtx } from '../access';
import type { Runtime } from '../runtime';
import { ingestTurns } from '../ingest';
import { getRule, putRule } from './index';
import { RuleBody } from './input';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  await runtime.ctx.sql`delete from work`;
  project = await createTestProject(runtime);
});

const put = (name: string, over: Record<string, unknown> = {}) =>
  putRule(project, runtime.rules, name, RuleBody.parse({ verifier: 'integrity', ...over }));

async function send(id: string, over: Record<string, unknown> = {}): Promise<void> {
  const body = Buffer.from(JSON.stringify({ turns: [{ id, model: 'openai/gpt-4o', ...over }] }));
  const taken = await ingestTurns(project, runtime.writer, {
    body,
    validUtf8: true,
    idempotencyKey: null,
    planTurns: runtime.rules.planTurns,
  });
  expect(taken.rejected).toEqual([]);
}

const document = {
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data: 'web-1 disk_pct: 91.4' },
};
const tag = { blocks: [{ by: 'tag', tag: 'context' }] };

const figuresOf = async () => {
  const rows = await runtime.ctx.sql<{ verdict: string; source: string | null }[]>`
    select verdict, detail -> 'figures' -> 0 -> 'source' ->> 'id' as source from verdicts where project_id = ${project.projectId}`;
  return rows.map(({ verdict, source }) => [verdict, source]);
};

test.each([
  [
    'a block of the system',
    [{ role: 'system', content: 'Use <context>web-1 disk_pct: 91.4</context>' }],
    tag,
    'system[0].context[0]',
  ],
  [
    'a document',
    [{ role: 'user', content: [document, { type: 'text', text: 'How full?' }] }],
    { documents: true },
    'message[0].document[0]',
  ],
  [
    'a result of an earlier turn',
    [
      { role: 'tool', content: 'web-1 disk_pct: 91.4' },
      { role: 'user', content: 'Say it again.' },
    ],
    { earlier_messages: true },
    'message[0].result[0]',
  ],
])('INT-2 %s is a source only if the rule names it', async (_what, input, sources, id) => {
  const turn = { input, context: SOME_CONTEXT, output: 'web-1 is at 91.4%.' };
  await send('t-without', turn);
  await drainWork(runtime);
  expect(await figuresOf()).toEqual([['unsourced', null]]);
  await runtime.ctx.sql`delete from verdicts where project_id = ${project.projectId}`;
  await put('integrity', { sources });
  await send('t-with', turn);
  await send('t-wrong', { ...turn, output: 'web-1 is at 92%.' });
  await drainWork(runtime);
  expect((await figuresOf()).toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
    ['sourced', id],
    ['unsourced', null],
  ]);
});

test('INT-2 a turn is verified with the current source setting of its rule; an unreadable setting gives no verdict', async () => {
  const turn = {
    input: [{ role: 'system', content: '<context>91.4</context>' }],
    context: SOME_CONTEXT,
    output: 'It is 91.4.',
  };
  await put('integrity', { sources: tag });
  await send('t-1', turn);
  await runtime.ctx
    .sql`update rules set sources = '{"blocks":[{"by":"smell"}]}' where project_id = ${project.projectId}`;
  await drainWork(runtime);
  expect(await figuresOf()).toEqual([]);
  const [work] = await runtime.ctx
    .sql`select reason from work where project_id = ${project.projectId}`;
  expect(work).toMatchObject({
    reason: 'this release cannot read the sources of the rule "integrity"',
  });
  await runtime.ctx.sql`update rules set sources = null where project_id = ${project.projectId}`;
  await runtime.ctx.sql`update work set due_at = now() where project_id = ${project.projectId}`;
  await drainWork(runtime);
  expect(await figuresOf()).toEqual([['unsourced', null]]);
});

test('INT-2 the setting is part of the rule’s version; an unusable one is refused, naming its field', async () => {
  await put('integrity', { sources: {} });
  expect(await getRule(project, 'integrity')).toMatchObject({
    version: 1,
    sources: { blocks: [], documents: false },
  });
  await put('integrity', { sources: tag });
  expect(await getRule(project, 'integrity')).toMatchObject({
    version: 2,
    sources: { blocks: [{ by: 'tag', tag: 'context' }] },
  });
  const bad = { blocks: [{ by: 'pattern', pattern: '(?=a)b' }] };
  await expect(put('integrity', { sources: bad })).rejects.toMatchObject({
    code: 'refused',
    details: [{ path: 'sources.blocks[0].pattern' }],
  });
  await expect(
    put('integrity', { sources: tag, filter: { has_sources: true } }),
  ).rejects.toMatchObject({
    code: 'refused',
    details: [{ path: 'filter.has_sources' }],
  });
  await put('integrity', { sources: tag, filter: { has_sources: false } });
  expect((await getRule(project, 'integrity')).version).toBe(3);
});
