import { Cron } from 'croner';
import { refused } from '../platform';

/**
 * The periods of a schedule: cron with five fields (minute, hour, day of month, month, day of week)
 * in an IANA zone, parsed by croner. A period is identified by its first moment. Daylight saving,
 * tested with Europe/Berlin and America/New_York: a fixed local time that does not exist moves to
 * the first moment that does, and one that occurs twice fires at the first; `*` and steps follow
 * real hours, so a repeated hour has its periods twice, and a skipped hour has none.
 */
export interface Timing {
  readonly cron: string;
  /** `Europe/Berlin`, `UTC`. */
  readonly zone: string;
}

/** Cache of parsed timings: parsing costs more than evaluating. */
const known = new Map<string, Cron>();
const maxKnown = 1_000;

/** The cron fields in order, each with its allowed values. */
const cronFields = [
  ['minute', '0 to 59'],
  ['hour', '0 to 23'],
  ['day of month', '1 to 31, or L for the last'],
  ['month', '1 to 12, or JAN to DEC'],
  ['day of week', '0 to 7, or SUN to SAT'],
] as const;

/**
 * @throws AssayError refused, naming `cron` or `zone`: not five fields, an invalid field, an
 * unknown zone, or a time that never occurs
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

/** The first field that is invalid by itself, and its allowed values; null if each is valid. */
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
 * The first period after a moment; null if there is none, or if this release cannot parse the
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
 * The periods after `after` up to and including `until`, in order, at most `limit`. Empty if the
 * timing cannot be parsed.
 */
export function periodsBetween(timing: Timing, after: Date, until: Date, limit: number): Date[] {
  const periods: Date[] = [];
  for (
    let at = nextPeriod(timing, after);
    at !== null && at <= until && periods.length < limit;
    at = nextPeriod(timing, at)
  ) {
    periods.push(at);
  }
  return periods;
}

/** @throws Error on an invalid cron or zone */
function readCron({ cron, zone }: Timing): Cron {
  const key = JSON.stringify([cron, zone]);
  let read = known.get(key);
  if (read === undefined) {
    read = new Cron(cron, { mode: '5-part', timezone: zone, paused: true });
    if (known.size >= maxKnown) known.delete(known.keys().next().value ?? '');
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
