// One compile gate: the tool's exit code decides, and a diagnostic that is not the code's fault is
// not a failure.
import type { ModelTier } from '../../domain';
import type { BoxJob, BoxResult } from '../../sandbox';
import { findNewerSyntax } from '../structure';
import { tierLimits } from '../tiers';
import type { CompileCall, CompileEnd, CompileGate } from './compile';
import type { GateFile, GateResult } from './gate';
import { gateLanguageOf } from './languages';
import { receiptOf } from './receipt';
import type { Boxes } from './second-chance';
import { shownOutput } from './shown-output';
import { toolchainVersion } from './toolchain';
import type { Tool } from './tools';

/** A gate during an agent's work may take a third of the time of one at its end (QEL-33). */
const microShare = 1 / 3;

export async function runCompile(
  box: Boxes,
  gate: CompileGate,
  job: { readonly files: readonly GateFile[]; readonly tier: ModelTier; readonly micro: boolean },
  signal: AbortSignal,
): Promise<GateResult> {
  const fixed = {
    command: gate.command,
    language: gate.language,
    tier: job.tier,
    kind: 'compile' as const,
    evidence: null,
    tests: null,
  };
  const tool = gate.find();
  if (tool === null) {
    return {
      ...fixed,
      status: 'neutral',
      exitCode: null,
      stderr: '',
      durationMs: 0,
      reason: gate.missing,
      explanation: null,
      receipt: null,
    };
  }
  const { files, env, tools, command } = startOf(gate, tool, job.files);
  const wallMs = Math.round(tierLimits[job.tier].compileTimeoutMs * (job.micro ? microShare : 1));
  const result = await box.run(
    {
      files,
      tools: tools ?? [],
      command,
      binds: tool.binds,
      env,
      report: true,
      limits: { wallMs },
    },
    signal,
  );
  const output = Buffer.concat([result.stderr, result.stdout]);
  return {
    ...fixed,
    ...(await judge(gate, result, job.files, () => toolchainVersion(box, tool, signal))),
    exitCode: result.exitCode,
    stderr: shownOutput(
      gate.shown === undefined ? output : Buffer.from(gate.shown(output.toString())),
    ),
    durationMs: Math.round(result.durationMs),
    receipt:
      result.end === 'setup'
        ? null
        : receiptOf(command, files, result, await toolchainVersion(box, tool, signal)),
  };
}

/** The tool itself has no access to the report: only the later queries write to it. */
function startOf(
  gate: CompileGate,
  tool: Tool,
  given: readonly GateFile[],
): Omit<CompileCall, 'args' | 'ask'> & { readonly command: BoxJob['command'] } {
  const { args, ask, ...call } = gate.prepare(given);
  const start = [tool.program, ...tool.args, ...args] as const;
  if (ask === undefined) return { ...call, command: start };
  const { whenPassed = ':', whenFailed = ':' } = ask;
  const script = `"$0" "$@" 3>&- || { code=$?; { ${whenFailed}; } >&3; exit $code; }; { ${whenPassed}; } >&3`;
  return { ...call, command: ['/bin/sh', '-c', script, ...start] };
}

type Judged = Pick<GateResult, 'status' | 'reason' | 'explanation'>;

async function judge(
  gate: CompileGate,
  result: BoxResult,
  files: readonly GateFile[],
  askVersion: () => Promise<string | null>,
): Promise<Judged> {
  const stopped = judgeStop(result);
  if (stopped !== null) return stopped;
  const [stdout, stderr, report] = [result.stdout, result.stderr, result.report].map((bytes) =>
    bytes.toString(),
  );
  const end = {
    stdout: stdout ?? '',
    stderr: stderr ?? '',
    report: report ?? '',
    files,
    version: null,
    newer: [],
  };
  if (result.exitCode === 0) return judgeSuccess(gate, end);
  const judged = (status: GateResult['status'], reason: string): Judged => ({
    status,
    reason,
    explanation: null,
  });
  // 126 and 127: the program could not be started, which is not the code's fault (QEL-30).
  if (result.exitCode === 126 || result.exitCode === 127)
    return judged('neutral', `${gate.missing} (exit ${result.exitCode})`);
  const version = await askVersion();
  const newer = gate.readsNewer === true ? await findNewerSyntax(files) : [];
  const environment = gate.environmentFault({ ...end, version, newer });
  if (environment !== null) return judged('neutral', environment);
  return judged('failed', `${gate.command} ended with exit code ${result.exitCode}.`);
}

/**
 * A success counts for the files that the tool compiled, and only if no other program could answer
 * in its place (S-118, S-119).
 */
function judgeSuccess(gate: CompileGate, end: CompileEnd): Judged {
  const left = gate.leftOut(end);
  const own = end.files.filter(({ path }) => gateLanguageOf(path) === gate.language);
  const [first] = left;
  if (first !== undefined) {
    const more = left.length > 1 ? ` (and ${left.length - 1} more)` : '';
    const isAll = new Set(left.map(({ path }) => path)).size >= own.length;
    const reason = `${first.path}${more} was not compiled: ${first.why}.`;
    return { status: isAll ? 'failed' : 'neutral', reason, explanation: null };
  }
  const explanation = gate.unproven?.(end.files) ?? null;
  return explanation === null
    ? { status: 'passed', reason: null, explanation }
    : { status: 'neutral', reason: 'unproven', explanation };
}

/** @returns the result of an end other than the tool's own exit; null if it exited */
export function judgeStop({ end, fault, exitCode, limits }: BoxResult): Judged | null {
  switch (end) {
    case 'exit':
      return null;
    case 'timeout':
      return {
        status: 'timeout',
        reason: `Stopped after ${limits.wallMs / 1000} s.`,
        explanation: null,
      };
    case 'memory':
      return {
        status: 'failed',
        reason: `Stopped at the limit of memory (${limits.memoryBytes / 1024 ** 2} MiB).`,
        explanation: null,
      };
    case 'output':
      return {
        status: 'failed',
        reason: `Stopped at the limit of output (${limits.outputBytes} bytes).`,
        explanation: null,
      };
    case 'signal':
      return {
        status: 'failed',
        reason: `Ended by signal ${(exitCode ?? 128) - 128}.`,
        explanation: null,
      };
    case 'setup':
      return {
        status: 'not_run',
        reason: fault ?? 'The sandbox could not be created.',
        explanation: null,
      };
    case 'interrupted':
      return { status: 'not_run', reason: 'The run was interrupted.', explanation: null };
  }
}
