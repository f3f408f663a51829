import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/data-dir.mjs';
import { run } from '../../scripts/processes.mjs';
import { type Child, startChild } from '../child';
import type { Stage } from '../stage';

const home = join(root, 'bench', 'peers');

/** Products measured next to the intake, pinned in bench/peers. */
export const peers = {
  promptfoo: { package: 'promptfoo', path: '/v1/traces' },
  genkit: { package: '@genkit-ai/telemetry-server', path: '/api/otlp/v1/traces' },
} as const;

/** The same next to the gateway. */
const gateways = { portkey: { package: '@portkey-ai/gateway' } } as const;

export type PeerName = keyof typeof peers;

export type Peer =
  | { readonly child: Child; readonly version: string }
  | { readonly missing: string };

/**
 * Installs the peers if necessary, and starts one with a separate folder; reports the reason if
 * that is impossible.
 */
export async function startPeer(
  stage: Stage,
  name: PeerName | keyof typeof gateways,
): Promise<Peer> {
  const manifest = join(
    home,
    'node_modules',
    { ...peers, ...gateways }[name].package,
    'package.json',
  );
  try {
    if (!existsSync(manifest)) await install(stage);
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    const folder = join(stage.folder, name);
    mkdirSync(folder, { recursive: true });
    const child = await startChild(join(home, `${name}.mjs`), {
      args: [folder],
      cwd: folder,
      env: { HOME: folder },
      readyMs: 90_000,
    });
    stage.onClose(() => child.stop());
    return { child, version };
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error))
      .replaceAll(root, '.')
      .split('\n');
    return { missing: `${name} could not be run: ${why.slice(0, 200)}` };
  }
}

/** Without optional packages, which are five times the rest, and without package scripts. */
async function install(stage: Stage): Promise<void> {
  const args = [
    'install',
    '--no-save',
    '--omit=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ];
  const result = await run('npm', args, {
    cwd: home,
    log: join(stage.folder, 'peers-install.log'),
  });
  if (result.code !== 0) throw new Error(`npm install ended with ${result.code}`);
}
