import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/data-dir.mjs';
import { lastLine, run } from '../../scripts/processes.mjs';
import { findFreePort } from '../../scripts/postgres.mjs';
import { type Child, startChild } from '../child';
import type { Stage } from '../stage';

const home = join(root, 'bench', 'peers', 'next-parse');
const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const;

/**
 * A production build of a Next application whose one route handler parses its body. @throws Error
 * when it cannot be built
 */
export async function startNext(stage: Stage): Promise<Child> {
  if (!existsSync(join(home, '.next', 'BUILD_ID'))) {
    const result = await run(process.execPath, [next, 'build'], {
      cwd: home,
      env: { ...process.env, ...env },
    });
    if (result.code !== 0)
      throw new Error(
        `the Next application could not be built: ${lastLine(result.output, /error/i)}`,
      );
  }
  const port = await findFreePort();
  const child = await startChild(next, {
    args: ['start', '-H', '127.0.0.1', '-p', String(port)],
    cwd: home,
    env,
    isReady: () =>
      fetch(`http://127.0.0.1:${port}/v1/traces`, { method: 'POST', body: '{}' }).then(
        ({ ok }) => ok,
        () => false,
      ),
  });
  stage.onClose(() => child.stop());
  return { ...child, port };
}
