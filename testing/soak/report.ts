import { availableParallelism, totalmem } from 'node:os';
import type { Balance } from './checks';
import type { FaultRun } from './faults';
import type { ProcessUsage } from './samples';

export interface TenantResult {
  readonly slug: string;
  readonly balance: Balance;
  /** Number of acknowledged turns and traces. */
  readonly acked: number;
  readonly verifications: number;
  readonly experiments: number;
  readonly rulings: number;
  readonly gatewayCalls: { readonly answered: number; readonly stored: number };
  readonly statuses: ReadonlyMap<number, number>;
  readonly problems: readonly string[];
}

export interface SoakResult {
  readonly minutes: number;
  readonly seed: number;
  readonly faults: readonly FaultRun[];
  readonly tenants: readonly TenantResult[];
  readonly usage: readonly ProcessUsage[];
  /** Problems found in the restored backup. */
  readonly backupProblems: readonly string[];
  /** Set if work was still pending after the timeout. */
  readonly drainProblems: readonly string[];
  /** Unhandled errors in logs and pages. */
  readonly unhandledErrors: readonly string[];
  readonly hasClockSteps: boolean;
}

const maxSlopeMibPerS = 0.1;
/** The number of connections varies. A leak of one per request would add thousands. */
const maxAddedDescriptors = 64;

function listGrowth(usage: readonly ProcessUsage[]): string[] {
  return usage.flatMap(({ name, minutes, memorySlopeMibPerS: slope, maxDescriptors }) => {
    const [first, last] = maxDescriptors;
    return [
      ...(slope < maxSlopeMibPerS
        ? []
        : [`${name} grew by ${slope.toFixed(3)} MiB/s over ${minutes.toFixed(0)} minutes`]),
      ...(last - first <= maxAddedDescriptors
        ? []
        : [`${name} had ${first} descriptors at first and ${last} at the end`]),
    ];
  });
}

const bulletList = (items: readonly string[], none: string): string =>
  items.length === 0 ? none : items.map((item) => `- ${item}`).join('\n');

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

function tenantTable(tenants: readonly TenantResult[]): string {
  const rows = tenants.map(({ slug, balance: b, acked, verifications, ...counts }) =>
    row([
      slug,
      acked,
      verifications,
      counts.experiments,
      counts.rulings,
      `${counts.gatewayCalls.answered} / ${counts.gatewayCalls.stored}`,
      `${b.received} = ${b.settled} + ${b.skipped} + ${b.waiting} + ${b.quarantined}`,
    ]),
  );
  const heads = [
    'Tenant',
    'Turns and traces acknowledged',
    'Verifications',
    'Experiments',
    'Rulings',
    'Gateway calls answered / stored',
    'Received = settled + skipped + waiting + quarantined',
  ];
  return [row(heads), row(heads.map(() => '---')), ...rows].join('\n');
}

function usageTable(usage: readonly ProcessUsage[]): string {
  const heads = ['Process', 'Minutes', 'MiB', 'MiB/s', 'Max descriptors, first and last third'];
  const rows = usage.map(({ name, minutes, memoryMib, memorySlopeMibPerS, maxDescriptors }) =>
    row([
      name,
      minutes.toFixed(0),
      memoryMib.toFixed(0),
      memorySlopeMibPerS.toFixed(3),
      maxDescriptors.join(', '),
    ]),
  );
  return [row(heads), row(heads.map(() => '---')), ...rows].join('\n');
}

function countFaults(faults: readonly FaultRun[]): string {
  const counts = new Map<string, number>();
  for (const { name } of faults) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
}

/** The report as Markdown, and whether it has no problems. */
export function describeSoak(result: SoakResult): {
  readonly text: string;
  readonly isClean: boolean;
} {
  const { tenants, usage, faults } = result;
  const problems = [
    ...tenants.flatMap(({ slug, problems: own }) => own.map((problem) => `${slug}: ${problem}`)),
    ...listGrowth(usage),
    ...result.backupProblems.map((problem) => `restored backup: ${problem}`),
    ...result.drainProblems,
    ...result.unhandledErrors,
  ];
  const text = `# Soak

\`npm run soak\`: mixed traffic of three tenants with a random fault each minute.

${availableParallelism()} cores, ${Math.round(totalmem() / 1e9)} GB memory, Node ${process.version.split('.')[0]?.slice(1)}; ${result.minutes} minutes, seed ${result.seed}.

## Problems

${bulletList(problems, 'None.')}

## Tenants

${tenantTable(tenants)}

## Processes that ran long enough to measure

${usageTable(usage)}

## Faults

${faults.length}: ${countFaults(faults)}.${result.hasClockSteps ? '' : ' No clock steps: libfaketime is not installed.'}
`;
  return { text, isClean: problems.length === 0 };
}
