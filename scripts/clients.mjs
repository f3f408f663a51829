// `npm run clients [name…]`: the conversation of testing/clients with current versions of real
// clients, all or those whose names contain one of the words. Needs the npm registry.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './data-dir.mjs';

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', '--project', 'clients'], {
  cwd: root,
  env: { ...process.env, ASSAY_CLIENTS: process.argv.slice(2).join('\n') },
  stdio: 'inherit',
});
child.once('exit', (code) => {
  process.exitCode = code ?? 128;
});
