// One compile gate: the tool's own exit decides, and what is no fault of the code is no failure of it.
import type { ModelTier } from '../../../domain';
import type { BoxKeeper, BoxResult } from '../../../sandbox';
import { tierLimits } from '../tiers';
import type { CompileGate } from './compile';
import type { CodeFile, GateResult } from './gate';
import { receiptOf } from './receipt';
import { shownOutput } from './shown-output';
import { toolchainVersion } from './toolchain';

/** A gate in the middle of an agent's work may take a third of what one at its end may (QEL-33). */
const microShare = 1 / 3;

export async function runCompile(
  box: BoxKeeper,
  gate: CompileGate,
  job: { readonly files: readonly CodeFile[]; readonly tier: ModelTier; readonly micro: boolean },
  signal: AbortSignal,
): Promise<GateResult> {
  const fixed = { command: gate.command, language: gate.language, tier: job.tier, kind: 'compile' as const, tests: null };
  const tool = gate.find();
  if (tool === null) {
    return { ...fixed, status: 'neutral', exitCode: null, stderr: '', durationMs: 0, reason: gate.missing, receipt: null };
  }
  const { args, files, env } = gate.prepare(job.files);
  const command = [tool.program, ...tool.args, ...args] as const;
  const wallMs = Math.round(tierLimits[job.tier].compileTimeoutMs * (job.micro ? microShare : 1));
  const result = await box.run({ files, command, binds: tool.binds, env, limits: { wallMs } }, signal);
  const output = Buffer.concat([result.stderr, result.stdout]);
  const { status, reason } = judge(gate, result, output.toString(), job.files);
  return {
    ...fixed,
    status,
    reason,
    exitCode: result.exitCode,
    stderr: shownOutput(output),
    durationMs: Math.round(result.durationMs),
    receipt: result.end === 'setup' ? null : receiptOf(command, files, result, await toolchainVersion(box, tool, signal)),
  };
}

type Judged = Pick<GateResult, 'status' | 'reason'>;

function judge(gate: CompileGate, result: BoxResult, output: string, files: readonly CodeFile[]): Judged {
  const stopped = judgeStop(result);
  if (stopped !== null) return stopped;
  if (result.exitCode === 0) {
    const idle = gate.idle?.(output) ?? null;
    return idle === null ? { status: 'passed', reason: null } : { status: 'failed', reason: idle };
  }
  // 126 and 127: the program could not be started, which no code can be blamed for (QEL-30).
  if (result.exitCode === 126 || result.exitCode === 127) return { status: 'neutral', reason: `${gate.missing} (exit ${result.exitCode})` };
  const environment = gate.environmentFault(output, files);
  if (environment !== null) return { status: 'neutral', reason: environment };
  return { status: 'failed', reason: `${gate.command} ended with exit code ${result.exitCode}.` };
}

/** @returns what an end other than the tool's own exit means; null when it exited */
export function judgeStop({ end, fault, exitCode, limits }: BoxResult): Judged | null {
  switch (end) {
    case 'exit':
      return null;
    case 'timeout':
      return { status: 'timeout', reason: `Stopped after ${limits.wallMs / 1000} s.` };
    case 'memory':
      return { status: 'failed', reason: `Stopped at the limit of memory (${limits.memoryBytes / 1024 ** 2} MiB).` };
    case 'output':
      return { status: 'failed', reason: `Stopped at the limit of output (${limits.outputBytes} bytes).` };
    case 'signal':
      return { status: 'failed', reason: `Ended by signal ${(exitCode ?? 128) - 128}.` };
    case 'setup':
      return { status: 'not_run', reason: fault ?? 'The box could not be made.' };
    case 'interrupted':
      return { status: 'not_run', reason: 'The run was interrupted.' };
  }
}
