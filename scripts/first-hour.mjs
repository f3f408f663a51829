// `npm run first-hour`: a new user's first hour as described in the README, run in Chromium from an
// empty data folder and timed.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isNodeTooOld } from './node-version.mjs';
import { reportFailure } from './failure.mjs';

const help = `npm run first-hour [-- --pictures]

Starts an instance of its own (an empty data folder, free ports, scripted models in place of real ones), and does what docs/start/quickstart.md describes:
the owner's account, a key, a first trace, its verdict, an override, the demo, a threshold, a prompt, a model, a call through the gateway.
The commands are those of the README and of the console's pages, run as they stand. Prints each step with its seconds and what was seen.
Where something is not as the README says it ends with the step's name and a picture in test-results/first-hour.

  --pictures   a picture of the page after each step, too
`;

async function main() {
  const { values } = parseArgs({
    options: {
      pictures: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const { root } = await import('./data-dir.mjs');
  const { install, needsInstall } = await import('./install.mjs');
  const folder = join(root, 'test-results', 'first-hour');
  mkdirSync(folder, { recursive: true });
  // The browser driver is a package, too.
  if (needsInstall()) await install({ log: join(folder, 'install.log') });
  const { walkFirstHour } = await import('./first-hour/walk.mjs');
  await walkFirstHour({
    folder,
    pictures: values.pictures,
    line: (text) => void process.stdout.write(`${text}\n`),
  });
}

if (!isNodeTooOld()) {
  main().catch((/** @type {unknown} */ error) => {
    process.exitCode = reportFailure(error);
  });
}
