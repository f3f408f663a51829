import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Verification } from '../client/turn';
import { type Api, createApi } from './api';
import { type Flags, readConnection } from './arguments';
import type { Command } from './command';
import {
  countsAs,
  decideGate,
  type GateDecision,
  type GateRule,
  newestOfEach,
  percent,
} from './decide-gate';
import { describeFailure, describeVerdict } from './describe-verdict';
import { CliFailure, exitCodes } from './failure';
import { findVerdicts } from './find-verdicts';
import { writeJunit } from './junit';
import { listVerdicts, type VerdictQuery } from './list-verdicts';
import { readIds } from './read-ids';
import { readInput } from './read-input';
import { plain, type Terminal } from './terminal';

const help = `assay gate --min-pass-rate R     decides by the pass rate of settled verdicts, for continuous integration
  --session ID | --from T --to T | --turns FILE    the selection: a session, a time, or turns (their ids, or the input or output of assay send)
  --verifier NAME           only its verdicts (integrity, integrity@3)
  --min-n N                 fewer verdicts cannot tell (20)
  --confidence C            of Wilson's interval (0.95): passes when its lower end reaches R, fails when its upper end does not
  --point                   the rate itself decides, not its interval
  --inconclusive fail|ignore    verdicts that neither passed nor failed (ignore); they never count as passed
  --wait SECONDS            for what is pending (60)
  --junit FILE              writes a report, one test case per verdict
Exit code 0 passed, 1 failed, 2 cannot tell, 4 error, 130 interrupted.
`;

const gateExitCodes = { passed: 0, failed: 1, cannot_tell: 2 } as const;

/** Poll interval while verdicts are pending. */
const pollMs = 500;
const shownFailures = 20;

interface Selected {
  readonly verdicts: readonly Verification[];
  readonly pending: number;
  readonly notThere: readonly string[];
}

export const gate: Command = {
  help,
  failureCode: () => 4,
  options: {
    'min-pass-rate': { type: 'string' },
    session: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    turns: { type: 'string' },
    verifier: { type: 'string' },
    'min-n': { type: 'string' },
    confidence: { type: 'string' },
    point: { type: 'boolean', default: false },
    inconclusive: { type: 'string' },
    wait: { type: 'string' },
    junit: { type: 'string' },
  },
  run(flags, terminal, env) {
    return Promise.race([interruption(terminal), judge(flags, terminal, env)]);
  },
};

/** An interrupted gate has decided nothing: it neither passed nor failed. */
function interruption(terminal: Terminal): Promise<number> {
  return new Promise((resolve) => {
    const stop = (): void => {
      const sentence = 'gate: interrupted, nothing is decided';
      terminal.err(terminal.json ? JSON.stringify({ error: { message: sentence } }) : sentence);
      resolve(exitCodes.interrupted);
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  });
}

async function judge(...[flags, terminal, env]: Parameters<Command['run']>): Promise<number> {
  const rule = readRule(flags);
  const waitMs = (flags.number('wait', 0, 86_400) ?? 60) * 1000;
  const selection = readSelection(flags);
  const junit = flags.text('junit');
  const api = createApi(readConnection(flags, env), {
    onRetry: (message) => terminal.status(`waiting: ${plain(message)}`),
  });
  const { verdicts, pending, notThere } =
    selection.turns === undefined
      ? await selectByQuery(api, selection.query, waitMs, terminal)
      : await selectByTurns(api, selection.turns, selection.query, waitMs, terminal);
  const counted = newestOfEach(verdicts);
  const decision = decideGate(counted, pending, rule, notThere);
  if (junit !== undefined) await writeReport(junit, writeJunit(counted, decision, rule));
  if (terminal.json) terminal.out(JSON.stringify(asJson(decision, rule, counted)));
  else printDecision(decision, rule, counted, terminal);
  return gateExitCodes[decision.result];
}

function readRule(flags: Flags): GateRule {
  const minPassRate = flags.number('min-pass-rate', 0, 1);
  if (minPassRate === undefined)
    throw new CliFailure('--min-pass-rate is required, from 0 to 1; see assay gate --help');
  return {
    minPassRate,
    minN: flags.number('min-n', 0, 1e9) ?? 20,
    confidence: flags.number('confidence', 0.5, 0.999999) ?? 0.95,
    point: flags.has('point'),
    inconclusive: flags.choice('inconclusive', ['fail', 'ignore']) ?? 'ignore',
  };
}

function readSelection(flags: Flags): {
  readonly query: VerdictQuery;
  readonly turns: string | undefined;
} {
  const turns = flags.text('turns');
  const query = {
    session_id: flags.text('session'),
    from: flags.time('from'),
    to: flags.time('to'),
    verifier: flags.text('verifier'),
  };
  const hasTime = query.from !== undefined || query.to !== undefined;
  if (turns === undefined && query.session_id === undefined && !hasTime) {
    throw new CliFailure(
      '--session, --from with --to, or --turns is required to select verdicts; see assay gate --help',
    );
  }
  if (turns !== undefined && (query.session_id !== undefined || hasTime))
    throw new CliFailure('--turns must not be combined with --session, --from or --to');
  return { query, turns };
}

async function selectByTurns(
  api: Api,
  file: string,
  query: VerdictQuery,
  waitMs: number,
  terminal: Terminal,
): Promise<Selected> {
  const ids = readIds(await readInput(file));
  if (ids.length === 0) throw new CliFailure(`${file} has no turns`);
  const { found, missing } = await findVerdicts(api, ids, waitMs, terminal, query);
  const waiting = await findWaiting(api, missing, query);
  const noLongerPending = missing.filter((id) => !waiting.has(id));
  // A verification that settled between the two requests is no longer pending, but has a verdict.
  const settledMeanwhile =
    noLongerPending.length === 0
      ? { found: [], missing: [] }
      : await findVerdicts(api, noLongerPending, 0, terminal, query);
  return {
    verdicts: [...found, ...settledMeanwhile.found],
    pending: waiting.size,
    notThere: settledMeanwhile.missing,
  };
}

/** The turns whose verdicts are pending. */
async function findWaiting(
  api: Api,
  ids: readonly string[],
  query: VerdictQuery,
): Promise<ReadonlySet<string>> {
  const waiting = new Set<string>();
  for (const id of ids) {
    for await (const _pending of listVerdicts(api, { ...query, turn_id: id, state: 'pending' })) {
      waiting.add(id);
      break;
    }
  }
  return waiting;
}

/**
 * Reads pending verifications first and verdicts afterwards, so that it finds those that settle in
 * between.
 */
async function selectByQuery(
  api: Api,
  query: VerdictQuery,
  waitMs: number,
  terminal: Terminal,
): Promise<Selected> {
  const end = performance.now() + waitMs;
  let pending = await countPending(api, query, terminal);
  while (pending > 0 && performance.now() < end) {
    terminal.status(`waiting for ${pending} verdicts`);
    await sleep(Math.min(pollMs, Math.max(1, end - performance.now())));
    pending = await countPending(api, query, terminal);
  }
  const verdicts: Verification[] = [];
  for await (const verdict of listVerdicts(api, query)) verdicts.push(verdict);
  return { verdicts, pending, notThere: [] };
}

async function countPending(api: Api, query: VerdictQuery, terminal: Terminal): Promise<number> {
  let pending = 0;
  for await (const { state } of listVerdicts(api, { ...query, state: 'pending' })) {
    if (state === 'pending') pending++;
    if (state !== 'settled') continue;
    terminal.err(
      'This server does not list pending verdicts, so that only stored verdicts decide.',
    );
    return 0;
  }
  return pending;
}

async function writeReport(file: string, report: string): Promise<void> {
  try {
    await writeFile(file, report);
  } catch (error) {
    throw new CliFailure(
      `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function asJson(
  decision: GateDecision,
  rule: GateRule,
  verdicts: readonly Verification[],
): Record<string, unknown> {
  const { passRate, notThere, ...rest } = decision;
  return {
    ...rest,
    pass_rate: passRate,
    not_there: notThere,
    min_pass_rate: rule.minPassRate,
    min_n: rule.minN,
    confidence: rule.confidence,
    failures: verdicts
      .filter((verdict) => countsAs(verdict, rule) === 'failed')
      .map((verdict) => ({
        id: verdict.id,
        turn_id: verdict.turn_id,
        outcome: verdict.outcome,
        reason: describeFailure(verdict),
        url: verdict.url,
      })),
  };
}

function printDecision(
  decision: GateDecision,
  rule: GateRule,
  verdicts: readonly Verification[],
  terminal: Terminal,
): void {
  const failed = verdicts.filter((verdict) => countsAs(verdict, rule) === 'failed');
  for (const verdict of failed.slice(0, shownFailures))
    terminal.out(`${describeVerdict(verdict)}\n    ${plain(describeFailure(verdict))}`);
  if (failed.length > shownFailures)
    terminal.out(`… and ${failed.length - shownFailures} more that failed`);
  const excluded = Object.entries(decision.outcomes).filter(
    ([outcome, count]) => count > 0 && outcome !== 'passed' && outcome !== 'failed',
  );
  const rate = decision.passRate === null ? '' : ` (${percent(decision.passRate)})`;
  terminal.out(`${decision.passed} of ${decision.n} passed${rate}`);
  if (excluded.length > 0) {
    const countingRule =
      rule.inconclusive === 'fail'
        ? 'neither passed nor failed; all but skipped count as failed'
        : 'apart';
    terminal.out(
      `${countingRule}: ${excluded.map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`,
    );
  }
  const words = { passed: 'passed', failed: 'failed', cannot_tell: 'cannot tell' };
  terminal.out(`gate ${words[decision.result]}: ${decision.reason}`);
}
