// The OTLP receiver of promptfoo, as an evaluation with tracing starts it, on a database that its
// own command line has created. Started by a bench, with a folder for its files.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findFreePort } from '../../scripts/postgres.mjs';

const folder = process.argv[2] ?? '';
const home = join(dirname(fileURLToPath(import.meta.url)), 'node_modules', 'promptfoo');
Object.assign(process.env, {
  PROMPTFOO_CONFIG_DIR: folder,
  PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1',
});
/** @type {{ bin: Record<string, string> }} */
const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
process.on('disconnect', () => process.exit(0));
execFileSync(process.execPath, [join(home, bin.promptfoo ?? ''), 'list', 'evals'], {
  cwd: folder,
  stdio: 'ignore',
  timeout: 60_000,
});
// The package has no entry for its receiver; the chunk is found by name.
const chunks = join(home, 'dist', 'src');
const chunk = readdirSync(chunks).find((name) => /^otlpReceiver-[\w-]+\.js$/.test(name));
if (chunk === undefined) throw new Error('this promptfoo has no chunk otlpReceiver');
const { startOTLPReceiver } = await import(pathToFileURL(join(chunks, chunk)).href);
const port = await findFreePort();
await startOTLPReceiver(port, '127.0.0.1');
process.send?.({ port });
