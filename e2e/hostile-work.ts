import { expect, type Page } from '@playwright/test';
import { type ScriptedCall, type ScriptedReply, textOf } from '../testing/scripted-llm';
import { displayName } from '../server/domain';
import { callProcedure, createKeyOf, postAs } from './calls';
import { readInstance } from './instance';
import { vectors } from './vectors';

/**
 * A project in which every stored text is a vector, or many; a retried run is another process, and
 * creates another project.
 */
export const hostile = {
  slug: `hostile-${process.pid}`,
  trace: 'f6'.repeat(16),
  pipeline: 'hostile-request',
} as const;

const all = vectors.join('\n');
/**
 * The vectors that fit into a field of this many characters, from a given one on; a prompt accepts
 * only braces of variables.
 */
const of = (at: number): string => vectors[at % vectors.length] ?? '';
const named = (at: number, chars: number): string => {
  const fitting = vectors.filter((text) => text.trim() === text && text.length <= chars);
  return fitting[at % fitting.length] ?? '';
};
/**
 * Valid names in the project: names must not contain control, zero-width or text-direction
 * characters.
 */
const nameable = (at: number, chars: number): string => {
  const fitting = vectors.filter(
    (text) => text.trim() === text && displayName(chars).safeParse(text).success,
  );
  return fitting[at % fitting.length] ?? '';
};
/** A vector that is valid as a file name: it contains no path separator. */
const pathText = vectors.filter((text) => /^<img[^/\\:]+$/.test(text))[0] ?? '';
const four = (at: number): string => [0, 1, 2, 3].map((next) => of(at * 4 + next)).join(' ');
/** A key that means the object's prototype if it is written as a member. */
const each = (from: number, count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, next) => [of(from + next), `${of(from + next)} 41`]),
  );

/** Four vectors per turn, so that the lists contain all of them; and one turn with all of them. */
function turns(perTurn: 1 | 4): object[] {
  const text = (at: number): string => (perTurn === 4 ? four(at) : of(at));
  const some = Array.from({ length: vectors.length / perTurn }, (_, at) => ({
    id: `turn ${at} ${named(at, 150)}`,
    session_id: named(at % 8, 150),
    model: text(at).slice(0, 300),
    source: named(at, 150),
    tags: [of(at)],
    metadata: each(at, 1),
    input: [{ role: named(at, 90), content: text(at) }],
    tools: [
      {
        id: `${at} ${named(at, 150)}`,
        name: of(at),
        arguments: each(at, perTurn),
        result: each(at * perTurn, perTurn),
      },
    ],
    context: [{ id: `${at} c ${named(at, 150)}`, content: text(at) }],
    files: [{ path: of(at), content: text(at) }],
    output: `${text(at)} 41 and 97 %`,
  }));
  const packed = {
    id: 'packed',
    session_id: 'packed',
    model: named(7, 200),
    input: [{ role: 'user', content: all }],
    tools: [{ id: 'packed', name: of(3), arguments: each(0, 200), result: each(0, 200) }],
    context: [{ id: named(9, 150), content: all }],
    envelope: {
      answer: `${all} 41 and 97 %`,
      facts: [{ value: '41', source_id: named(1, 150), path: of(30) }],
    },
    output: `${all} 41 and 97 %`,
  };
  return [...some, packed];
}

const attribute = (key: string, value: string) => ({ key, value: { stringValue: value } });
const spoken = (role: string, content: string) =>
  JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

/** A span for each vector, which occurs in every text of the span. */
function trace(): object {
  const start = Date.now() - 60_000;
  const ns = (ms: number): string => `${start + ms}000000`;
  const spans = vectors.map((text, at) => ({
    traceId: hostile.trace,
    spanId: (at + 1).toString(16).padStart(16, '0'),
    ...(at > 0 && { parentSpanId: '1'.padStart(16, '0') }),
    name: text,
    kind: 1,
    startTimeUnixNano: ns(at),
    endTimeUnixNano: ns(at === 0 ? 5000 : at + 20),
    attributes: [
      attribute(text, text),
      attribute('gen_ai.operation.name', at % 2 === 0 ? 'chat' : 'execute_tool'),
      attribute('gen_ai.request.model', text),
      attribute('gen_ai.agent.name', text),
      attribute('gen_ai.tool.name', text),
      attribute('gen_ai.tool.call.id', text),
      attribute('gen_ai.tool.call.arguments', JSON.stringify(each(at, 1))),
      attribute('gen_ai.tool.call.result', text),
      attribute('gen_ai.input.messages', spoken('user', text)),
      attribute('gen_ai.output.messages', spoken('assistant', text)),
      attribute('assay.session.id', named(at % 8, 150)),
    ],
    events: [
      { timeUnixNano: ns(at + 1), name: text, attributes: [attribute('exception.message', text)] },
    ],
    status: { code: 2, message: text },
  }));
  const resource = { attributes: [attribute('service.name', of(5)), attribute(of(6), of(6))] };
  return {
    resourceSpans: [{ resource, scopeSpans: [{ scope: { name: of(8), version: of(9) }, spans }] }],
  };
}

const agents = [
  { name: named(11, 90), capabilities: [named(12, 90)], tools: [of(13)] },
  { name: named(14, 90), capabilities: [], tools: [] },
];

/** One of each kind of work; a judge is called for the first. */
function requestsByKind(): Record<
  'task' | 'decomposition' | 'agent-output' | 'synthesis' | 'code',
  object
> {
  const subgoal = (id: string, agent: string) => ({
    id,
    description: all.slice(0, 5000),
    agent,
    depends_on: [],
    requires: [named(12, 90)],
  });
  const request = {
    trace_id: hostile.pipeline,
    executor_model: named(15, 200),
    cost_usd: 0.5,
    metadata: each(0, 4),
  };
  const outputs = [{ id: named(16, 90), agent: named(11, 90), summary: all, data: each(0, 200) }];
  return {
    task: {
      ...request,
      task_description: all,
      success_criteria: [{ text: four(1) }, { text: four(2) }],
      task_output: all,
      shared_context: all,
      mission_id: named(17, 150),
      task_id: named(18, 150),
    },
    decomposition: {
      ...request,
      query: all,
      complexity: 'COMPLEX',
      agents,
      decomposition: {
        goal: all.slice(0, 2000),
        subgoals: [subgoal(named(16, 90), named(11, 90)), subgoal(named(19, 90), named(20, 90))],
        execution_order: [{ phase: 'sequential', subgoals: [named(16, 90), named(19, 90)] }],
      },
      scores: {
        completeness: 0.6,
        consistency: 0.7,
        groundedness: 0.8,
        routability: 0.4,
        suggestions: [four(3)],
      },
    },
    'agent-output': {
      ...request,
      subgoal: { id: named(16, 90), description: all, critical: true },
      output: {
        agent: named(11, 90),
        summary: all,
        data: each(0, 200),
        confidence: 0.6,
        tools_used: [of(13)],
        metadata: each(0, 3),
      },
      agents_available: agents.map(({ name }) => name),
    },
    synthesis: {
      ...request,
      query: all,
      answer: all,
      agent_outputs: outputs,
      claims: [{ text: of(21), supported_by: [named(16, 90)] }],
    },
    code: {
      request: all,
      model: named(22, 200),
      files: [{ path: `${pathText}.py`, content: `x = 1\n${all}` }],
    },
  };
}

/** A judge that repeats its input. */
export function hostileJudge({ body }: ScriptedCall): ScriptedReply {
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(textOf(body))?.[1] ?? '';
  const criteria = [1, 2].map((criterion) => ({
    criterion,
    reasoning: all,
    quotes: [of(criterion)],
    score: 2,
    confidence: 0.9,
  }));
  const quality = ['completeness', 'accuracy', 'clarity', 'relevance'].map((dimension) => ({
    dimension,
    reasoning: all,
    score: 2,
  }));
  return {
    text: JSON.stringify({ nonce, criteria, quality, suggestions: [all], confidence: 0.8 }),
    usage: { input: 900, output: 120 },
  };
}

interface Listed {
  readonly data: readonly { readonly id: string }[];
}

/**
 * Fills the project, and waits until all of it is processed. @returns the ids of the objects
 * that have a page
 */
export async function storeHostileWork(
  page: Page,
  judgeUrl: string,
  perTurn: 1 | 4,
): Promise<{ verdicts: string[]; report: string }> {
  const project = hostile.slug;
  await callProcedure(page, 'projects.create', { slug: project, name: nameable(0, 90) });
  const key = await createKeyOf(page, project, nameable(1, 90), [
    'ingest',
    'verify',
    'read',
    'write',
    'gateway',
    'impersonate',
  ]);
  const provider = {
    kind: 'openai_compatible',
    base_url: judgeUrl,
    api_key: 'sk-e2e-hostile',
    models: ['judge-model'],
  };
  await callProcedure(page, 'providers.put', { project, name: 'house', ...provider });
  await callProcedure(page, 'settings.update', { project, defaultJudge: 'house:judge-model' });
  await postAs(key, '/v1/turns', { turns: turns(perTurn) });
  await postAs(key, '/v1/traces', trace());
  const verdicts: string[] = [];
  for (const [kind, work] of Object.entries(requestsByKind())) {
    const { id } = await postAs(key, `/v1/verify/${kind}`, { wait_ms: 30_000, ...work });
    verdicts.push(String(id));
  }
  const packed = await settled(key, 'packed');
  await submitTexts(page, key, packed, judgeUrl);
  const { id: report } = await callProcedure<{ id: string }>(page, 'reports.make', {
    project,
    lastDay: new Date().toISOString().slice(0, 10),
    days: 7,
  });
  return { verdicts: [packed, ...verdicts], report };
}

/**
 * The verdict on a turn, once there is one; turns sent before it have theirs by then, or soon
 * after.
 */
async function settled(key: string, turn: string): Promise<string> {
  let id = '';
  await expect(async () => {
    const response = await fetch(`${readInstance().edgeUrl}/v1/verifications?turn_id=${turn}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    id = ((await response.json()) as Listed).data[0]?.id ?? '';
    expect(id).not.toBe('');
  }).toPass();
  return id;
}

/**
 * Texts of people and callers: rulings, outcomes, reasons, policies, prompts, rules, destinations,
 * a call through the gateway.
 */
async function submitTexts(
  page: Page,
  key: string,
  verdict: string,
  judgeUrl: string,
): Promise<void> {
  const project = hostile.slug;
  const reason = all.slice(0, 1000);
  await page.request.post(`${readInstance().edgeUrl}/v1/verifications/${verdict}/overrides`, {
    headers: { authorization: `Bearer ${key}` },
    data: { verdict: 'pass', grade: 2, reason: all.slice(0, 10_000), rater: nameable(24, 190) },
  });
  await postAs(key, '/v1/outcomes', {
    outcomes: [
      {
        subject_id: named(25, 190),
        success: false,
        source: named(25, 190),
        note: all.slice(0, 10_000),
      },
    ],
  });
  await callProcedure(page, 'review.putPolicy', {
    project,
    verifier: 'integrity',
    body: all,
    message: named(26, 190),
  });
  await callProcedure(page, 'thresholds.put', {
    project,
    verifier: 'task',
    key: 'pass_threshold',
    body: { value: 0.61, reason },
  });
  await callProcedure(page, 'prompts.save', await draft(key));
  const filter = { model: vectors.slice(0, 40), tags: [of(27)], metadata: each(28, 1) };
  await callProcedure(page, 'rules.put', {
    project,
    name: 'hostile',
    rule: { verifier: 'integrity', filter, enabled: false },
  });
  const destination = {
    kind: 'webhook',
    name: nameable(30, 90),
    url: `${judgeUrl}/${encodeURIComponent(of(29))}`,
    enabled: false,
  };
  await callProcedure(page, 'destinations.create', { project, ...destination });
  await callProcedure(page, 'reports.putSchedule', {
    project,
    name: nameable(31, 100),
    cron: '0 6 * * 1',
    zone: 'UTC',
    days: 7,
  });
  await callProcedure(page, 'gateway.putRoute', {
    project,
    name: 'local',
    settings: { upstream: 'house' },
  });
  const session = named(32, 150).replace(/[^ -~]/g, '');
  const call = { model: named(33, 150), messages: [{ role: 'user', content: all }] };
  // A new route is known to every process within a second.
  await expect(async () => {
    const response = await page.request.post(
      `${readInstance().edgeUrl}/gateway/local/v1/chat/completions`,
      {
        headers: { authorization: `Bearer ${key}`, 'x-assay-session': session },
        data: call,
      },
    );
    expect(response.status(), await response.text()).toBe(200);
  }).toPass();
}

/**
 * The release's prompt with vectors in it, as its next version. Text that looks like a variable
 * would be refused.
 */
async function draft(key: string): Promise<object> {
  const slug = 'task-rubric';
  const response = await fetch(`${readInstance().edgeUrl}/v1/prompts/${slug}/versions/0`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { body } = (await response.json()) as { readonly body: string };
  const added = vectors.filter((text) => !/[{}]/.test(text)).join('\n');
  return { project: hostile.slug, slug, body: `${body}\n${added}\n`, message: named(34, 190) };
}
