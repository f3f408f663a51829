/**
 * `npm run soak` runs the traffic of three tenants for two hours with a random fault each minute.
 * It then checks all stored data. `--minutes=20` shortens the run, `ASSAY_SEED` replays the order of
 * the faults, and `--save` stores the report. The exit code is 1 if anything was lost or stored
 * twice, or if a process leaks memory or descriptors.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../scripts/data-dir.mjs';
import { createRandom } from '../seed';
import { until } from '../until';
import { type Backup, checkBackup, takeBackup } from './backup';
import {
  countText,
  countUnsent,
  examplesOf,
  findMissing,
  findUnsettled,
  readBalance,
} from './checks';
import { type FaultRun, replyToCall, runFaults } from './faults';
import { type Product, startProduct } from './product';
import { describeSoak, type SoakResult, type TenantResult } from './report';
import { type Reviewers, startReviewers } from './reviewers';
import { watchProcesses } from './samples';
import { createTenant, type Tenant } from './tenants';
import { type Records, startTraffic } from './traffic';

const option = (name: string): string | undefined =>
  process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
const minutes = Number(option('minutes') ?? 120);
const log = (line: string): void => void process.stdout.write(`${line}\n`);

const drainTimeoutMs = 900_000;

/** Waits until no work, job or experiment is pending. Returns a problem if some still are. */
async function drain({ sql }: Product): Promise<string[]> {
  let pending = 'unknown';
  const isDone = async (): Promise<true | null> => {
    const [row] = await sql<{ work: number; jobs: number; experiments: number }[]>`
      select
        (select count(*) from work where state in ('waiting', 'held'))::int as work,
        (select count(*) from jobs where state in ('waiting', 'running'))::int as jobs,
        (select count(*) from experiments where state = 'running')::int as experiments`;
    pending = JSON.stringify(row);
    return row !== undefined && row.work + row.jobs + row.experiments === 0 ? true : null;
  };
  try {
    await until('no pending work', isDone, drainTimeoutMs);
    return [];
  } catch (error) {
    return [`${String(error)}; pending: ${pending}`];
  }
}

async function checkTenant(
  { sql }: Product,
  { tenant, records, rulings }: { tenant: Tenant; records: Records; rulings: number },
): Promise<TenantResult> {
  const { projectId } = tenant.project;
  const balance = await readBalance(sql, projectId);
  const problems = [...balance.problems, ...new Set(records.contractViolations)];
  const expectNone = (noun: string, ids: readonly string[]): void => {
    if (ids.length > 0) problems.push(`${countText(ids.length, noun)}: ${examplesOf(ids)}`);
  };
  expectNone('lost turn', await findMissing(sql, projectId, 'turns', records.acked));
  expectNone('lost verification', await findUnsettled(sql, projectId, records.verifications));
  expectNone(
    'lost experiment',
    await findMissing(sql, projectId, 'experiments', records.experiments),
  );
  const unsent = await countUnsent(sql, projectId, records.sent);
  if (unsent > 0) problems.push(`${countText(unsent, 'stored turn')} that no client sent`);
  const [stored] = await sql<{ rulings: number; calls: number; unfinished: number }[]>`
    select (select count(*) from labels where project_id = ${projectId} and kind = 'override')::int
        as rulings,
      (select count(*) from gateway_calls where project_id = ${projectId} and status = 200)::int
        as calls,
      (select count(*) from experiments where project_id = ${projectId} and state = 'running')::int
        as unfinished`;
  if ((stored?.rulings ?? 0) < rulings)
    problems.push(`${countText(rulings, 'confirmed ruling')}, but only ${stored?.rulings} stored`);
  if (stored?.unfinished !== 0)
    problems.push(countText(stored?.unfinished ?? 0, 'unfinished experiment'));
  return {
    slug: tenant.slug,
    balance,
    acked: records.acked.size,
    verifications: records.verifications.size,
    experiments: records.experiments.size,
    rulings,
    gatewayCalls: { answered: records.gatewayCalls, stored: stored?.calls ?? 0 },
    statuses: records.statuses,
    problems,
  };
}

/** Finds unhandled errors in the logs of all processes. */
function findUnhandledErrors(product: Product): string[] {
  return [...product.logs()].flatMap(([name, text]) =>
    text
      .split('\n')
      .filter((line) => /unhandled|uncaught/i.test(line))
      .slice(0, 3)
      .map((line) => `${name}: ${line.slice(0, 300)}`),
  );
}

interface SoakInput {
  readonly product: Product;
  readonly tenants: readonly Tenant[];
  readonly reviewers: Reviewers;
}

async function soak({ product, tenants, reviewers }: SoakInput): Promise<SoakResult> {
  const random = createRandom('soak');
  const watch = watchProcesses(product);
  const traffic = startTraffic(product, tenants);
  const end = performance.now() + minutes * 60_000;
  let backup: Backup | null = null;
  const backupTaken = sleep(minutes * 30_000).then(async () => {
    backup = await takeBackup(product, traffic.records);
    log(`backup: ${backup.mib.toFixed(1)} MiB`);
  });
  const faults: FaultRun[] = await runFaults(product, random, { until: end, log });
  await sleep(Math.max(0, end - performance.now()));
  await backupTaken;
  await Promise.all([traffic.stop(), reviewers.stop()]);
  log('traffic has ended; waiting for pending work');
  const drainProblems = await drain(product);
  watch.stop();
  const results: TenantResult[] = [];
  for (const [tenant, records] of traffic.records)
    results.push(
      await checkTenant(product, { tenant, records, rulings: reviewers.rulings.get(tenant) ?? 0 }),
    );
  const backupProblems =
    backup === null ? ['no backup was taken'] : await checkBackup(product, backup);
  (backup as Backup | null)?.remove();
  return {
    minutes,
    seed: random.seed,
    faults,
    tenants: results,
    usage: watch.listUsage(),
    backupProblems,
    drainProblems,
    unhandledErrors: [...findUnhandledErrors(product), ...new Set(reviewers.errors)],
    hasClockSteps: product.stepClock !== null,
  };
}

async function main(): Promise<void> {
  const product = await startProduct();
  try {
    product.llm.answerWith(replyToCall);
    const tenants: Tenant[] = [];
    for (const slug of ['north', 'south', 'west']) tenants.push(await createTenant(product, slug));
    const reviewers = await startReviewers(product, tenants);
    log(`running for ${minutes} minutes`);
    const { text, isClean } = describeSoak(await soak({ product, tenants, reviewers }));
    log(text);
    if (process.argv.includes('--save'))
      writeFileSync(join(root, 'bench', 'results', 'soak.md'), text);
    process.exitCode = isClean ? 0 : 1;
  } finally {
    await product.stop();
  }
}

await main();
