import { expect } from 'vitest';
import { drainWork } from '../../testing/database';
import { test } from '../../testing/fixture';
import type { ProjectCtx } from '../access';
import { putRule } from '../rules';
import { RuleBody } from '../rules/input';
import type { Runtime } from '../runtime';
import { ingestTurns } from '../ingest';
import { getVerdictPage } from './get';
import { judgeAgain } from './trials/judge-again';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
});

test('INT-2 the page and a second judgement have the sources that the rule names; an unreadable setting hides no turn', async () => {
  const { sql } = runtime.ctx;
  const sources = { blocks: [{ by: 'tag', tag: 'context' }] };
  await putRule(
    project,
    runtime.rules,
    'integrity',
    RuleBody.parse({ verifier: 'integrity', sources }),
  );
  const turn = {
    id: 't-1',
    input: [{ role: 'system', content: '<context>disk_pct: 91.4</context>' }],
    output: 'It is at 91.4%.',
  };
  const body = Buffer.from(JSON.stringify({ turns: [turn] }));
  await ingestTurns(project, runtime.writer, {
    body,
    validUtf8: true,
    idempotencyKey: null,
    planTurns: runtime.rules.planTurns,
  });
  await drainWork(runtime);
  const [verdict] = await sql<
    { id: string }[]
  >`select id from verdicts where project_id = ${project.projectId}`;
  const page = await getVerdictPage(project, verdict?.id ?? '');
  expect(page.verdict).toMatchObject({ verdict: 'sourced' });
  expect(page.turn?.content.context).toEqual([
    { id: 'system[0].context[0]', content: 'disk_pct: 91.4', format: 'text' },
  ]);
  const again = await judgeAgain(runtime.ctx, runtime.subjects, {
    projectId: project.projectId,
    verifier: 'integrity',
    subjectKind: 'turn',
    subjectId: 't-1',
    contentHash: page.turn?.contentHash ?? '',
    purpose: 'anchors',
    signal: new AbortController().signal,
  });
  expect(again).toMatchObject({ state: 'decided', verdict: 'sourced' });
  await sql`update rules set sources = '{"blocks":[{"by":"smell"}]}' where project_id = ${project.projectId}`;
  expect((await getVerdictPage(project, verdict?.id ?? '')).turn).toMatchObject({
    content: { context: [] },
  });
});
