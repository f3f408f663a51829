// Trust, from labels to enforcement: states by labels, policy, age, drift, version, prompt and
// judge; enforcement in verify calls. For the gateway, see server/gateway/routes.
import { beforeEach, describe, expect } from 'vitest';
import { appOf } from '../../testing/app';
import { createTestProject, drainRefreshQueue, drainWork } from '../../testing/database';
import { testWithLlm as test } from '../../testing/fixture';
import { type ScriptedCall, type ScriptedLlm, textOf } from '../../testing/scripted-llm';
import { createKey, type ProjectCtx } from '../access';
import type { Matrix } from '../domain';
import { putProvider } from '../llm';
import { moveLabel, savePrompt } from '../prompts';
import { claimSlowWork } from '../queue';
import type { Runtime } from '../runtime';
import { standardTrust, type Trust } from '../thresholds';
import type { TrustSettingsBody } from '../thresholds/input';
import { verifyClaimed, updateSettings } from '../verdicts';
import { listTrust, listTrustChanges } from './list-trust';
import { updateTrust } from './update-trust';
import { listTrustToCheck, recheckTrust } from './recheck-trust';
import { putPolicy } from '../labels';
import { putTrustSettings } from './put-trust-settings';

let runtime: Runtime;
let llm: ScriptedLlm;
let project: ProjectCtx;
let key = '';

/** Passes everything except vague work. */
function judge({ body }: ScriptedCall): {
  readonly text: string;
  readonly usage: { readonly input: number; readonly output: number };
} {
  const asked = textOf(body);
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(asked)?.[1] ?? '';
  const criteria = [
    {
      criterion: 1,
      reasoning: 'Seen.',
      quotes: [],
      met: !asked.includes('vague'),
      confidence: 0.9,
    },
  ];
  return {
    text: JSON.stringify({ nonce, criteria, suggestions: [], confidence: 0.9 }),
    usage: { input: 100, output: 10 },
  };
}

test.beforeAll(({ llm: ownLlm, runtime: ownRuntime }) => {
  llm = ownLlm;
  runtime = ownRuntime;
  llm.answerWith(judge);
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, {
    name: 'k',
    scopes: ['verify', 'read', 'write', 'ingest', 'gateway'],
  }));
});

async function call(method: string, path: string, body?: object) {
  const response = await appOf(runtime).request(path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const tools = [{ id: 'tc1', name: 'disk', result: { used: 42 } }];
let serial = 0;

/**
 * Turns of each cell: integrity flags those with a figure without a source, and the outcome is
 * their truth.
 */
async function labelled(
  { caught, missed, rejected, passed }: Matrix,
  model = 'gpt-4o',
): Promise<void> {
  const cell = (n: number, output: string, success: boolean) =>
    Array.from({ length: n }, () => ({ id: `t-${++serial}`, output, tools, model, success }));
  const all = [
    ...cell(caught, 'It is 73 %.', false),
    ...cell(missed, 'It is 42.', false),
    ...cell(rejected, 'It is 73 %.', true),
    ...cell(passed, 'It is 42.', true),
  ];
  expect(
    (await call('POST', '/v1/turns', { turns: all.map(({ success: _, ...turn }) => turn) })).status,
  ).toBe(202);
  await drainWork(runtime);
  const verdicts = await project.sql<{ id: string; subject: string }[]>`
    select id, subject_id as subject from verdicts where project_id = ${project.projectId}`;
  const verdictOf = new Map(verdicts.map(({ id, subject }) => [subject, id]));
  await call('POST', '/v1/outcomes', {
    outcomes: all.map(({ id, success }) => ({ verification_id: verdictOf.get(id), success })),
  });
  await drainRefreshQueue(runtime);
}

const deps = () => ({ prompts: runtime.prompts });
const evaluateTrust = (ctx: ProjectCtx = project) => updateTrust(ctx, deps());
async function trustOf(verifier: string): Promise<Trust> {
  const found = (await listTrust(project)).find((each) => each.verifier === verifier);
  if (found === undefined) throw new Error(`no trust of ${verifier}`);
  return found;
}
/** The state with its gaps, after a check. */
async function stateOf(
  verifier: string,
  ctx: ProjectCtx = project,
): Promise<readonly [string, readonly string[]]> {
  await evaluateTrust(ctx);
  const { state, gaps } = await trustOf(verifier);
  return [state, gaps.map(({ what }) => what)];
}
const set = (change: Partial<TrustSettingsBody>, verifier: string | null = null) =>
  putTrustSettings(project, { verifier, settings: { ...standardTrust, ...change } });
const inDays = (days: number): ProjectCtx => ({
  ...project,
  clock: { ...project.clock, now: () => new Date(Date.now() + days * 86_400_000) },
});
/** Enough to be qualified: none missed of 12, none rejected of 40. */
const enough: Matrix = { caught: 12, missed: 0, rejected: 0, passed: 40 };

describe('calibration.md 5.11 states', () => {
  test('as labels arrive: unmeasured, provisional, qualified; each change is stored once, and repeating the check changes nothing', async () => {
    expect(await trustOf('integrity')).toMatchObject({
      state: 'unmeasured',
      checkedAt: null,
      enforced: false,
      mayBlock: true,
    });
    await labelled({ caught: 2, missed: 0, rejected: 0, passed: 10 });
    expect(await stateOf('integrity')).toEqual(['unmeasured', ['labels', 'defects']]);
    expect((await trustOf('integrity')).gaps[0]?.text).toBe('12 of 20 labels: 8 more needed.');
    await labelled({ caught: 9, missed: 0, rejected: 0, passed: 10 });
    expect(await stateOf('integrity')).toEqual(['provisional', ['false_rejection_rate']]);
    await labelled({ caught: 1, missed: 0, rejected: 0, passed: 20 });
    expect(await stateOf('integrity')).toEqual(['qualified', []]);
    expect(await evaluateTrust()).toEqual([]);
    const trust = await trustOf('integrity');
    expect(trust).toMatchObject({
      version: 1,
      judge: null,
      measures: { labels: 52, defects: 12, good: 40 },
    });
    const changes = await listTrustChanges(project, { verifier: 'integrity' });
    expect(changes.map(({ before, after }) => [before, after])).toEqual([
      ['provisional', 'qualified'],
      ['unmeasured', 'provisional'],
      [null, 'unmeasured'],
    ]);
    expect(changes[0]?.reason).toContain('both meet their targets');
    const { body } = await call('GET', '/v1/metrics/verifiers?verifier=integrity');
    expect((body.data as Record<string, unknown>[])[0]?.trust).toMatchObject({
      state: 'qualified',
      enforced: false,
      may_block: true,
      gaps: [],
    });
    const others = await createTestProject(runtime);
    expect(
      (await listTrust(others)).every(
        ({ state, checkedAt }) => state === 'unmeasured' && checkedAt === null,
      ),
    ).toBe(true);
  });

  test('stale by age, by the clock of the checking process; labels without a half-life stay', async () => {
    await labelled(enough);
    expect(await stateOf('integrity')).toEqual(['qualified', []]);
    expect(await stateOf('integrity', inDays(20))).toEqual(['qualified', []]);
    expect(await stateOf('integrity', inDays(200))).toEqual(['stale', ['label_age', 'label_age']]);
    await set({ halfLifeDays: 0 });
    expect(await stateOf('integrity', inDays(20_000))).toEqual(['qualified', []]);
  });

  test('stale by a new policy, and qualified again by labels under it; immediately by a new version of the verifier', async () => {
    await putPolicy(project, {
      verifier: 'integrity',
      body: 'Bad is what is wrong.',
      message: 'first',
    });
    await labelled(enough);
    expect(await stateOf('integrity')).toEqual(['qualified', []]);
    await putPolicy(project, {
      verifier: 'integrity',
      body: 'Bad is what misleads.',
      message: 'second',
    });
    expect(await stateOf('integrity')).toEqual(['stale', ['policy', 'labels', 'defects']]);
    await labelled(enough);
    expect(await stateOf('integrity')).toEqual(['qualified', []]);
    await updateSettings(project, { allowUserFigures: true });
    expect(await trustOf('integrity')).toMatchObject({
      version: 2,
      state: 'stale',
      gaps: [{ what: 'config' }],
    });
    expect(await stateOf('integrity')).toEqual(['stale', ['config', 'labels', 'defects']]);
  });

  test('stale by drift of an anchor set, from the run that detected it; retiring the set removes it', async () => {
    await labelled(enough);
    expect(await stateOf('integrity')).toEqual(['qualified', []]);
    const { projectId, sql } = project;
    await sql`insert into anchor_sets (project_id, id, verifier_slug, name, fingerprint, items, created_by)
      values (${projectId}, 'anc_1', 'integrity', 'weekly', 'f', 40, 'test')`;
    await sql`insert into anchor_items (project_id, set_id, ordinal, subject_kind, subject_id, revision, content_hash, excerpt, good, policy)
      select ${projectId}, 'anc_1', n, 'turn', 's' || n, 1, 'h', '', n > 20, 0 from generate_series(1, 40) n`;
    const run = (id: string, wrong: number) => sql`
      with run as (
        insert into anchor_runs (project_id, id, set_id, verifier_version, started_at, ended_at)
        values (${projectId}, ${id}, 'anc_1', 1, clock_timestamp(), clock_timestamp())
      )
      insert into anchor_results (project_id, run_id, ordinal, outcome, cost_usd)
      select ${projectId}, ${id}, n, case when (n > 20) <> (n <= ${wrong}) then 'passed' else 'failed' end, 0 from generate_series(1, 40) n`;
    await run('r1', 0);
    await run('r2', 2);
    expect(await stateOf('integrity')).toEqual(['qualified', []]);
    await run('r3', 9);
    expect(await stateOf('integrity')).toEqual(['stale', ['drift', 'labels', 'defects']]);
    expect((await trustOf('integrity')).gaps[0]?.text).toContain(
      '7 of 40 items of the anchor set “weekly” had another outcome, 7 of them wrong',
    );
    await run('r4', 9);
    expect(await stateOf('integrity')).toEqual(['stale', ['drift', 'labels', 'defects']]);
    await sql`update anchor_sets set retired_at = now() where project_id = ${projectId}`;
    expect(await stateOf('integrity')).toEqual(['qualified', []]);
  });

  test('required slices must meet both targets by themselves', async () => {
    await labelled(enough);
    await labelled({ caught: 4, missed: 0, rejected: 0, passed: 10 }, 'claude-sonnet');
    await set({ requiredSlices: [{ by: 'model', value: 'gpt-4o' }] }, 'integrity');
    expect(await stateOf('integrity')).toEqual(['qualified', []]);
    await set({ requiredSlices: [{ by: 'model', value: 'claude-sonnet' }] }, 'integrity');
    expect(await stateOf('integrity')).toEqual(['provisional', ['slice', 'slice']]);
    expect(await putTrustSettings(project, { verifier: 'integrity', settings: null })).toHaveLength(
      1,
    );
    expect(await stateOf('integrity')).toEqual(['qualified', []]);
    await expect(set({}, 'nobodys')).rejects.toThrow('no verifier');
  });

  test('a check is due after a change, and then no longer', async () => {
    const mine = async () =>
      (await listTrustToCheck(runtime.ctx)).some(({ id }) => id === project.projectId);
    expect(await mine()).toBe(false);
    await labelled({ caught: 1, missed: 0, rejected: 0, passed: 0 });
    expect(await mine()).toBe(true);
    await recheckTrust(runtime.ctx, deps());
    expect(await mine()).toBe(false);
    // As if the label and the check were a minute old.
    await project.sql`update labels set created_at = created_at - interval '1 minute' where project_id = ${project.projectId}`;
    const age = () =>
      project.sql`update trust_states set looked_at = now() - interval '30 seconds' where project_id = ${project.projectId}`;
    await age();
    expect(await mine()).toBe(false);
    await set({ enforceTrust: true });
    expect(await mine()).toBe(true);
    await project.sql`update trust_states set looked_at = now() - interval '11 minutes' where project_id = ${project.projectId}`;
    await project.sql`delete from trust_settings where project_id = ${project.projectId}`;
    expect(await mine()).toBe(true);
  });
});

describe('enforce_trust', () => {
  const flagged = async () => {
    const { body } = await call('POST', '/v1/verify/integrity', {
      id: `v-${++serial}`,
      output: 'It is 73 %.',
      tools,
    });
    const issues = (body.issues as { code: string }[]).map(({ code }) => code);
    return [body.outcome, body.action, issues.includes('not_qualified')];
  };

  test('integrity may send back while nothing is enforced, and while it is qualified; the outcome is always the same; it steps down automatically', async () => {
    expect(await flagged()).toEqual(['failed', 'retry', false]);
    await set({ enforceTrust: true });
    expect(await flagged()).toEqual(['failed', 'accept_with_warning', true]);
    await labelled(enough);
    await evaluateTrust();
    expect(await flagged()).toEqual(['failed', 'retry', false]);
    await evaluateTrust(inDays(400));
    expect(await trustOf('integrity')).toMatchObject({
      state: 'stale',
      enforced: true,
      mayBlock: false,
    });
    expect(await flagged()).toEqual(['failed', 'accept_with_warning', true]);
    await set({ enforceTrust: false }, 'integrity');
    expect(await flagged()).toEqual(['failed', 'retry', false]);
  });

  test('a judge earns the right by its labels, loses it with another prompt, and another judge does not inherit it (R-59)', async () => {
    const provider = {
      kind: 'openai' as const,
      base_url: llm.baseUrl,
      api_key: 'sk-test',
      models: ['gpt-4o-mini', 'o3-mini'],
      enabled: true,
    };
    await putProvider(project, 'house', provider);
    await updateSettings(project, { defaultJudge: 'house:gpt-4o-mini' });
    await set({ enforceTrust: true, catchTarget: 0.6, falseRejectionTarget: 0.3 }, 'task');
    const task = async (output: string, more: object = {}) => {
      const sent = {
        success_criteria: ['Is clear'],
        scoring_mode: 'binary',
        task_output: output,
        wait_ms: 0,
        ...more,
      };
      const id = String((await call('POST', '/v1/verify/task', sent)).body.id);
      const work = await claimSlowWork(runtime.ctx, {
        owner: 'slow',
        projectId: project.projectId,
        id,
      });
      if (work !== null)
        await verifyClaimed(runtime.ctx, runtime.subjects, {
          owner: 'slow',
          claimed: [work],
          signal: new AbortController().signal,
          asks: true,
        });
      return id;
    };
    const actionOf = async (output: string, more?: object) =>
      (await call('GET', `/v1/verifications/${await task(output, more)}`)).body.action;
    expect(await actionOf('Something vague 0.')).toBe('accept_with_warning');
    const outcomes: object[] = [];
    for (let n = 1; n <= 22; n++)
      outcomes.push({
        verification_id: await task(n <= 10 ? `A vague word ${n}.` : `Disk ${n} is full.`),
        success: n > 10,
      });
    await call('POST', '/v1/outcomes', { outcomes });
    await drainRefreshQueue(runtime);
    expect(await stateOf('task')).toEqual(['qualified', []]);
    expect(await trustOf('task')).toMatchObject({
      judge: 'house/gpt-4o-mini',
      enforced: true,
      mayBlock: true,
    });
    expect(await actionOf('Something vague 53.')).toBe('retry');
    expect(await actionOf('Something vague 54.', { verifier_model: 'house:o3-mini' })).toBe(
      'accept_with_warning',
    );
    const slug = 'task-binary';
    const body = `${runtime.prompts.get(slug)?.body ?? ''}\nBe exact.\n`;
    const { version } = await savePrompt(project, runtime.prompts, {
      slug,
      body,
      message: 'exact',
    });
    await moveLabel(project, runtime.prompts, { slug, label: 'production', version });
    expect(await stateOf('task')).toEqual(['stale', ['config', 'labels', 'defects']]);
    expect(await actionOf('Something vague 55.')).toBe('accept_with_warning');
  });
});
