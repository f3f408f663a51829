// `npm run demo`: real work through the public API of a running Assay instance, with known faults
// planted in a known share of it.
import { parseArgs } from 'node:util';
import { isNodeTooOld } from './node-version.mjs';
import { Failure, reportFailure } from './failure.mjs';

const help = `npm run demo -- [--turns 900] [--traces 40] [--tasks 150] [--plans 40] [--code 20] [--talks 6] [--seed 7] [--project demo]

Fills a project of its own, "demo", of the instance that runs on this machine, with four simulated weeks: the turns of a scripted ops
assistant, some as traces of OpenTelemetry, tasks with criteria, requests through the checkpoints of a scripted planner, work of a scripted coding agent, compiled in the box
where there is one, and conversations over the gateway. Failed answers become a dataset, which two versions of a prompt answer. Faults of known kinds are planted in a known share of it; scripted reviewers label a
random sample. What was planted is told at the end, beside what Assay has measured. Work and labels bear times of the last four weeks; what is
asked of models goes to a scripted one on 127.0.0.1:4390, which the instance may call while the demo runs. Conversations, and what the
scripted quality lead changes, are of now. The banner of the project says so, and removes it.

With ASSAY_URL and ASSAY_API_KEY (scopes ingest, verify, read, write, gateway, impersonate) all of it goes to that project, as of now. The scripted model
runs on this machine: Assay must run here too, with ASSAY_OUTBOUND_ALLOW=127.0.0.1:4390, else what needs it is left out.
`;

/**
 * @param {string} name @param {string | undefined} text @param {number} most @param {number}
 * [least] @returns {number}
 */
function readCount(name, text, most, least = 0) {
  const count = Number(text);
  if (!Number.isInteger(count) || count < least || count > most)
    throw new Failure(`--${name} is "${text}": it must be a number from ${least} to ${most}.`);
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
