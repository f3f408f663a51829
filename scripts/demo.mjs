// `npm run demo`: real work through the public API of a running Assay instance, with known faults
// planted in a known share of it.
import { parseArgs } from 'node:util';
import { isNodeTooOld } from './node-version.mjs';
import { Failure, reportFailure } from './failure.mjs';

const help = `assay demo [--turns 900] [--traces 40] [--tasks 150] [--plans 40] [--code 20] [--talks 6] [--seed 7] [--project demo]

Fills a separate project, "demo", of the instance on this machine with four simulated weeks: answers of a scripted ops assistant, some sent
as OpenTelemetry traces; tasks with criteria; requests that pass the checkpoints of a scripted planner; submissions of a scripted coding agent,
compiled in the sandbox if there is one; and conversations over the gateway. Failed answers become a dataset, which two versions of a prompt
answer again. Faults of known kinds are planted in a known share of the work, and scripted reviewers label a random sample. At the end, the demo
compares what was planted with what Assay measured. Work and labels are dated over the last four weeks; conversations and the changes of the
scripted quality lead are dated today. Models are simulated on 127.0.0.1:4390, which the instance may call while the demo runs. The banner of
the project deletes it.

With ASSAY_URL and ASSAY_API_KEY (scopes ingest, verify, read, write, gateway, impersonate), everything is sent to the project of the key and
dated today. The simulated models run on this machine, so Assay must run here too, with ASSAY_OUTBOUND_ALLOW=127.0.0.1:4390; otherwise the
parts that need them are skipped.
`;

/**
 * @param {string} name @param {string | undefined} text @param {number} max @param {number}
 * [min] @returns {number}
 */
function readCount(name, text, max, min = 0) {
  const count = Number(text);
  if (!Number.isInteger(count) || count < min || count > max)
    throw new Failure(`--${name} is "${text}": it must be a number from ${min} to ${max}.`);
  return count;
}

async function main() {
  const { values } = parseArgs({
    options: {
      turns: { type: 'string', default: '900' },
      traces: { type: 'string', default: '40' },
      tasks: { type: 'string', default: '150' },
      plans: { type: 'string', default: '40' },
      code: { type: 'string', default: '20' },
      talks: { type: 'string', default: '6' },
      seed: { type: 'string', default: '7' },
      project: { type: 'string', default: 'demo' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const counts = {
    turns: readCount('turns', values.turns, 5_000, 1),
    traces: readCount('traces', values.traces, 500),
    tasks: readCount('tasks', values.tasks, 1_000),
    plans: readCount('plans', values.plans, 1_000),
    code: readCount('code', values.code, 200),
    talks: readCount('talks', values.talks, 100),
    seed: readCount('seed', values.seed, 2 ** 31),
  };
  const { ASSAY_URL: url, ASSAY_API_KEY: key } = process.env;
  if (!url !== !key) throw new Failure('Set both ASSAY_URL and ASSAY_API_KEY, or neither.');
  const begun = performance.now();
  const connection =
    url && key
      ? { url, key }
      : await (await import('../demo/open-project.mjs')).openProject(values.project);
  const { runDemo } = await import('../demo/run-demo.mjs');
  const { createMeters } = await import('../demo/progress.mjs');
  const write = (/** @type {string} */ text) => void process.stdout.write(text);
  // The demo closes its resources when the process exits, however it ends.
  for (const [signal, status] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])) {
    process.once(signal, () => {
      write('\nStopped. What was sent stays: remove the project in its banner.\n');
      process.exit(status);
    });
  }
  const meters = createMeters({ write, isTerminal: process.stdout.isTTY === true });
  const print = (/** @type {string} */ line) => write(`${line}\n`);
  const { project, compared } = await runDemo({
    ...connection,
    ...counts,
    experiment: true,
    meters,
    print,
  });
  print(`\nDone in ${((performance.now() - begun) / 1000).toFixed(0)} s.`);
  if (project !== null) print(`Project     ${project}`);
  if (compared !== null) print(`Comparison  ${compared.url}`);
}

if (!isNodeTooOld()) {
  main().catch((/** @type {unknown} */ error) => {
    process.exitCode = reportFailure(error);
  });
}
