import { beforeEach, describe, expect } from 'vitest';
import { agentTraceJson } from '../../testing/agent-traces';
import type { Json } from '../../testing/call';
import { testWithLlmAnd } from '../../testing/fixture';
import { createJudgedProject, type JudgedProject } from '../../testing/judged-project';
import { readFences } from '../../testing/scripted-judge';
import { type ScriptedLlm, textOf } from '../../testing/scripted-llm';
import { verifyAll } from '../../testing/verify-all';
import { subjectTargets, type SubjectTarget } from '../domain';
import type { Runtime } from '../runtime';
import { verifierStarters } from './starters';
import {
  type StarterCase,
  starterCases,
  type StarterSample,
  type StarterSubject,
} from './starters-fixture';

/**
 * Each starter, stored unchanged by its route, judges subjects of each of its targets: by a verify
 * call, and by a rule on traffic. Judges are scripted at their HTTP interface.
 */

const test = testWithLlmAnd({ ASSAY_TRACE_IDLE_MS: '0' });

let runtime: Runtime;
let llm: ScriptedLlm;
let ok: JudgedProject['ok'];

test.beforeAll(({ llm: ownLlm, runtime: ownRuntime }) => {
  llm = ownLlm;
  runtime = ownRuntime;
});

beforeEach(async () => {
  await runtime.ctx.sql`delete from work`;
  ({ ok } = await createJudgedProject(runtime, llm));
});

test('each starter has a case', () => {
  const slugs = verifierStarters.map(({ slug }) => slug);
  expect(starterCases.map(({ slug }) => slug)).toEqual(slugs);
});

interface Row extends StarterCase {
  readonly definition: Readonly<Record<string, unknown>>;
  readonly target: SubjectTarget;
}

const rows = starterCases.flatMap((each): Row[] => {
  const definition = verifierStarters.find(({ slug }) => slug === each.slug)?.definition ?? {};
  const targets = (definition.targets ?? subjectTargets) as readonly SubjectTarget[];
  return targets.map((target) => ({ ...each, definition, target }));
});

const seen: { readonly outside: string; readonly data: ReadonlyMap<string, unknown> }[] = [];

/** It judges the data alone, and fails them only for the passage that is wrong. */
function judgeHonestly({ passage, good, bad }: StarterCase): void {
  seen.length = 0;
  llm.answerWith(({ body }) => {
    const question = readFences(textOf(body));
    seen.push(question);
    const isBad = JSON.stringify([...question.data]).includes(passage);
    const { answer } = isBad ? bad : good;
    const part = { reasoning: 'Read.', quotes: [] };
    const reply = Array.isArray(answer)
      ? { criteria: answer.map((each, at) => ({ criterion: at + 1, ...part, answer: each })) }
      : { ...part, answer };
    return { text: JSON.stringify({ nonce: question.nonce, ...reply, confidence: 0.9 }) };
  });
}

/** The judge saw each member of the subject in its block, and no part of it outside. */
function expectShown({ shows, passage }: StarterCase, isBad: boolean): void {
  if (shows.length === 0) return expect(seen).toHaveLength(0);
  expect(seen).toHaveLength(1);
  for (const { outside, data } of seen) {
    expect([...data.keys()].toSorted()).toEqual([...shows].toSorted());
    expect(JSON.stringify([...data]).includes(passage)).toBe(isBad);
    expect(outside).not.toContain(passage);
    expect(outside).not.toContain('Nothing was given.');
    expect(outside).not.toContain('{{');
  }
}

const samples = (row: Row) =>
  [
    [row.good, 'passed'],
    [row.bad, 'failed'],
  ] as const;

/** One turn as a subject of a target that has turns keeps them; a turn has none. */
function subjectOf({ turns }: StarterSample, target: SubjectTarget): Json {
  const [first] = turns;
  const isConversation = target === 'session' || target === 'mission';
  return isConversation ? { target, output: turns.at(-1)?.output, turns } : { target, ...first };
}

describe('online.md 3: a starter judges a subject of a verify call', () => {
  test.each(rows)('$slug: a $target', async (row) => {
    await ok(`/v1/verifiers/${row.slug}`, row.definition, 'PUT');
    for (const [sample, outcome] of samples(row)) {
      judgeHonestly(row);
      const sent = await ok(`/v1/verify/${row.slug}`, {
        subject: subjectOf(sample, row.target),
        wait_ms: 0,
      });
      await verifyAll(runtime);
      const verdict = await ok(`/v1/verifications/${String(sent.id)}`);
      expect(verdict).toMatchObject({
        state: 'settled',
        outcome,
        score: sample.score,
        needs_human_review: false,
      });
      expectShown(row, outcome === 'failed');
    }
  });
});

/** The spans of a turn: the run, its retrieved documents, tools, and the model's answer. */
function spansOf({ input, output, tools = [], context = [], cost_usd }: StarterSubject) {
  const documents = context.flatMap(({ id, content }, at): [string, string][] => [
    [`retrieval.documents.${at}.document.id`, id],
    [`retrieval.documents.${at}.document.content`, content],
  ]);
  return [
    { id: 1, name: 'run', kind: 'AGENT', input, output } as const,
    ...(documents.length === 0
      ? []
      : [
          {
            id: 2,
            parent: 1,
            name: 'search',
            kind: 'RETRIEVER',
            input,
            attributes: Object.fromEntries(documents),
          } as const,
        ]),
    ...tools.map(
      ({ id, name, arguments: given, result }, at) =>
        ({
          id: at + 3,
          parent: 1,
          name: String(name),
          kind: 'TOOL',
          input: given,
          output: result,
          attributes: { 'tool.name': String(name), 'tool_call.id': String(id) },
        }) as const,
    ),
    {
      id: tools.length + 3,
      parent: 1,
      name: 'chat',
      kind: 'LLM',
      attributes: {
        'llm.model_name': 'claude-sonnet-4-5',
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': input,
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.content': output,
        ...(cost_usd === undefined ? {} : { 'llm.cost.total': String(cost_usd) }),
      },
    } as const,
  ];
}

/** Sends the sample as a client does, and ends its session or mission. */
async function arrive({ turns }: StarterSample, target: SubjectTarget): Promise<void> {
  const [first] = turns;
  if (target === 'trace' && first !== undefined) {
    await ok('/v1/traces', agentTraceJson(spansOf(first)));
  } else {
    const within =
      target === 'session'
        ? { session_id: 'c-1' }
        : target === 'mission'
          ? { metadata: { assay: { 'mission.id': 'c-1' } } }
          : {};
    const sent = turns.map((turn, at) => ({ id: `turn-${at + 1}`, ...turn, ...within }));
    expect((await ok('/v1/turns', { turns: sent })).rejected).toEqual([]);
  }
  await verifyAll(runtime);
  if (target !== 'session' && target !== 'mission') return;
  expect(await ok(`/v1/${target}s/c-1/end`, {})).toMatchObject({ verifications: 1 });
  await verifyAll(runtime);
}

/** Decided by a check alone, so that no judge is called. */
const metByCheck = { success_criteria: { value: [{ check: 'regex', value: '.' }] } };

const arriving = rows
  .filter(({ target, isWithoutSpans }) => target !== 'trace' || isWithoutSpans !== true)
  .flatMap((row) => samples(row).map(([sample, outcome]) => ({ ...row, sample, outcome })));

describe('online.md 3: a starter judges traffic by a rule', () => {
  test.each(arriving)('$slug: a $target that $outcome', async (row) => {
    const { slug, definition, target, sample, outcome } = row;
    await ok(`/v1/verifiers/${slug}`, definition, 'PUT');
    await ok('/v1/rules/integrity', undefined, 'DELETE');
    await ok('/v1/rules/own', { verifier: slug, target }, 'PUT');
    // A mission consists of the work verified under its id.
    if (target === 'mission')
      await ok('/v1/rules/tasks', { verifier: 'task', mapping: metByCheck }, 'PUT');
    judgeHonestly(row);
    await arrive(sample, target);
    const { data } = await ok(`/v1/verifications?verifier=${slug}`);
    expect(data).toMatchObject([{ state: 'settled', outcome, score: sample.score }]);
    expectShown(row, outcome === 'failed');
  });
});
