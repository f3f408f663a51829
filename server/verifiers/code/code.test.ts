import { describe, expect, test } from 'vitest';
import {
  contextWith,
  plainPrompt,
  rubricReply,
  type Script,
  scriptedAsk,
} from '../../../testing/scripted-judge';
import { deriveOutcome } from '../../domain';
import type { GateResult } from '../../code';
import { resolveThresholds } from '../../thresholds';
import type { EarlierVerdict, JudgedDecision, RunSetting } from '../kind';
import { walkPlan } from '../walk';
import { code } from './index';
import { CodeConfig } from './config';
import { CodeDetail } from './detail';
import { CodeSubject } from './subject';

const server =
  "from flask import Flask\napp = Flask(__name__)\n@app.route('/api/tasks')\ndef tasks():\n    return [task.name for task in Task.all()]\n";
const models =
  'class Task:\n    def __init__(self, name):\n        self.name = name\n    @staticmethod\n    def all():\n        return [Task("write"), Task("read")]\n';

const contract = {
  deliverables: ['server.py', 'models.py'],
  framework: 'Flask',
  patterns: [
    { pattern: 'from flask import', kind: 'hard', path: 'server.py' },
    { pattern: '/api/tasks', kind: 'hard', path: 'server.py' },
    { pattern: 'class Task', kind: 'soft', path: 'models.py' },
  ],
};

const files = (all: Readonly<Record<string, string>>) =>
  Object.entries(all).map(([path, content]) => ({ path, content }));
const whole = {
  request: 'Create server.py and models.py with a Flask API',
  model: 'qwen2.5-coder-14b',
  contract,
  files: files({ 'server.py': server, 'models.py': models }),
};

const gate = (status: GateResult['status'], more: Partial<GateResult> = {}): GateResult => ({
  command: 'python -m compileall -q .',
  language: 'python',
  status,
  exitCode: status === 'passed' ? 0 : 1,
  stderr: status === 'failed' ? '*** Error compiling ./server.py ...' : '',
  durationMs: 12,
  tier: 'medium',
  kind: 'compile',
  reason: status === 'passed' ? null : `it ${status}`,
  explanation: null,
  evidence: null,
  receipt: null,
  tests: null,
  ...more,
});

interface Given {
  readonly gates?: readonly GateResult[];
  readonly session?: readonly EarlierVerdict[];
  readonly setting?: Partial<RunSetting<CodeConfig>>;
  readonly script?: Script;
  readonly thresholds?: Readonly<Record<string, number>>;
}

async function verify(
  changes: object,
  { gates = [gate('passed')], session = [], setting = {}, script, thresholds = {} }: Given = {},
) {
  const subject = CodeSubject.parse(
    JSON.parse(JSON.stringify(CodeSubject.parse({ ...whole, ...changes }))),
  );
  const all: RunSetting<CodeConfig> = {
    config: CodeConfig.parse({}),
    thresholds: resolveThresholds(
      { verifier: 'code', missionId: null, taskId: null },
      [],
      new Map(Object.entries(thresholds)),
    ),
    retries: { used: 0, budget: 2 },
    prompts: new Map([
      [
        'code-semantic',
        {
          ...plainPrompt('{{task}}\n{{criteria}}\n{{context}}\n{{output}}\n{{format}}'),
          version: 'code-semantic@1',
        },
      ],
    ]),
    judges: script === undefined ? [] : ['j:one'],
    fallbackJudges: [],
    whyNone: 'no provider is configured',
    notJudged: null,
    cached: null,
    session,
    project: { neutralProof: 'literal', semanticJudge: script !== undefined },
    ...setting,
  };
  const { ask, requests } = scriptedAsk(script ?? (() => ({ errorClass: 'no_provider' })));
  const walk = await walkPlan(code.plan(subject, all), {
    ...contextWith(ask),
    gates: () => Promise.resolve(gates),
  });
  const decided = code.decide(walk, subject, all);
  expect(CodeDetail.parse(JSON.parse(JSON.stringify(decided.detail)))).toEqual(decided.detail);
  return { decided, detail: decided.detail, walk, requests };
}

/** The decision in the form in which the session's next run receives it. */
const earlier = (decided: JudgedDecision<CodeDetail>, minute: number): EarlierVerdict => ({
  verdict: decided.verdict,
  score: decided.score,
  detail: JSON.parse(JSON.stringify(decided.detail)) as unknown,
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)),
});

/**
 * Runs tries in sequence in one session, each as the repair of the one before unless specified
 * otherwise.
 */
async function inSession(
  runs: readonly object[],
  given: Given = {},
): Promise<readonly Awaited<ReturnType<typeof verify>>[]> {
  const done: Awaited<ReturnType<typeof verify>>[] = [];
  for (const [i, changes] of runs.entries()) {
    const session = done.map(({ decided }, minute) => earlier(decided, minute)).toReversed();
    done.push(await verify({ repair: i, ...changes }, { ...given, session }));
  }
  return done;
}

const poor = {
  files: files({
    'server.py': server.replace('/api/tasks', '/items'),
    'models.py': 'class Other:\n    pass\n',
  }),
};
const poorer = { files: files({ 'server.py': 'def tasks():\n    pass\n', 'models.py': '\n' }) };
const better = {
  files: files({ 'server.py': server.replace('/api/tasks', '/items'), 'models.py': models }),
};

describe('verdict', () => {
  test('QEL-13 QEL-14 QEL-18 QEL-20 QEL-21 whole work that compiles has 100 points and passes', async () => {
    const { decided, detail } = await verify({});
    expect(decided).toMatchObject({
      verdict: 'PASS',
      action: 'accept',
      score: 100,
      issues: [],
      needsHumanReview: false,
    });
    expect(detail.points).toMatchObject({
      files: 5,
      patterns: 35,
      framework: 15,
      complete: 15,
      proof: 30,
      total: 100,
      max: { proof: 30, total: 100 },
    });
    expect(detail.patterns[1]).toMatchObject({
      how: 'exact',
      matched: true,
      path: 'server.py',
      line: 3,
    });
    expect(detail).toMatchObject({
      tier: 'medium',
      tier_assumed: false,
      pass_threshold: 75,
      nudge: null,
      structural_multiplier: 1,
    });
  });

  test('QEL-16 QEL-17 a wrong framework fails at 85 points and more', async () => {
    const fastapi =
      'from fastapi import FastAPI\nfrom flask import Flask\napp = FastAPI()\n@app.get("/api/tasks")\ndef tasks():\n    return [task.name for task in Task.all()]\n';
    const { decided, detail } = await verify({
      model: 'claude-3-5-sonnet',
      files: files({ 'server.py': fastapi, 'models.py': models }),
    });
    expect(detail).toMatchObject({
      tier: 'xlarge',
      pass_threshold: 85,
      framework: { expected: 'Flask', found: 'FastAPI', violation: true },
    });
    expect(decided).toMatchObject({ verdict: 'FAIL', score: 85, action: 'retry' });
    expect(detail.nudge).toContain('1. REWRITE server.py: Use Flask, not FastAPI.');
  });

  test('QEL-20 what does not compile has 50 points at most, and fails in every tier', async () => {
    const { decided } = await verify({ model: 'tiny-1b' }, { gates: [gate('failed')] });
    expect(decided).toMatchObject({ verdict: 'FAIL', score: 50 });
  });

  test.each([
    ['tinyllama-1.1b', 55],
    ['llama-3-8b', 65],
    ['qwen-14b', 75],
    ['mixtral-8x7b', 80],
    ['gpt-4o-mini', 85],
    ['nobody-knows', 75],
    [null, 75],
  ])('QEL-23 QEL-26 %s passes from %s points', async (model, threshold) => {
    const { detail } = await verify({ model });
    expect(detail).toMatchObject({
      pass_threshold: threshold,
      tier_assumed: model === null || model === 'nobody-knows',
    });
  });

  test('QEL-26 the threshold of the project or the call is compared with, and stored', async () => {
    const { decided, detail } = await verify(
      {},
      { gates: [gate('timeout')], thresholds: { medium: 70 } },
    );
    expect(decided).toMatchObject({ verdict: 'PASS', score: 70 });
    expect(detail.pass_threshold).toBe(70);
  });

  test('QEL-29 proof that the environment could not give: literal fails without a nudge, rescaled passes', async () => {
    const literal = await verify({}, { gates: [gate('neutral')] });
    expect(literal.decided).toMatchObject({
      verdict: 'FAIL',
      score: 70,
      feedback: null,
      needsHumanReview: true,
    });
    expect(literal.detail).toMatchObject({
      nudge: null,
      proof_notes: ['python -m compileall -q .: it neutral'],
    });
    expect(literal.detail.no_nudge).toContain('proof');
    const setting = { project: { neutralProof: 'rescale' as const, semanticJudge: false } };
    expect((await verify({}, { gates: [gate('neutral')], setting })).decided).toMatchObject({
      verdict: 'PASS',
      score: 100,
    });
  });

  test('QEL-31 a gate out of time is an issue, and caps nothing', async () => {
    const { decided } = await verify({}, { gates: [gate('timeout')] });
    expect(decided).toMatchObject({ verdict: 'FAIL', score: 70 });
    expect(decided.issues.map(({ code: each }) => each)).toEqual(['gate_timeout']);
  });

  test('QEL-32 languages without a gate are reported, and no gate runs', async () => {
    const { detail, walk } = await verify({
      contract: { deliverables: ['a.rb'] },
      files: files({ 'a.rb': 'class Task\n  def run\n    puts :done\n  end\nend\n' }),
    });
    expect(detail.proof_notes).toEqual(['No proof gate available for .rb. Code was not verified.']);
    expect(walk.scores.map(({ evaluator }) => evaluator)).not.toContain('code.gates@1');
  });

  test.each([
    ['would decide', {}, null, 'inconclusive'],
    ['would not decide: too little', poorer, 'FAIL', 'failed'],
    ['would not decide: enough already', { model: 'tiny-1b' }, 'PASS', 'passed'],
  ])('X-3 gates that were not run %s', async (_, changes, verdict, outcome) => {
    const { decided } = await verify(changes, { gates: [gate('not_run')] });
    expect(decided.verdict).toBe(verdict);
    expect(deriveOutcome(decided.verdict)).toBe(outcome);
    expect(decided.issues.map(({ code: each }) => each)).toContain('gate_not_run');
  });

  test('QEL-18 an unrequested framework is reported, and costs no points', async () => {
    const { decided } = await verify({ contract: { ...contract, framework: null } });
    expect(decided).toMatchObject({
      verdict: 'PASS',
      score: 100,
      issues: [{ code: 'unasked_framework', severity: 'low' }],
    });
  });

  test('QEL-50 the report of a PASS states its limits', async () => {
    expect((await verify({})).detail.report).toContain('nothing about whether it is right');
  });
});

describe('when it runs', () => {
  const asked = { contract: null, request: 'What does server.py do?' };
  test.each([
    ['QEL-2 a question', asked, true],
    ['QEL-1 a creation task', { ...asked, request: 'Create a Flask API in server.py' }, false],
    ['forced', { ...asked, force: true }, false],
    ['with a contract', { ...asked, contract }, false],
    ['with tests', { ...asked, run_tests: { runner: 'pytest', files: [] } }, false],
  ])('QEL-1 %s: skipped %s', async (_, changes, isSkipped) => {
    const { decided, walk } = await verify(changes);
    expect(decided.skipped != null).toBe(isSkipped);
    expect(walk.scores.length === 0).toBe(isSkipped);
    expect(decided.verdict === null && decided.score === null && decided.action === 'none').toBe(
      isSkipped,
    );
  });

  test.each([
    ['../x.py', 'must not leave its folder'],
    ['a/../../x.py', 'must not leave its folder'],
    ['/etc/passwd', 'must be relative'],
    ['C:/x.py', 'must be relative'],
    ['a\\b.py', 'backslash'],
    ['a\u0000.py', 'control character'],
    ['a//b.py', 'empty part'],
  ])('QEL-34 the path %j is refused by name', (path, message) => {
    const refused = CodeSubject.safeParse({ ...whole, files: [{ path, content: '' }] });
    expect(refused.error?.issues[0]).toMatchObject({ path: ['files', 0, 'path'] });
    expect(refused.error?.issues[0]?.message).toContain(message);
  });

  test.each([
    [
      'twice',
      [
        { path: 'a.py', content: '' },
        { path: './a.py', content: 'x' },
      ],
      'has the path twice: "a.py"',
    ],
    [
      'file and folder',
      [
        { path: 'a', content: '' },
        { path: 'a/b', content: '' },
      ],
      'is both a file and a folder: "a"',
    ],
  ])('QEL-34 a path that is there %s is refused by name', (_, all, message) => {
    expect(CodeSubject.safeParse({ ...whole, files: all }).error?.issues[0]?.message).toBe(message);
  });

  test('QEL-34 a test that would replace a file is refused, the same file sent twice is not', () => {
    const test = (content: string) =>
      CodeSubject.safeParse({
        ...whole,
        run_tests: { runner: 'node', files: [{ path: 'server.py', content }] },
      }).success;
    expect([test(server), test('other')]).toEqual([true, false]);
  });
});

describe('repair', () => {
  test('QEL-35 the nudge has numbered lines: what must be rewritten, then what must be patched', async () => {
    const { detail, decided } = await verify({ ...poor, files: [...poor.files] });
    const lines = (detail.nudge ?? '').split('\n').slice(1);
    expect(lines).toEqual([
      '1. REWRITE server.py: Missing REQUIRED patterns: /api/tasks.',
      expect.stringMatching(
        /^2\. PATCH models\.py: Add: class Task\. Implement: Other \(line 1\)\./u,
      ),
    ]);
    expect(decided).toMatchObject({ action: 'retry', feedback: detail.nudge });
    const missing = await verify({
      files: files({ 'models.py': models, 'main.py': 'from fastapi import FastAPI\n' }),
    });
    expect(missing.detail.nudge).toContain(
      'REWRITE server.py: The file is missing. Missing REQUIRED patterns: from flask import, /api/tasks.',
    );
    expect(missing.detail.nudge).toContain('REWRITE main.py: Use Flask, not FastAPI.');
  });

  test('QEL-35 failed gates are reported with the output of the tool', async () => {
    const { detail } = await verify(
      {},
      { gates: [gate('failed', { stderr: 'Sorry: File "./server.py", line 3' })] },
    );
    expect(detail.nudge).toContain(
      '1. PATCH server.py: python -m compileall -q . failed: Sorry: File "./server.py", line 3',
    );
  });

  test('QEL-36 QEL-37 the budget is two; without getting better there is no third', async () => {
    const runs = await inSession([poor, poor, poor]);
    expect(runs.map(({ detail }) => detail.nudge !== null)).toEqual([true, true, false]);
    const last = runs[2]?.detail;
    expect(last?.repair).toMatchObject({ iteration: 2, budget: 2, bonus_granted: false });
    expect(last?.repair.exhausted_note).toMatch(
      /^Repair budget exhausted \(2 attempts\)\. Score: \d+\/100\. Details: server\.py: /u,
    );
    expect(runs[2]?.decided).toMatchObject({ action: 'escalate', needsHumanReview: true });
  });

  test('QEL-36 a last repair that was better than the one before earns one more, and no fourth', async () => {
    const runs = await inSession([poor, poorer, poor, poor, poor]);
    expect(runs.map(({ detail }) => detail.repair.bonus_granted)).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(runs.map(({ detail }) => detail.nudge !== null)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(runs[3]?.detail.repair.exhausted_note).toContain('(3 attempts)');
  });

  test('QEL-37 the note names the missing parts', async () => {
    const runs = await inSession([poor, poor, { files: files({ 'models.py': models }) }]);
    expect(runs[2]?.detail.repair.exhausted_note).toMatch(
      /Score: \d+\/100\. Missing: server\.py\. Details: /u,
    );
  });

  test('QEL-38 after three failed repairs in the session the nudge asks for a new plan; a success resets the count', async () => {
    const runs = await inSession([
      poor,
      poor,
      poor,
      { ...poor, repair: 0 },
      { ...poor, repair: 1 },
    ]);
    expect(runs.map(({ detail }) => detail.repair.consecutive_failures)).toEqual([0, 1, 2, 2, 3]);
    expect(runs[4]?.detail.nudge).toMatch(
      /^STOP - your repairs are not working\. Step back and re-plan/u,
    );
    const repaired = await inSession([
      poor,
      poor,
      poor,
      { repair: 3 },
      { ...poor, repair: 0 },
      { ...poor, repair: 1 },
    ]);
    expect(repaired[5]?.detail.repair.consecutive_failures).toBe(1);
  });

  const single = {
    contract: { ...contract, deliverables: ['server.py'], patterns: contract.patterns.slice(0, 2) },
  };
  test.each([
    [
      'written',
      { ...single, files: files({ 'server.py': server.replace('/api/tasks', '/items') }) },
      false,
    ],
    ['missing', { ...single, files: files({ 'models.py': models }) }, true],
    [
      'in the wrong framework',
      { ...single, files: files({ 'server.py': 'from fastapi import FastAPI\n' }) },
      true,
    ],
    [
      'cut off',
      {
        ...single,
        tool_results: ['wrote 4 KiB [Truncated]'],
        files: files({ 'server.py': 'import flask' }),
      },
      true,
    ],
  ])('QEL-39 a single file that was %s: nudged %s', async (_, changes, isNudged) => {
    const { detail } = await verify(changes, { gates: [gate('timeout')] });
    expect(detail.nudge !== null).toBe(isNudged);
  });

  test.each([['[Truncated at 8192 bytes]'], [{ stop_reason: 'max_tokens' }]])(
    'QEL-40 %j asks to continue before anything else',
    async (result) => {
      const { detail } = await verify({ ...poor, tool_results: ['ok', result] });
      expect(detail.nudge).toBe(
        'The file was truncated. Use file_system append from exactly where it stopped.',
      );
      expect(detail.truncated).toBe(true);
    },
  );

  test('QEL-41 the trajectory has the newest first, ten at most, and only of this task', async () => {
    const runs = await inSession([poor, poor, { ...poor, repair: 0 }, { ...better, repair: 1 }]);
    expect(runs[3]?.detail.trajectory.map(({ iteration, at }) => [iteration, at])).toEqual([
      [1, null],
      [0, '2026-01-01T00:02:00.000Z'],
    ]);
    const many = await inSession(Array.from({ length: 13 }, () => poor));
    expect(many[12]?.detail.trajectory.map(({ iteration }) => iteration)).toEqual([
      12, 11, 10, 9, 8, 7, 6, 5, 4, 3,
    ]);
  });

  test('QEL-42 files that were written three times without getting better end the loop', async () => {
    const other = (text: string) => ({
      files: poor.files.map(({ path, content }) => ({ path, content: `${content}# ${text}\n` })),
    });
    const setting = { retries: { used: 0, budget: 6 } };
    const runs = await inSession([other('a'), other('b'), other('c')], { setting });
    expect(runs.map(({ detail }) => detail.nudge !== null)).toEqual([true, true, false]);
    expect(runs[2]?.detail.no_nudge).toContain('three times');
  });

  test('QEL-48 three failures in a row in one session suggest a larger model', async () => {
    const runs = await inSession([poor, poor, { ...poor, repair: 0 }]);
    expect(runs.map(({ detail }) => detail.boost_suggestion !== null)).toEqual([
      false,
      false,
      true,
    ]);
    const passed = await inSession([poor, poor, {}, poor]);
    expect(passed[3]?.detail.boost_suggestion).toBeNull();
  });
});

test('QEL-20 tests that were sent along and failed, or did not end, fail a work that its points would pass', async () => {
  for (const status of ['failed', 'timeout'] as const) {
    const { decided } = await verify(
      { model: 'tinyllama-1b' },
      { gates: [gate('passed'), gate(status, { kind: 'test' })] },
    );
    expect(decided, status).toMatchObject({ verdict: 'FAIL', score: 85 });
  }
});

describe('semantic judge', () => {
  const xlarge = {
    model: 'claude-3-5-sonnet',
    contract: {
      ...contract,
      patterns: [
        ...contract.patterns,
        { pattern: 'delete_every_task', kind: 'hard', path: 'server.py' },
      ],
    },
  };
  const scores =
    (score: number): Script =>
    ({ nonce }) =>
      rubricReply(nonce, [score, score]);

  test('QEL-49 within the band a judge adds up to 15 points, in a separate bar', async () => {
    const { decided, detail, requests } = await verify(xlarge, {
      script: scores(5),
      gates: [gate('passed'), gate('timeout')],
    });
    expect(requests).toHaveLength(1);
    expect(detail.points).toMatchObject({
      proof: 15,
      patterns: 25,
      semantic: 15,
      total: 90,
      max: { semantic: 15 },
    });
    expect(decided).toMatchObject({ verdict: 'PASS', judgeCost: { calls: 1 } });
  });

  test.each([
    ['above the band', xlarge, [gate('passed')], 0],
    [
      'of a small model',
      { ...xlarge, model: 'llama-8b' },
      [gate('passed'), gate('failed', { kind: 'test' })],
      0,
    ],
    ['what does not compile', xlarge, [gate('failed')], 0],
  ])('QEL-49 nobody is asked %s', async (_, changes, gates, calls) => {
    const { requests, detail } = await verify(changes, { script: scores(5), gates });
    expect(requests).toHaveLength(calls);
    expect(detail.points.semantic).toBeUndefined();
  });

  test('QEL-49 a judge that breaks adds nothing, and decides nothing', async () => {
    const gates = [gate('passed'), gate('failed', { kind: 'test' })];
    const { decided, detail } = await verify(xlarge, {
      script: () => ({ errorClass: 'timeout' }),
      gates,
    });
    expect(decided).toMatchObject({ verdict: 'FAIL', score: 75 });
    expect(detail.semantic).toMatchObject({ asked: true, value: null });
  });

  test('QEL-49 switched off there is no node that waits for a judge', async () => {
    const setting = { project: { neutralProof: 'literal' as const, semanticJudge: false } };
    const { walk } = await verify(xlarge, { script: scores(5), setting });
    expect(walk.scores.map(({ evaluator }) => evaluator)).not.toContain('judges.semantic@1');
  });
});
