import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject, drainJobs } from '../../../testing/database';
import { testWithLlm as test } from '../../../testing/fixture';
import {
  type ScriptedCall,
  type ScriptedLlm,
  type ScriptedReply,
  textOf,
} from '../../../testing/scripted-llm';
import { createKey, listAudit, type ProjectCtx } from '../../access';
import { splitOf } from '../../domain';
import { putProvider } from '../../llm';
import { getPrompt, savePrompt } from '../../prompts';
import type { Runtime } from '../../runtime';
import { getJudging, updateSettings } from '../../verdicts';
import { getTrial } from '../trials/get-trial';
import { findLabelledSubjects } from '../trials/labelled-subjects';
import { startTrial } from '../trials/start-trial';
import type { TrialBody } from '../trials/trial-input';
import { approvePromotion } from './approve-promotion';
import { changeSettings } from './change-settings';
import { checkJudge, checkPrompt } from './check-promotion';
import { listPromotions } from './list-promotions';
import { promotePrompt } from './promote-prompt';
import { rollBackPromotion } from './roll-back-promotion';
import { withdrawPromotion } from './withdraw-promotion';

/**
 * A judge that replays recorded answers: for each item a letter for each of three prompts, E (an
 * error exists) or N. The version identifies the prompt; a judge whose name ends accordingly
 * answers as for another prompt.
 */
interface Item {
  readonly id: string;
  readonly good: boolean;
  /** By prompt: the release's text, version 1, version 2. */
  readonly letters: string;
}

const slug = 'task-binary';
const bases = { now: 'house:gpt-4o-mini', worse: 'house:gpt-4o', better: 'house:o3-mini' } as const;
const promptOfModel = new Map([
  ['gpt-4o', 1],
  ['o3-mini', 2],
]);

let runtime: Runtime;
let llm: ScriptedLlm;
let items: ReadonlyMap<string, Item> = new Map();

test.beforeAll(({ llm: ownLlm, runtime: ownRuntime }) => {
  llm = ownLlm;
  runtime = ownRuntime;
  llm.answerWith(judge);
});

function judge({ body }: ScriptedCall): ScriptedReply {
  const asked = textOf(body);
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(asked)?.[1] ?? '';
  const item = items.get(/Reply to (\S+)\./.exec(asked)?.[1] ?? '');
  const prompt =
    promptOfModel.get(String((body as { model?: unknown }).model)) ??
    Number(/Recorded prompt (\d)/.exec(asked)?.[1] ?? 0);
  const usage = { input: 800, output: 40 };
  const letter = item?.letters[prompt];
  if (letter !== 'E' && letter !== 'N') return { text: 'I would rather not say.', usage };
  const met = letter === 'N';
  const criteria = [{ criterion: 1, reasoning: 'As recorded.', quotes: [], met, confidence: 0.9 }];
  return { text: JSON.stringify({ nonce, criteria, suggestions: [], confidence: 0.9 }), usage };
}

/** Held-out items, and some others that would reverse the judgement of the versions. */
function planted(): Item[] {
  const made: Item[] = [];
  const counts = { heldOut: 0, other: 0 };
  for (let n = 0; counts.heldOut < 40 || counts.other < 8; n++) {
    const isHeldOut = splitOf(`planted-${n}`) === 'test';
    if (isHeldOut ? counts.heldOut >= 40 : counts.other >= 8) continue;
    const place = isHeldOut ? counts.heldOut++ : counts.other++;
    const good = place % 2 === 0;
    const [yes, no] = good ? ['N', 'E'] : ['E', 'N'];
    // Of 20 bad ones the release misses the first 6, version 1 another 12, version 2 none.
    const inTurn = Math.floor(place / 2);
    const right = [good || inTurn >= 6, good || inTurn >= 18, true];
    const letters = right.map((isRight) => (isRight === isHeldOut ? yes : no)).join('');
    made.push({ id: `planted-${n}`, good, letters });
  }
  return made;
}

const file = join(process.env.ASSAY_DATA ?? '../shared/data', 'judge-binary-realmistake.jsonl');
const hasData = existsSync(file);
if (!hasData) process.stdout.write(`skipped: ${file} is not there, set ASSAY_DATA\n`);

/**
 * ReaLMistake: an expert's labels of 120 held-out replies, and Claude 3 Opus's answers to three of
 * its prompts.
 */
function recorded(): Item[] {
  if (!hasData) return [];
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as { id: string; human_label: string; verdicts: Record<string, string> },
    );
  return rows
    .filter(({ id }) => splitOf(id) === 'test')
    .slice(0, 120)
    .map(({ id, human_label: label, verdicts }) => ({
      id,
      good: label === 'no_error',
      letters: verdicts['claude-3-opus-20240229']?.slice(0, 3) ?? '',
    }));
}

interface Fixture {
  readonly project: ProjectCtx;
  readonly other: ProjectCtx;
  readonly call: (
    method: string,
    path: string,
    body: object,
  ) => Promise<{ status: number; body: Record<string, unknown> }>;
}

/** A project with labelled tasks; two people, and the saved versions 1 and 2. */
async function createFixture(made: readonly Item[]): Promise<Fixture> {
  items = new Map(made.map((item) => [item.id, item]));
  const project = await createTestProject(runtime);
  const { key } = await createKey(project, {
    name: 'k',
    scopes: ['verify', 'read', 'write', 'ingest', 'promote'],
  });
  const call: Fixture['call'] = async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await appOf(runtime).request(path, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const models = ['gpt-4o-mini', 'gpt-4o', 'o3-mini'];
  await putProvider(project, 'house', {
    kind: 'openai',
    base_url: llm.baseUrl,
    api_key: 'sk-test',
    models,
    enabled: true,
  });
  await updateSettings(project, { defaultJudge: bases.now });
  const outcomes: object[] = [];
  for (const { id, good } of made) {
    const sent = {
      success_criteria: ['Holds no error'],
      scoring_mode: 'binary',
      task_output: `Reply to ${id}.`,
      session_id: id,
      mode: 'async',
    };
    outcomes.push({
      verification_id: (await call('POST', '/v1/verify/task', sent)).body.id,
      success: good,
    });
  }
  expect((await call('POST', '/v1/outcomes', { outcomes })).body).toMatchObject({
    accepted: made.length,
  });
  const release = runtime.prompts.get(slug)?.body ?? '';
  for (const prompt of [1, 2]) {
    const body = `${release}\nRecorded prompt ${prompt}.\n`;
    await savePrompt(project, runtime.prompts, { slug, body, message: `prompt ${prompt}` });
  }
  const other: ProjectCtx = {
    ...project,
    actor: { kind: 'user', id: 'u2', label: 'bob@example.org', role: 'admin', operator: false },
  };
  return { project, other, call };
}

async function trialOf(project: ProjectCtx, version: number, more: Partial<TrialBody> = {}) {
  const body = { subjects: 200, order: 'newest', seed: 1, heldOut: true, ...more } as const;
  const { id } = await startTrial(project, runtime.subjects, { slug, version, ...body });
  await drainJobs(runtime);
  return getTrial(project, { slug, id });
}

const running = async (project: ProjectCtx): Promise<number> =>
  (await getPrompt(project, runtime.prompts, slug)).production.version;

describe.each([
  ['planted errors', planted, { items: 40, worse: [0, 12], better: [6, 0] }, true],
  [
    'ReaLMistake, as a judge answered two other prompts',
    recorded,
    { items: 120, worse: [0, 14], better: [15, 5] },
    hasData,
  ],
] as const)('%s', (_name, make, expected, isThere) => {
  test.skipIf(!isThere)(
    'SOAR-37 the gate refuses a judge prompt that is worse on held-out labels with its numbers, and promotes a better one; A compared with B',
    async () => {
      const { project, call } = await createFixture(make());
      const promote = (version: number, more: object = {}) =>
        call('PUT', `/v1/prompts/${slug}/labels/production`, { version, ...more });

      const lost = await trialOf(project, 1);
      expect(lost).toMatchObject({
        state: 'done',
        heldOut: true,
        version: 1,
        productionVersion: 0,
        total: expected.items,
      });
      expect(lost.findings).toMatchObject({ verdict: 'worse', items: expected.items });
      expect([lost.findings?.catchRate.better, lost.findings?.catchRate.worse]).toEqual(
        expected.worse,
      );
      expect(lost.findings?.cost.ratio).toBeCloseTo(1, 1);

      const refused = await promote(1);
      expect(refused).toMatchObject({ status: 422, body: { error: { code: 'refused' } } });
      const { message } = refused.body.error as { message: string };
      expect(message).toContain(
        `Catch rate ${lost.findings?.reasons[0]?.split('Catch rate ')[1] ?? 'none'}`,
      );
      expect(message).toMatch(/Catch rate .+ against .+mid-p < 0\.001\): worse\./);
      expect(await running(project)).toBe(0);

      const won = await trialOf(project, 2);
      expect(won.findings).toMatchObject({
        verdict: 'better',
        catchRate: { better: expected.better[0], worse: expected.better[1] },
      });
      expect(await promote(2)).toEqual({
        status: 200,
        body: { slug, label: 'production', version: 2 },
      });
      expect(await running(project)).toBe(2);
      const [promoted, first] = await listPromotions(project, { slug });
      expect(promoted).toMatchObject({
        state: 'promoted',
        before: '0',
        after: '2',
        trialId: won.id,
        isCurrent: true,
        findings: { verdict: 'better' },
      });
      expect(first).toMatchObject({
        state: 'refused',
        after: '1',
        trialId: lost.id,
        isCurrent: false,
        findings: { verdict: 'worse' },
      });

      // The trial compared with the version current then: there is no result about the current one.
      expect(await checkPrompt(project, runtime.prompts, { slug, version: 1 })).toMatchObject({
        outcome: 'promoted',
        trialId: null,
      });
      // Rolling back to the previous version is never gated.
      expect(await checkPrompt(project, runtime.prompts, { slug, version: 0 })).toMatchObject({
        outcome: 'rolled_back',
      });
      expect((await promote(0)).status).toBe(200);
      expect((await promote(1, { force: true })).status).toBe(422);
      expect(await running(project)).toBe(0);
      expect(
        (await promote(1, { force: true, reason: 'The release cannot be read.' })).status,
      ).toBe(200);
      const wishes = await listPromotions(project, { slug });
      expect(wishes.map(({ state, after }) => `${state} ${after}`)).toEqual([
        'forced 1',
        'rolled_back 2',
        'refused 1',
      ]);
      expect(wishes[0]).toMatchObject({
        isCurrent: true,
        reason: 'The release cannot be read.',
        createdBy: 'key "k"',
      });
      expect(
        await rollBackPromotion(project, runtime.prompts, { id: wishes[0]?.id ?? '' }),
      ).toMatchObject({ state: 'rolled_back' });
      expect(await running(project)).toBe(0);
    },
  );
});

test('a gate that requires: nothing without a trial, nothing without another person, and a second click changes nothing', async () => {
  const { project, other, call } = await createFixture(planted());
  await updateSettings(project, { promotionGate: 'require' });
  const promote = (version: number, force = false) =>
    promotePrompt(project, runtime.prompts, { slug, version, force, reason: 'because' });
  await expect(promote(2)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('was not tried'),
  });
  await trialOf(project, 1);
  await expect(promote(1, true)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('worse'),
  });
  const { id: trialId } = await trialOf(project, 2);

  const request = await promote(2);
  expect(request).toMatchObject({ state: 'waiting', trialId, approvedBy: null });
  const id = request?.id ?? '';
  expect(await promote(2)).toMatchObject({ id });
  expect(await running(project)).toBe(0);
  await expect(approvePromotion(project, runtime.prompts, { id })).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(await approvePromotion(other, runtime.prompts, { id })).toMatchObject({
    state: 'promoted',
    approvedBy: 'bob@example.org',
  });
  expect(await approvePromotion(other, runtime.prompts, { id })).toMatchObject({
    state: 'promoted',
  });
  expect(await running(project)).toBe(2);
  await expect(withdrawPromotion(project, { id })).rejects.toMatchObject({ code: 'conflict' });
  expect(await rollBackPromotion(project, runtime.prompts, { id })).toMatchObject({
    state: 'rolled_back',
  });
  expect(await rollBackPromotion(project, runtime.prompts, { id })).toMatchObject({
    state: 'rolled_back',
  });
  expect(await running(project)).toBe(0);

  // By a key: its creator is the requester. Over HTTP it waits in the same way.
  const asked = await call('PUT', `/v1/prompts/${slug}/labels/production`, { version: 2 });
  expect(asked).toMatchObject({
    status: 202,
    body: { slug, version: 2, waiting_promotion: expect.stringMatching(/^prm_/) },
  });
  const second = String(asked.body.waiting_promotion);
  await expect(approvePromotion(project, runtime.prompts, { id: second })).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(await withdrawPromotion(project, { id: second })).toMatchObject({ state: 'withdrawn' });
  expect(await withdrawPromotion(project, { id: second })).toMatchObject({ state: 'withdrawn' });
  await expect(approvePromotion(other, runtime.prompts, { id: second })).rejects.toMatchObject({
    code: 'conflict',
  });
  const actions = (await listAudit(project, {})).items
    .map(({ action }) => action)
    .filter((action) => action.startsWith('promotions.'));
  expect(actions).toEqual([
    'promotions.withdraw',
    'promotions.ask',
    'promotions.roll_back',
    'promotions.approve',
    'promotions.ask',
    'promotions.refuse',
    'promotions.refuse',
  ]);
});

test('another judge goes through the same gate: tried as A against the current one, refused if worse, and rolled back', async () => {
  const { project, other, call } = await createFixture(planted());
  const now = async (): Promise<string | null> => (await getJudging(project)).defaultJudge;
  const lost = await trialOf(project, 0, { judge: bases.worse });
  expect(lost).toMatchObject({
    judge: bases.worse,
    productionVersion: 0,
    againstJudge: null,
    findings: { verdict: 'worse' },
  });
  expect(
    lost.rows.every(
      (row) => row.judge === 'house/gpt-4o' && row.production?.judge === 'house/gpt-4o-mini',
    ),
  ).toBe(true);
  // Another judge's verdict is never reused for this judge.
  expect(lost.reused).toBe(0);
  const change = (defaultJudge: string, more: object = {}) =>
    changeSettings(project, runtime.prompts, { defaultJudge, ...more });
  await expect(change(bases.worse, { retries: 1 })).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('Catch rate'),
  });
  expect(await getJudging(project)).toMatchObject({ defaultJudge: bases.now, retries: 2 });
  expect((await call('PUT', '/v1/settings', { default_judge: bases.worse })).status).toBe(422);
  const forced = await call('PUT', '/v1/settings', {
    default_judge: bases.worse,
    force: true,
    reason: 'The other one is gone.',
  });
  expect(forced).toMatchObject({
    status: 200,
    body: { default_judge: bases.worse, promotion_gate: 'advise' },
  });
  expect((await change(bases.now)).promotion).toMatchObject({ state: 'rolled_back' });
  expect(await now()).toBe(bases.now);

  await changeSettings(project, runtime.prompts, { promotionGate: 'require' });
  await expect(change(bases.better)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('was not tried'),
  });
  expect(await trialOf(project, 0, { judge: bases.better })).toMatchObject({
    findings: { verdict: 'better' },
  });
  expect(await checkJudge(project, runtime.prompts, { defaultJudge: bases.better })).toMatchObject({
    mode: 'require',
    outcome: 'waiting',
    trials: 1,
  });
  const { promotion } = await change(bases.better, { retries: 3 });
  expect(promotion).toMatchObject({
    state: 'waiting',
    slug: '',
    before: bases.now,
    after: bases.better,
  });
  expect(await getJudging(project)).toMatchObject({ defaultJudge: bases.now, retries: 3 });
  expect(await approvePromotion(other, runtime.prompts, { id: promotion?.id ?? '' })).toMatchObject(
    { state: 'promoted' },
  );
  expect(await now()).toBe(bases.better);
  expect(
    await rollBackPromotion(project, runtime.prompts, { id: promotion?.id ?? '' }),
  ).toMatchObject({ state: 'rolled_back' });
  expect(await now()).toBe(bases.now);
});

test('only held-out labels count, against the current version, by the current judges; two equal options are refused', async () => {
  const { project } = await createFixture(planted());
  const all = await trialOf(project, 1, { heldOut: false });
  expect(all.total).toBe(48);
  const against = await trialOf(project, 2, { against: { version: 1 } });
  expect(against).toMatchObject({ productionVersion: 1, findings: { verdict: 'better' } });
  for (const version of [1, 2])
    expect(await checkPrompt(project, runtime.prompts, { slug, version })).toMatchObject({
      trialId: null,
      findings: { verdict: 'not_tried' },
    });
  // A prompt's examples are never held out from it.
  const shown = {
    band: 'good',
    complexity: 'SIMPLE',
    decomposition: 'd',
    score: 0.95,
    reasoning: 'r',
  } as const;
  const heldOut = (queries: readonly string[]) =>
    findLabelledSubjects(project, {
      kind: 'task',
      order: 'newest',
      seed: 1,
      limit: 100,
      heldOut: { examples: queries.map((query) => ({ ...shown, query })) },
    });
  expect(await heldOut([])).toHaveLength(40);
  const [example] = [...items.values()].filter(({ id }) => splitOf(id) === 'test');
  expect(await heldOut([`Reply to ${example?.id}.`, 'Not "among" them'])).toHaveLength(39);
  await trialOf(project, 1);
  const check = () => checkPrompt(project, runtime.prompts, { slug, version: 1 });
  expect(await check()).toMatchObject({
    outcome: 'refused',
    trials: 1,
    findings: { verdict: 'worse' },
  });
  // A slice named by the trust settings counts too.
  await runtime.ctx.sql`
    insert into trust_settings (project_id, verifier_slug, enforce_trust, catch_target, false_rejection_target, required_slices, half_life_days, updated_by)
    values (${project.projectId}, 'task', false, 0.7, 0.1, '[{"by":"model","value":"m"}]', 0, 'test')`;
  expect(await check()).toMatchObject({
    findings: { slices: [{ by: 'model', value: 'm', items: 0, isRequired: true }] },
  });
  await updateSettings(project, { defaultJudge: bases.better });
  expect(await check()).toMatchObject({ outcome: 'promoted', trialId: null });
  await updateSettings(project, { defaultJudge: bases.now });
  await expect(
    startTrial(project, runtime.subjects, {
      slug,
      version: 1,
      subjects: 5,
      order: 'newest',
      seed: 1,
      heldOut: true,
      against: { version: 1 },
    }),
  ).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining('the same') });
});
