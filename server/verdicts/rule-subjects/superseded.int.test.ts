import { beforeEach, expect } from 'vitest';
import { agentTraceJson } from '../../../testing/agent-traces';
import { anyJudge } from '../../../testing/any-judge';
import type { Json } from '../../../testing/call';
import { testWithLlmAnd } from '../../../testing/fixture';
import { createJudgedProject, type JudgedProject } from '../../../testing/judged-project';
import type { ScriptedLlm } from '../../../testing/scripted-llm';
import { verifyAll } from '../../../testing/verify-all';
import type { Runtime } from '../../runtime';

/**
 * Data that arrives after a subject was judged creates its next revision, which is judged again.
 * The earlier verdict stays stored, and is not part of any rate (online.md 1).
 */

const test = testWithLlmAnd({ ASSAY_TRACE_IDLE_MS: '0' });

let runtime: Runtime;
let llm: ScriptedLlm;
let judged: JudgedProject;

test.beforeAll(({ llm: ownLlm, runtime: ownRuntime }) => {
  llm = ownLlm;
  runtime = ownRuntime;
});

beforeEach(async () => {
  await runtime.ctx.sql`delete from work`;
  judged = await createJudgedProject(runtime, llm);
  await judged.ok('/v1/rules/integrity', undefined, 'DELETE');
});

const TRACE = '5b8aa5a2d2c872e8321cf37308d69df2';
const turn = (id: string, output: string): Json => ({
  id,
  session_id: 's-1',
  model: 'anthropic/claude-sonnet-4-5',
  input: 'How full is the disk?',
  output,
  tools: [{ id: 'c', name: 'disk', result: { used_percent: 91.4 } }],
  metadata: { assay: { 'mission.id': 'm-1' } },
});
const sendTurn = (id: string, output = 'The disk is at 91.4 %.') =>
  judged.ok('/v1/turns', { turns: [turn(id, output)] });

type Sketches = Parameters<typeof agentTraceJson>[0];

const root: Sketches = [
  { id: 1, name: 'run', kind: 'CHAIN', input: 'How full is the disk?', output: '91.4 %' },
  {
    id: 2,
    parent: 1,
    name: 'chat',
    kind: 'LLM',
    attributes: {
      'llm.model_name': 'claude-sonnet-4-5',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'How full is the disk?',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'The disk is at 91.4 %.',
    },
  },
];
const lateSpan: Sketches = [
  {
    id: 3,
    parent: 1,
    name: 'disk',
    kind: 'TOOL',
    input: '{"host":"web-1"}',
    output: '{"used_percent":91.4}',
    attributes: { 'tool.name': 'disk' },
  },
];

interface Row {
  readonly kind: string;
  readonly target: 'turn' | 'trace' | 'session' | 'mission';
  readonly subject: string;
  readonly before: () => Promise<unknown>;
  readonly after: () => Promise<unknown>;
  readonly what: string;
}

const twoTurns = async (): Promise<void> => {
  await sendTurn('t-1');
  await sendTurn('t-2');
};
const rows: readonly Row[] = [
  ...['integrity', 'task', 'turn'].map(
    (kind): Row => ({
      kind,
      target: 'turn',
      subject: 't-1',
      before: () => sendTurn('t-1'),
      after: () => sendTurn('t-1', 'The disk is at 95.2 %.'),
      what: 'another answer under the same id',
    }),
  ),
  {
    kind: 'task',
    target: 'trace',
    subject: TRACE,
    before: () => judged.ok('/v1/traces', agentTraceJson(root)),
    after: () => judged.ok('/v1/traces', agentTraceJson(lateSpan)),
    what: 'a late span',
  },
  ...(['session', 'mission'] as const).map(
    (target): Row => ({
      kind: 'consistency',
      target,
      subject: target === 'session' ? 's-1' : 'm-1',
      before: twoTurns,
      after: () => sendTurn('t-3'),
      what: 'one more turn',
    }),
  ),
];

/** Verifies everything received; a session or mission is ended first. */
async function verify({ target, subject }: Row): Promise<void> {
  await verifyAll(runtime);
  if (target !== 'session' && target !== 'mission') return;
  await judged.ok(`/v1/${target}s/${subject}/end`, {});
  await verifyAll(runtime);
}

async function verdictsOf({ kind, subject }: Pick<Row, 'kind' | 'subject'>): Promise<Json[]> {
  const { data } = await judged.ok(`/v1/verifications?verifier=${kind}&subject_id=${subject}`);
  const full: Json[] = [];
  for (const { id } of (data as { id: string }[]).toReversed())
    full.push(await judged.ok(`/v1/verifications/${id}`));
  return full;
}

/** The verdicts of a verifier in each of the counts that rates consist of. */
async function counted(kind: string): Promise<Json> {
  const { sql, projectId } = judged.project;
  const [row] = await sql`
    select
      (select sum(passed) || ' of ' || sum(passed + failed + needs_review + steered + inconclusive + skipped)
        from verdict_rollups where project_id = ${projectId} and verifier_slug = ${kind}) as days,
      (select sum(passed) || ' of ' || sum(passed + failed + needs_review + steered + inconclusive + skipped)
        from verdict_hours where project_id = ${projectId} and verifier_slug = ${kind}) as hours,
      (select coalesce(sum(passed), 0) || ' of ' || coalesce(sum(passed + failed), 0)
        from verdict_populations where project_id = ${projectId} and verifier_slug = ${kind}) as decided,
      (select coalesce(sum(n::int), 0)::int from verdict_spreads, jsonb_each_text(counts) as each(bucket, n)
        where project_id = ${projectId} and verifier_slug = ${kind} and measure = 'score') as scores,
      (select coalesce(sum(answers), 0)::int from integrity_rollups
        where project_id = ${projectId} and ${kind} = 'integrity') as answers`;
  return { ...row };
}

test.each(rows)(
  'X-8 $kind of a $target is judged again after $what, and the earlier verdict is in no rate',
  async (row) => {
    const { kind, target } = row;
    await judged.ok('/v1/rules/own', { verifier: kind, target }, 'PUT');
    if (target === 'mission') {
      const mapping = { success_criteria: { value: [{ check: 'regex', value: '%' }] } };
      await judged.ok('/v1/rules/tasks', { verifier: 'task', mapping }, 'PUT');
    }
    llm.answerWith((request) => anyJudge(request, 5));
    await row.before();
    await verify(row);
    const [first, ...none] = await verdictsOf(row);
    expect(none).toEqual([]);
    expect(first).toMatchObject({ superseded: false, outcome: 'passed' });
    await judged.ok('/v1/outcomes', { outcomes: [{ verification_id: first?.id, success: true }] });
    const before = await counted(kind);
    const rate = { ...before, days: '0 of 1', hours: '0 of 1' };

    llm.answerWith((request) => anyJudge(request, 1));
    await row.after();
    await verify(row);
    const [earlier, later, ...more] = await verdictsOf(row);
    expect(more).toEqual([]);
    expect(earlier).toEqual({
      ...first,
      superseded: true,
      overrides: expect.anything() as unknown,
    });
    expect(later?.outcome).not.toBe('passed');
    expect(later).toMatchObject({ superseded: false, subject_id: first?.subject_id });
    const isDecided = later?.outcome === 'failed';
    expect(await counted(kind)).toEqual({ ...rate, decided: isDecided ? '0 of 1' : '0 of 0' });
    const judgements = await judged.project.sql`
      select id from judgements
      where project_id = ${judged.project.projectId} and origin = 'verifier' and slug = ${kind}`;
    expect(judgements.map(({ id }) => id)).toEqual([later?.id]);
  },
);

test('X-8 a judge that answers after the next revision was judged gives a superseded verdict', async () => {
  await judged.ok('/v1/rules/own', { verifier: 'turn' }, 'PUT');
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  llm.answerWith(async (request) => {
    await held;
    return anyJudge(request);
  });
  await sendTurn('t-1');
  const asked = llm.nextCall();
  const slow = verifyAll(runtime, 'slow');
  await asked;
  llm.answerWith((request) => anyJudge(request, 1));
  await sendTurn('t-1', 'The disk is at 95.2 %.');
  await verifyAll(runtime, 'quick');
  release();
  await slow;
  const verdicts = await verdictsOf({ kind: 'turn', subject: 't-1' });
  expect(verdicts.map(({ outcome, superseded }) => [outcome, superseded])).toEqual([
    ['steered', false],
    ['passed', true],
  ]);
  expect(await counted('turn')).toMatchObject({ days: '0 of 1', hours: '0 of 1' });
});

test('R-80 deleting a turn with a superseded verdict takes each verdict out of the counts once', async () => {
  await judged.ok('/v1/rules/own', { verifier: 'integrity' }, 'PUT');
  await judged.ok('/v1/rules/judged', { verifier: 'task' }, 'PUT');
  llm.answerWith((request) => anyJudge(request));
  for (const id of ['t-1', 't-2']) await sendTurn(id);
  await verifyAll(runtime);
  const kept = { days: '2 of 2', hours: '2 of 2' };
  expect([await counted('integrity'), await counted('task')]).toMatchObject([kept, kept]);
  await sendTurn('t-1', 'The disk of web-1 is at 91.4 %.');
  await verifyAll(runtime);
  expect([await counted('integrity'), await counted('task')]).toMatchObject([kept, kept]);
  await judged.ok('/v1/turns/t-1', undefined, 'DELETE');
  const left = { days: '1 of 1', hours: '1 of 1', decided: '1 of 1' };
  expect([await counted('integrity'), await counted('task')]).toMatchObject([left, left]);
});
