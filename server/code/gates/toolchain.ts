// The version output of a toolchain: requested once per file version, in a sandbox like everything
// else.
import { statSync } from 'node:fs';
import type { Boxes } from './second-chance';
import { shownOutput } from './shown-output';
import type { Tool } from './tools';

const known = new Map<string, string | null>();

/** @returns the first line; null without output */
export async function toolchainVersion(
  box: Boxes,
  tool: Tool,
  signal: AbortSignal,
): Promise<string | null> {
  const start = tool.compiler === undefined ? [tool.program, ...tool.args] : [tool.compiler];
  const [program = tool.program, ...args] = [...start, ...tool.versionArgs];
  const key = [
    program,
    ...args,
    ...tool.binds.map(({ from }) => from),
    changedAt(tool.binds.at(-1)?.from ?? program),
  ].join('\n');
  const before = known.get(key);
  if (before !== undefined) return before;
  const result = await box.run(
    { files: [], command: [program, ...args], binds: tool.binds, limits: { wallMs: 10_000 } },
    signal,
  );
  if (result.end !== 'exit') return null;
  const line =
    shownOutput(result.stdout.length > 0 ? result.stdout : result.stderr)
      .split('\n')[0]
      ?.slice(0, 200) ?? '';
  known.set(key, line === '' ? null : line);
  return line === '' ? null : line;
}

function changedAt(path: string): string {
  try {
    return String(statSync(path).mtimeMs);
  } catch {
    return '';
  }
}
