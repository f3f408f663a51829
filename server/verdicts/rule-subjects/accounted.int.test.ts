import { expect } from 'vitest';
import { agentTraceJson, graphSketches } from '../../../testing/agent-traces';
import { anyJudge } from '../../../testing/any-judge';
import type { Json } from '../../../testing/call';
import { testWithLlmAnd } from '../../../testing/fixture';
import { createJudgedProject, type JudgedProject } from '../../../testing/judged-project';
import { createRandom, type Random } from '../../../testing/seed';
import { long } from '../../../testing/stack';
import { verifyAll } from '../../../testing/verify-all';

/** Generated traffic under a rule of each kind: every decision is counted. */

const test = testWithLlmAnd({ ASSAY_TRACE_IDLE_MS: '0' });

const [turnCount, traceCount] = long ? [10_000, 500] : [60, 6];
const batch = 500;
const minutes = 60_000;

const targetOf: Readonly<Record<string, string>> = {
  task: 'turn',
  code: 'turn',
  integrity: 'turn',
  turn: 'turn',
  decomposition: 'trace',
  'agent-output': 'trace',
  synthesis: 'trace',
  consistency: 'session',
  mission: 'mission',
};
const kinds = Object.keys(targetOf);

/** One rule per kind, each of which omits subjects in its own way. */
function rulesOf(random: Random): Record<string, Json> {
  return {
    task: { sampling: 0.8, sample_by: oneOf(random, ['subject', 'session']) },
    code: { filter: { tags: ['code', 'prod'] } },
    integrity: { daily_budget: Math.floor(turnCount / 3) },
    turn: { every: random.between(2, 4), filter: { not: { model: 'none/*' } } },
    decomposition: {
      filter: { verdict: { verifier: 'synthesis', outcome: ['passed', 'failed'] } },
    },
    'agent-output': { filter: { any: [{ model: '*' }, { has_sources: true }] } },
    synthesis: { sampling: 0.7 },
    consistency: { daily_budget: Math.ceil(turnCount / 10) },
    mission: { mapping: { description: '$.turns[0].input.last_user' } },
  };
}

const oneOf = <T>(random: Random, items: readonly T[]): T | undefined =>
  items[random.between(0, items.length - 1)];

function turnOf(random: Random, n: number): Json {
  const isCode = random.next() < 0.3;
  return {
    id: `t-${n}`,
    model: oneOf(random, ['openai/gpt-4o', 'anthropic/claude-sonnet-4-5', 'none/small']),
    ...(random.next() < 0.8 && { session_id: `s-${random.between(1, Math.ceil(turnCount / 5))}` }),
    ...(random.next() < 0.9 && {
      input: isCode ? 'Create disk.sql with a query.' : `Question ${n}: how full is the disk?`,
    }),
    output: random.next() < 0.1 ? ' ' : `The disk is at ${random.between(1, 99)}.${n % 10} %.`,
    ...(random.next() < 0.6 && {
      tools: [{ id: 'c', name: 'disk', result: { used_percent: random.between(1, 99) } }],
    }),
    ...(isCode && {
      tags: ['code', ...(random.next() < 0.7 ? ['prod'] : [])],
      files: random.next() < 0.8 ? [{ path: 'disk.sql', content: `select ${n};` }] : [],
    }),
    ...(random.next() < 0.5 && {
      metadata: { assay: { 'mission.id': `m-${random.between(1, Math.ceil(turnCount / 8))}` } },
    }),
  };
}

const traceOf = (n: number): string =>
  agentTraceJson(graphSketches).replaceAll(
    '5b8aa5a2d2c872e8321cf37308d69df2',
    n.toString(16).padStart(32, '0'),
  );

async function listAll({ ok }: JudgedProject, rule: string): Promise<Json[]> {
  const found: Json[] = [];
  let cursor: unknown = null;
  do {
    const after = typeof cursor === 'string' ? `&cursor=${cursor}` : '';
    const page = await ok(`/v1/decisions?rule=${rule}&limit=200${after}`);
    found.push(...(page.data as Json[]));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

test(`X-10 ${turnCount} turns and ${traceCount} traces under nine rules: every decision is made once and ends`, {
  timeout: (long ? 60 : 5) * minutes,
}, async ({ runtime, llm }) => {
  const random = createRandom('accounted');
  const judged = await createJudgedProject(runtime, llm);
  const { ok, project } = judged;
  llm.answerWith((request) =>
    random.next() < 0.05 ? { text: 'It looks fine.' } : anyJudge(request, random.between(1, 5)),
  );
  await ok('/v1/rules/integrity', undefined, 'DELETE');
  const rules = rulesOf(random);
  for (const [kind, body] of Object.entries(rules))
    await ok(`/v1/rules/${kind}`, { verifier: kind, target: targetOf[kind], ...body }, 'PUT');

  const turns = Array.from({ length: turnCount }, (_, n) => turnOf(random, n));
  for (let at = 0; at < turns.length; at += batch) {
    const body = { turns: turns.slice(at, at + batch) };
    expect(await ok('/v1/turns', body)).toMatchObject({ rejected: [] });
    // A client that did not receive the confirmation repeats its request.
    if (random.next() < 0.5) await ok('/v1/turns', body);
  }
  for (let n = 1; n <= traceCount; n++) await ok('/v1/traces', traceOf(n));
  await verifyAll(runtime);
  const sessions = [
    ...new Set(
      turns.flatMap((turn) => (typeof turn.session_id === 'string' ? turn.session_id : [])),
    ),
  ];
  const missions = await project.sql<{ id: string }[]>`
      select distinct mission_id as id from subjects
      where project_id = ${project.projectId} and mission_id is not null`;
  expect(missions.length).toBeGreaterThan(0);
  for (const id of sessions) await ok(`/v1/sessions/${id}/end`, {});
  for (const { id } of missions) await ok(`/v1/missions/${id}/end`, {});
  await verifyAll(runtime);
  // A session that ended before and has nothing new plans nothing.
  for (const id of sessions.slice(0, 5))
    expect(await ok(`/v1/sessions/${id}/end`, {})).toMatchObject({ verifications: 0 });

  // The planner of each trace is one model call.
  const subjects: Readonly<Record<string, number>> = {
    turn: turnCount + traceCount,
    trace: traceCount,
    session: sessions.length,
    mission: missions.length,
  };
  const left = await project.sql`select 1 from work where project_id = ${project.projectId}`;
  expect(left).toHaveLength(0);
  const verdicts = await project.sql<{ id: string; rule: string }[]>`
      select id, rule from verdicts where project_id = ${project.projectId}`;
  for (const kind of kinds) {
    const decisions = await listAll(judged, kind);
    const made = new Set(
      decisions.map((each) => `${String(each.subject_id)} ${Number(each.revision)}`),
    );
    expect([kind, decisions.length, made.size]).toEqual([
      kind,
      subjects[targetOf[kind] ?? ''],
      subjects[targetOf[kind] ?? ''],
    ]);
    expect(decisions.filter((each) => each.settled !== true || each.state === 'expired')).toEqual(
      [],
    );
    const led = decisions.flatMap(({ verification_id: id }) => (typeof id === 'string' ? id : []));
    const own = verdicts.filter(({ rule }) => rule === kind).map(({ id }) => id);
    expect([kind, led.length]).toEqual([kind, own.length]);
    expect(new Set(led)).toEqual(new Set(own));
    const counts: Record<string, number> = {};
    for (const { state } of decisions) counts[String(state)] = (counts[String(state)] ?? 0) + 1;
    const { decisions: reported } = await ok(`/v1/rules/${kind}`);
    expect([kind, reported]).toEqual([kind, counts]);
  }
});
