// `npm run demo`: real work through the public API of a running Assay, with faults of known kinds planted in a known share of it.
import { parseArgs } from 'node:util';
import { isNodeTooOld } from './node-version.mjs';
import { Failure, tell } from './failure.mjs';

const help = `npm run demo -- [--turns 200] [--tasks 60] [--plans 32] [--code 12] [--seed 7]

Sends the turns of a scripted ops assistant with planted faults, waits for the verdicts, has scripted reviewers label a random
sample, and says what was planted and what was caught. Then tasks with criteria, judged by a simulated judge on 127.0.0.1:4390, where
Assay may call it (ASSAY_OUTBOUND_ALLOW=127.0.0.1:4390 npm start); elsewhere they are left out. Then requests through
the checkpoints of a scripted planner: decompositions, agents' outputs and answers, made anew where a verdict asks for it (without the
judge only what needs none gets a verdict). Then code of a scripted coding agent, compiled in the box where there is one, and mended once
where Assay says how. To ASSAY_URL with ASSAY_API_KEY (scopes ingest, verify, read, write); without them to a project "demo" of the
instance that runs on this machine.
`;

/** @param {string} name @param {string} text @param {number} max @returns {number} */
function readCount(name, text, max) {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > max)
    throw new Failure(`--${name} is "${text}": it must be a number from 1 to ${max}.`);
  return count;
}

async function main() {
  const { values } = parseArgs({
    options: {
      turns: { type: 'string', default: '200' },
      tasks: { type: 'string', default: '60' },
      plans: { type: 'string', default: '32' },
      code: { type: 'string', default: '12' },
      seed: { type: 'string', default: '7' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const turns = readCount('turns', values.turns, 5_000);
  const tasks = readCount('tasks', values.tasks, 1_000);
  const plans = readCount('plans', values.plans, 1_000);
  const code = readCount('code', values.code, 200);
  const seed = readCount('seed', values.seed, 2 ** 31);
  const { ASSAY_URL: url, ASSAY_API_KEY: key } = process.env;
  if (!url !== !key) throw new Failure('Set both ASSAY_URL and ASSAY_API_KEY, or neither.');
  const connection = url && key ? { url, key } : await (await import('./demo/open-project.mjs')).openProject();
  const { runDemo } = await import('./demo/run-demo.mjs');
  await runDemo({ ...connection, turns, tasks, plans, code, seed, tell: (line) => void process.stdout.write(`${line}\n`) });
}

if (!isNodeTooOld()) {
  main().catch((/** @type {unknown} */ error) => {
    process.exitCode = tell(error);
  });
}
