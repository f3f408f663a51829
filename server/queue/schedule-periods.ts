import { Cron } from 'croner';
import { refused } from '../platform';

/**
 * When a schedule is due: cron of five fields (minute, hour, day of month, month, day of week) in
 * an IANA zone, read by croner. A period is named by its first moment. What a clock change does to
 * it, tested against Europe/Berlin and America/New_York: a fixed local time that does not exist
 * comes at the first moment that does, and one that exists twice comes at the first of the two; `*`
 * and steps go on in real hours, so an hour that comes twice has its periods twice, and one that is
 * left out has none.
 */
export interface Timing {
  readonly cron: string;
  /** `Europe/Berlin`, `UTC`. */
  readonly zone: string;
}

/** Timings that were read, since reading one costs more than asking it. */
const known = new Map<string, Cron>();
const knownMost = 1_000;

/** The fields of cron in their order, each with what it takes. */
const cronFields = [
  ['minute', '0 to 59'],
  ['hour', '0 to 23'],
  ['day of month', '1 to 31, or L for the last'],
  ['month', '1 to 12, or JAN to DEC'],
  ['day of week', '0 to 7, or SUN to SAT'],
] as const;

/**
 * @throws AssayError refused, with `cron` or `zone` named: no five fields, one that cannot be read,
 * no such zone, or a time that never comes
 */
export function checkTiming({ cron, zone }: Timing): void {
  if (!isZone(zone))
    throw refused('zone: must be a name such as Europe/Berlin or UTC', [
      { path: 'zone', message: 'must be a name such as Europe/Berlin or UTC' },
    ]);
  const five = 'must have five fields: minute, hour, day of month, month, day of week';
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5) throw refused(`cron: ${five}`, [{ path: 'cron', message: five }]);
  let next: Date | null;
  try {
    next = readCron({ cron, zone }).nextRun(new Date());
  } catch {
    const message = faultOf(fields) ?? five;
    throw refused(`cron: ${message}`, [{ path: 'cron', message }]);
  }
  if (next === null)
    throw refused('cron: must name a day that exists', [
      { path: 'cron', message: 'must name a day that exists' },
    ]);
}

/** Which of five fields cannot be read by itself, and what it takes; null where each can. */
function faultOf(fields: readonly string[]): string | null {
  for (const [at, [name, range]] of cronFields.entries()) {
    try {
      new Cron(cronFields.map((_, n) => (n === at ? fields[n] : '*')).join(' '), {
        mode: '5-part',
        paused: true,
      });
    } catch {
      return `must have a valid ${name}: ${range}, or * (also with lists 1,3, ranges 1-5 and steps */2)`;
    }
  }
  return null;
}

/**
 * The first period after a moment; null where there is none, or where this release cannot read the
 * timing.
 */
export function nextPeriod(timing: Timing, after: Date): Date | null {
  try {
    return readCron(timing).nextRun(after);
  } catch {
    return null;
  }
}

/**
 * The periods after `after` up to and with `until`, in order, at most `most`. Empty for a timing
 * that cannot be read.
 */
export function periodsBetween(timing: Timing, after: Date, until: Date, most: number): Date[] {
  const periods: Date[] = [];
  for (
    let at = nextPeriod(timing, after);
    at !== null && at <= until && periods.length < most;
    at = nextPeriod(timing, at)
  ) {
    periods.push(at);
  }
  return periods;
}

/** @throws Error on what is no cron or no zone */
function readCron({ cron, zone }: Timing): Cron {
  const key = JSON.stringify([cron, zone]);
  let read = known.get(key);
  if (read === undefined) {
    read = new Cron(cron, { mode: '5-part', timezone: zone, paused: true });
    if (known.size >= knownMost) known.delete(known.keys().next().value ?? '');
    known.set(key, read);
  }
  return read;
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
