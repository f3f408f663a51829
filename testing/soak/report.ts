import { availableParallelism, totalmem } from 'node:os';
import type { Balance } from './checks';
import type { FaultRun } from './faults';
import type { Life } from './samples';

export interface TenantResult {
  readonly slug: string;
  readonly balance: Balance;
  /** Turns and traces. */
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
  readonly lives: readonly Life[];
  /** Contradictions in the restored backup. */
  readonly backup: readonly string[];
  /** Lines of logs and pages about unhandled errors. */
  readonly unhandled: readonly string[];
  readonly hasClockSteps: boolean;
}

/** MiB per second (issue: memory slope). */
const maxSlope = 0.1;
/** Connections come and go; a leak of one per request would be thousands. */
const maxMoreDescriptors = 64;

function growthOf(lives: readonly Life[]): string[] {
  return lives.flatMap(({ name, minutes, memorySlope, descriptors: [first, last] }) => [
    ...(memorySlope < maxSlope
      ? []
      : [`${name} grew by ${memorySlope.toFixed(3)} MiB/s over ${minutes.toFixed(0)} minutes`]),
    ...(last - first <= maxMoreDescriptors
      ? []
      : [`${name} had ${first} descriptors, then ${last}`]),
  ]);
}

const list = (items: readonly string[], none: string): string =>
  items.length === 0 ? none : items.map((item) => `- ${item}`).join('\n');

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

function tenantTable(tenants: readonly TenantResult[]): string {
  const rows = tenants.map(({ slug, balance: b, acked, verifications, ...more }) =>
    row([
      slug,
      acked,
      verifications,
      more.experiments,
      more.rulings,
      `${more.gatewayCalls.answered} / ${more.gatewayCalls.stored}`,
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

function lifeTable(lives: readonly Life[]): string {
  const heads = ['Process', 'Minutes', 'MiB', 'MiB/s', 'Descriptors, first and last third'];
  const rows = lives.map(({ name, minutes, memoryMib, memorySlope, descriptors }) =>
    row([
      name,
      minutes.toFixed(0),
      memoryMib.toFixed(0),
      memorySlope.toFixed(3),
      descriptors.join(', '),
    ]),
  );
  return [row(heads), row(heads.map(() => '---')), ...rows].join('\n');
}

function countFaults(faults: readonly FaultRun[]): string {
  const counts = new Map<string, number>();
  for (const { name } of faults) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
}

/** The result as Markdown, and whether it is without any problem. */
export function describeSoak(result: SoakResult): {
  readonly text: string;
  readonly isClean: boolean;
} {
  const { tenants, lives, faults, backup, unhandled } = result;
  const problems = [
    ...tenants.flatMap(({ slug, problems: own }) => own.map((each) => `${slug}: ${each}`)),
    ...growthOf(lives),
    ...backup.map((each) => `restored backup: ${each}`),
    ...unhandled,
  ];
  const text = `# Soak

\`npm run soak\`: mixed traffic of three tenants with a random fault each minute.

${availableParallelism()} cores, ${Math.round(totalmem() / 1e9)} GB memory, Node ${process.version.split('.')[0]?.slice(1)}; ${result.minutes} minutes, seed ${result.seed}.

## Problems

${list(problems, 'None.')}

## Tenants

${tenantTable(tenants)}

## Processes that lived long enough

${lifeTable(lives)}

## Faults

${faults.length}: ${countFaults(faults)}.${result.hasClockSteps ? '' : ' No clock steps: libfaketime is not installed.'}
`;
  return { text, isClean: problems.length === 0 };
}
