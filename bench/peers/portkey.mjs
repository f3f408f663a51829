// Portkey's gateway as its package starts it, without its page. Started by a bench.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findFreePort } from '../../scripts/postgres.mjs';

const home = join(
  dirname(fileURLToPath(import.meta.url)),
  'node_modules',
  '@portkey-ai',
  'gateway',
);
const port = await findFreePort();
process.argv.push(`--port=${port}`, '--headless');
process.on('disconnect', () => process.exit(0));
await import(pathToFileURL(join(home, 'build', 'start-server.js')).href);
while (
  !(await fetch(`http://127.0.0.1:${port}/`).then(
    (answer) => answer.ok,
    () => false,
  ))
);
process.send?.({ port });
