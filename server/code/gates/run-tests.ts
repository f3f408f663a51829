// The caller's tests: run in sandboxes, judged by the runner's own report.
import { randomBytes } from 'node:crypto';
import type { BoxJob, BoxResult } from '../../sandbox';
import { tierLimits } from '../tiers';
import type { GateFile, GateJob, GateResult, GateTests, TestRunner } from './gate';
import { type MutantRun, mutateTests } from './mutants';
import { environmentOfTests, type FailedRun } from './missing-modules';
import { receiptOf } from './receipt';
import { type Boxes, chargedMs } from './second-chance';
import { shownOutput } from './shown-output';
import { judgeTests, type JudgedTests } from './tests/judge-tests';
import { judgeStop } from './run-compile';
import { readReport, type TestReport } from './tests/report';
import { runnerKinds } from './tests/runners';
import type { IsolatedCall, RunnerKind, TestCall, TestInput } from './tests/test-call';
import type { Tool } from './tools';
import { toolchainVersion } from './toolchain';

type Tests = NonNullable<GateJob['runTests']>;

/**
 * All calls share the tier's time limit for a test run; the mutants that confirm a pass share it
 * again.
 */
export async function runTests(
  box: Boxes,
  job: GateJob,
  tests: Tests,
  signal: AbortSignal,
): Promise<GateResult> {
  const kind = runnerKinds[tests.runner];
  const fixed = whatRuns(job, tests, kind);
  const isolated =
    tests.isolated === true ? kind.isolatedCalls({ files: job.files, tests: tests.files }) : null;
  if (typeof isolated === 'string')
    return {
      ...fixed,
      ...none,
      evidence: null,
      status: 'neutral',
      reason: 'unproven',
      explanation: isolated,
    };
  const tool = kind.find();
  if (tool === null) return { ...fixed, ...none, status: 'neutral', reason: kind.missing };
  const calls = kind.calls({ files: job.files, tests: tests.files });
  if (calls.length === 0)
    return {
      ...fixed,
      ...none,
      status: 'failed',
      reason: `There is no test file that ${tests.runner} runs.`,
    };
  const limitMs = tierLimits[job.tier].testTimeoutMs;
  const given = [...job.files, ...tests.files];
  const excuse = (one: Ran): Promise<Ran> =>
    excuseEnvironment(one, { box, tool, language: kind.language, files: given, signal });
  const ran =
    isolated === null
      ? await runEach(calls, limitMs, async (call, wallMs) =>
          excuse(await runCall(box, tool, call, wallMs, signal)),
        )
      : await runEach(isolated, limitMs, async (call, wallMs) =>
          excuse(await runIsolated(box, tool, call, wallMs, signal)),
        );
  const last = ran.at(-1);
  const result = last?.result;
  const combined = combine(
    ran.map(({ judged }) => judged),
    (isolated ?? calls).length,
  );
  const confirming = { box, tool, kind, limitMs, signal, isIsolated: isolated !== null };
  const confirmed =
    combined.status === 'passed' ? await confirm(confirming, job.files, tests) : null;
  return {
    ...fixed,
    ...combined,
    ...confirmed?.unlessConfirmed,
    exitCode: result?.exitCode ?? null,
    stderr: result === undefined ? '' : shownOutput(Buffer.concat([result.stderr, result.stdout])),
    durationMs: Math.round(
      ran.reduce((sum, one) => sum + one.result.durationMs, confirmed?.durationMs ?? 0),
    ),
    receipt:
      last === undefined || last.result.end === 'setup'
        ? null
        : receiptOf(last.argv, given, last.result, await toolchainVersion(box, tool, signal)),
  };
}

/** The facts known before anything runs. */
const whatRuns = (job: GateJob, tests: Tests, { language }: RunnerKind) => ({
  command: commandOf(tests),
  language,
  tier: job.tier,
  kind: 'test' as const,
  evidence: tests.isolated === true ? ('isolated' as const) : ('in_process' as const),
  explanation: null,
});

/** The result of a run that did not happen. */
const none = {
  exitCode: null,
  stderr: '',
  durationMs: 0,
  receipt: null,
  tests: null,
  explanation: null,
};

interface Confirming {
  readonly box: Boxes;
  readonly tool: Tool;
  readonly kind: RunnerKind;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly isIsolated: boolean;
}

interface Confirmed {
  /** Null if every mutant failed. */
  readonly unlessConfirmed: JudgedTests | null;
  readonly durationMs: number;
}

/**
 * A pass counts only if tests that must fail do fail (S-118). Code in another sandbox cannot reach
 * the tests, but a comparison in a test may call a method of an object of the code; so if mutants
 * can be made, they must fail there too.
 */
async function confirm(
  run: Confirming,
  files: readonly GateFile[],
  tests: Tests,
): Promise<Confirmed> {
  let usedMs = 0;
  const unproven = (explanation: string): Confirmed => ({
    unlessConfirmed: { status: 'neutral', reason: 'unproven', explanation, tests: null },
    durationMs: usedMs,
  });
  const mutants = (await mutateTests(tests.runner, tests.files, run.kind.isTest)) ?? [];
  if (!run.isIsolated && mutants.every(({ mustFail }) => mustFail.length === 0))
    return unproven('No copy of the tests that must fail could be created.');
  for (const { tests: mutated, mustFail } of mutants) {
    for (const { settings, runFor } of callsOf(run, { files, tests: mutated })) {
      const mustFailHere = mustFail.filter(({ path }) => isRunBy(settings, path));
      if (mustFailHere.length === 0) continue;
      const leftMs = Math.max(run.limitMs - usedMs, 1);
      const { result, report } = await runFor(leftMs);
      usedMs += chargedMs(result, leftMs);
      const stopped = judgeStop(result);
      if (stopped?.status === 'not_run')
        return { unlessConfirmed: { ...stopped, tests: null }, durationMs: usedMs };
      const survivor = survivorOf(mustFailHere, report, tests.runner);
      if (survivor === null) continue;
      if (stopped !== null)
        return unproven(
          `Copies of the tests that must fail did not run to their end: ${stopped.reason}`,
        );
      return unproven(
        `A copy of a test in ${survivor}, changed so that it must fail, did not fail: the code controls its test results.`,
      );
    }
  }
  return { unlessConfirmed: null, durationMs: usedMs };
}

/**
 * Python's runner lists the required tests from the sources: a function that is named like a test,
 * but not collected by any runner, is not in that list.
 * @returns path of the file of a mutant that did not fail; null if all failed
 */
function survivorOf(
  mustFail: MutantRun['mustFail'],
  report: TestReport,
  runner: TestRunner,
): string | null {
  const [expected, failed] = [[...report.expected], [...report.failed.keys()]];
  const isPython = runner === 'unittest' || runner === 'pytest';
  const isTest = (id: string): boolean => !isPython || expected.some((one) => one.includes(id));
  return (
    mustFail.find(({ id }) => isTest(id) && !failed.some((one) => one.includes(id)))?.path ?? null
  );
}

interface MutantCall {
  readonly settings: TestCall['settings'];
  readonly runFor: (wallMs: number) => Promise<Reported>;
}

function callsOf(
  { box, tool, kind, signal, isIsolated }: Confirming,
  input: TestInput,
): readonly MutantCall[] {
  if (!isIsolated)
    return kind.calls(input).map((call) => ({
      settings: call.settings,
      runFor: (ms) => runOnce(box, tool, call, ms, signal),
    }));
  const calls = kind.isolatedCalls(input);
  if (typeof calls === 'string') return [];
  return calls.map((call) => ({
    settings: call.tests.settings,
    runFor: (ms) => runIsolated(box, tool, call, ms, signal),
  }));
}

/** A call runs one file, or several. */
function isRunBy({ test, tests }: TestCall['settings'], path: string): boolean {
  return test === path || (Array.isArray(tests) && tests.includes(path));
}

function commandOf({ runner, files }: Tests): string {
  const paths = files.slice(0, 3).map(({ path }) => path);
  return `${runner} ${paths.join(' ')}${files.length > 3 ? ' …' : ''}`.slice(0, 300);
}

interface Reported {
  readonly argv: readonly string[];
  readonly result: BoxResult;
  readonly report: TestReport;
}

interface Ran extends Reported {
  readonly judged: JudgedTests;
}

/** A failure caused only by the environment does not count. */
async function excuseEnvironment(
  one: Ran,
  run: Omit<FailedRun, 'report' | 'output'>,
): Promise<Ran> {
  if (one.judged.status !== 'failed') return one;
  const reason = await environmentOfTests({
    ...run,
    report: one.report,
    output: one.result.stdout.toString(),
  });
  return reason === null
    ? one
    : { ...one, judged: { status: 'neutral', reason, explanation: null, tests: null } };
}

const isExcused = ({ status, reason }: JudgedTests): boolean =>
  status === 'neutral' && reason !== 'unproven';

/**
 * Runs the calls in sequence until one does not pass, since later ones could not turn the result
 * into a pass. An excused failure must not hide a real one.
 */
async function runEach<T>(
  calls: readonly T[],
  totalMs: number,
  run: (call: T, wallMs: number) => Promise<Ran>,
): Promise<readonly Ran[]> {
  const ran: Ran[] = [];
  let leftMs = totalMs;
  for (const call of calls) {
    const one = await run(call, Math.max(leftMs, 1));
    ran.push(one);
    leftMs -= chargedMs(one.result, Math.max(leftMs, 1));
    if (one.judged.status !== 'passed' && !isExcused(one.judged)) break;
  }
  return ran;
}

async function runCall(
  box: Boxes,
  tool: Tool,
  call: TestCall,
  wallMs: number,
  signal: AbortSignal,
): Promise<Ran> {
  const reported = await runOnce(box, tool, call, wallMs, signal);
  return { ...reported, judged: judgeTests(reported.result, reported.report) };
}

async function runOnce(
  box: Boxes,
  tool: Tool,
  call: TestCall,
  wallMs: number,
  signal: AbortSignal,
): Promise<Reported> {
  const nonce = randomBytes(16).toString('hex');
  const argv = [tool.program, ...tool.args, ...call.args] as const;
  const input = JSON.stringify({ ...call.settings, nonce });
  const { files, tools, env } = call;
  const result = await box.run(
    {
      files,
      tools,
      env,
      command: argv,
      binds: tool.binds,
      input,
      report: true,
      limits: { wallMs },
    },
    signal,
  );
  return { argv, result, report: readReport(result.report, nonce) };
}

/**
 * Runs the tests in one sandbox and the code in another, where it sees neither the tests nor the
 * expected values.
 */
async function runIsolated(
  box: Boxes,
  tool: Tool,
  { tests, code }: IsolatedCall,
  wallMs: number,
  signal: AbortSignal,
): Promise<Ran> {
  const nonce = randomBytes(16).toString('hex');
  const jobOf = (
    { files, tools, env, args, settings }: TestCall,
    more: Readonly<Record<string, string>>,
  ): BoxJob => ({
    files,
    tools,
    env,
    command: [tool.program, ...tool.args, ...args],
    binds: tool.binds,
    input: JSON.stringify({ ...settings, ...more }),
    limits: { wallMs },
  });
  const [first, second] = [{ ...jobOf(tests, { nonce }), report: true }, jobOf(code, {})];
  const [result, other] = await box.runPair([first, second], signal);
  const report = readReport(result.report, nonce);
  const judged = judgeTests(result, report);
  // Normally the sandbox of the code ends with that of the tests; any other end counts as its own.
  const stopped =
    other === null || other.end === 'interrupted' || result.end === 'interrupted'
      ? null
      : judgeStop(other);
  const shown = {
    ...result,
    stdout: Buffer.concat([result.stdout, other?.stderr ?? Buffer.alloc(0)]),
  };
  return {
    argv: first.command,
    result: shown,
    report,
    judged:
      stopped === null || judged.status === 'passed' ? judged : { ...stopped, tests: judged.tests },
  };
}

function combine(judged: readonly JudgedTests[], planned: number): JudgedTests {
  const tests = judged
    .flatMap((one) => one.tests ?? [])
    .reduce<GateTests | null>((sum, one) => (sum === null ? one : addTests(sum, one)), null);
  const bad = judged.filter(({ status }) => status !== 'passed');
  const worst = bad.find((one) => !isExcused(one)) ?? bad[0];
  if (worst !== undefined) return { ...worst, tests: worst.status === 'neutral' ? null : tests };
  return judged.length === planned
    ? { status: 'passed', reason: null, explanation: null, tests }
    : { status: 'not_run', reason: 'Not all tests were run.', explanation: null, tests };
}

function addTests(a: GateTests, b: GateTests): GateTests {
  return {
    expected: a.expected + b.expected,
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures].slice(0, 20),
  };
}
