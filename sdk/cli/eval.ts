import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Verification } from '../client/turn';
import { messageOf } from '../client/post';
import { type Api, createApi } from './api';
import { type Flags, readConnection } from './arguments';
import { type EvalItem, openEvalTarget } from './call-eval-target';
import type { Command } from './command';
import { describeFailure } from './describe-verdict';
import {
  evalJunit,
  evalLines,
  evalMarkdown,
  type EvalFailure,
  type EvalResult,
} from './eval-report';
import { CliFailure, exitCodes } from './failure';
import { listVerdicts } from './list-verdicts';
import { type EvalFile, readEval } from './read-eval';
import { isRecord } from './stored-verifiers';
import { plain, type Terminal } from './terminal';

const help = `assay eval run FILE          runs the experiment that the file describes, and decides by its gate
  --branch NAME --commit SHA   of the tested code, for later comparisons
  --budget USD                 replaces budget_usd of the file
  --junit FILE                 writes a report for continuous integration
  --markdown FILE              writes a comment for a pull request
Scopes verify, read and write (write only if the file has items). With --json the result is JSON.
Exit code 0 gate passed or none, 1 gate failed, 4 error, 130 interrupted.
`;

/** Outputs in one request, and the time between two looks at the experiment. */
const outputsAtOnce = 50;
const lookMs = 500;
const shownFailures = 200;

export const evalRun: Command = {
  help,
  failureCode: () => 4,
  options: {
    branch: { type: 'string' },
    commit: { type: 'string' },
    budget: { type: 'string' },
    junit: { type: 'string' },
    markdown: { type: 'string' },
  },
  async run(flags, terminal, env) {
    const [subcommand, file, ...more] = flags.positionals;
    if (subcommand !== 'run' || file === undefined || more.length > 0)
      throw new CliFailure('Write assay eval run FILE; see assay eval --help');
    const described = readEval(file, await readText(file));
    const api = createApi(readConnection(flags, env), {
      onRetry: (message) => terminal.status(`waiting: ${plain(message)}`),
    });
    const result = await runEval(api, terminal, described, flags);
    const { junit, markdown } = { junit: flags.text('junit'), markdown: flags.text('markdown') };
    if (junit !== undefined) await writeText(junit, evalJunit(result));
    if (markdown !== undefined) await writeText(markdown, evalMarkdown(result));
    if (terminal.json) terminal.out(JSON.stringify(result));
    else for (const line of evalLines(result)) terminal.out(line);
    return result.gate === null || result.gate.passed ? exitCodes.done : exitCodes.failed;
  },
};

const readText = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliFailure(`${file} cannot be read: ${messageOf(error)}`);
  });

const writeText = (file: string, text: string): Promise<void> =>
  writeFile(file, text).catch((error: unknown) => {
    throw new CliFailure(`${file} cannot be written: ${messageOf(error)}`);
  });

async function runEval(
  api: Api,
  terminal: Terminal,
  described: EvalFile,
  flags: Flags,
): Promise<EvalResult> {
  const { target, name } = described;
  const dataset = await prepareDataset(api, described);
  const budget = flags.number('budget', 0, 1e6);
  const started = await api.call('/v1/experiments', {
    body: JSON.stringify({
      ...described.request,
      name,
      dataset,
      target: target.type === 'remote' ? target.target : { type: 'outputs' },
      ...(budget === undefined ? {} : { budget_usd: budget }),
      ...given('branch', flags),
      ...given('commit', flags),
    }),
  });
  const [id, url] = [String(started.id), String(started.url)];
  if (target.type !== 'remote')
    await sendOutputs(api, terminal, { described, id, target: await openEvalTarget(target) });
  const experiment = await followExperiment(api, terminal, id);
  const gate = described.gate === null ? null : await askGate(api, id, described.gate);
  return { name, url, experiment, gate, failures: await listFailures(api, id) };
}

const given = (name: string, flags: Flags): Record<string, string> => {
  const value = flags.text(name);
  return value === undefined ? {} : { [name]: value };
};

/** Sends the file's items, if it has any. @returns the dataset with its version */
async function prepareDataset(api: Api, { dataset, items }: EvalFile): Promise<string> {
  const [slug = ''] = dataset.split('@');
  const path = `/v1/datasets/${encodeURIComponent(slug)}`;
  if (items === null) return dataset;
  const { status } = await api.ask(path);
  if (status === 404)
    await api.call(path, { method: 'PUT', body: JSON.stringify({ name: slug, description: '' }) });
  const contentType = items.endsWith('.csv') ? 'text/csv' : 'application/x-ndjson';
  const stored = await api.call(`${path}/items`, {
    query: { mode: 'replace' },
    body: await readText(items),
    contentType,
  });
  const rejected = Array.isArray(stored.rejected) ? stored.rejected : [];
  if (rejected.length > 0)
    throw new CliFailure(
      `${items}: ${rejected.length} items were rejected; the first: ${plain(JSON.stringify(rejected[0]))}`,
    );
  return `${slug}@${String(stored.version)}`;
}

interface Sending {
  readonly described: EvalFile;
  readonly id: string;
  readonly target: Awaited<ReturnType<typeof openEvalTarget>>;
}

/** Calls the target for each item and repetition, and sends the outputs as they come. */
async function sendOutputs(api: Api, terminal: Terminal, sending: Sending): Promise<void> {
  const { described, id, target } = sending;
  const head = await api.call(`/v1/experiments/${id}`);
  const items = await listItems(api, String(head.dataset), described.request.split);
  const rows = Array.from({ length: described.repetitions }, (_, n) => n + 1).flatMap(
    (repetition) => items.map((item) => ({ item, repetition })),
  );
  let ready: Record<string, unknown>[] = [];
  let done = 0;
  const send = async (): Promise<void> => {
    const outputs = ready;
    ready = [];
    if (outputs.length === 0) return;
    const taken = await api.call(`/v1/experiments/${id}/outputs`, {
      body: JSON.stringify({ outputs }),
    });
    const rejected = Array.isArray(taken.rejected) ? taken.rejected : [];
    if (rejected.length > 0)
      throw new CliFailure(`An output was rejected: ${plain(JSON.stringify(rejected[0]))}`);
  };
  await Promise.all(
    Array.from({ length: described.concurrency }, async () => {
      for (let row = rows.shift(); row !== undefined; row = rows.shift()) {
        const { item, repetition } = row;
        ready.push({ item_id: item.id, repetition, ...(await target(item)) });
        terminal.status(`${++done} outputs`);
        if (ready.length >= outputsAtOnce) await send();
      }
    }),
  );
  await send();
  await api.call(`/v1/experiments/${id}/finish`, { body: '{}' });
}

async function listItems(api: Api, dataset: string, split: unknown): Promise<EvalItem[]> {
  const [slug = '', version = ''] = dataset.split('@');
  const items: EvalItem[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await api.call(
      `/v1/datasets/${encodeURIComponent(slug)}/versions/${version}/items`,
      { query: { limit: 200, cursor, split: typeof split === 'string' ? split : undefined } },
    );
    const data = Array.isArray(page.data) ? (page.data as EvalItem[]) : [];
    // Held-out items are used only when they are named.
    items.push(...data.filter((item) => split !== undefined || item.split !== 'held_out'));
    if (typeof page.next_cursor !== 'string') return items;
    cursor = page.next_cursor;
  }
}

async function followExperiment(
  api: Api,
  terminal: Terminal,
  id: string,
): Promise<Record<string, unknown>> {
  for (;;) {
    const experiment = await api.call(`/v1/experiments/${id}`);
    if (experiment.state !== 'running' && experiment.state !== 'open') return experiment;
    const { done, total } = isRecord(experiment.progress) ? experiment.progress : {};
    terminal.status(`${Number(done ?? 0)} of ${Number(total ?? 0)} answers`);
    await sleep(lookMs);
  }
}

async function askGate(
  api: Api,
  id: string,
  body: Readonly<Record<string, unknown>>,
): Promise<EvalResult['gate']> {
  const decided = await api.call(`/v1/experiments/${id}/gate`, { body: JSON.stringify(body) });
  const reasons = Array.isArray(decided.reasons) ? decided.reasons.filter(isRecord) : [];
  return {
    passed: decided.passed === true,
    reasons: reasons.map(({ message, severity }) => ({
      message: String(message),
      ...(typeof severity === 'string' ? { severity } : {}),
    })),
  };
}

async function listFailures(api: Api, id: string): Promise<EvalFailure[]> {
  const failures: EvalFailure[] = [];
  for await (const verdict of listVerdicts(api, { experiment: id })) {
    const outcome = verdict.outcome ?? verdict.state;
    if (outcome === 'passed') continue;
    failures.push(failureOf(verdict, outcome));
    if (failures.length === shownFailures) break;
  }
  return failures;
}

const failureOf = (verdict: Verification, outcome: string): EvalFailure => ({
  verifier: verdict.verifier,
  item: verdict.turn_id ?? verdict.subject_id,
  outcome,
  reason: describeFailure(verdict),
  url: verdict.url,
});
