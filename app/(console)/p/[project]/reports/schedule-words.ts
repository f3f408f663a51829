import type { ReportSchedule } from '@/app/_trpc/outputs';
import { schedules as named } from '../calibration/verifier/anchor-words';

/** Schedules that have a name; any other is written as a cron expression. */
export const offered = named.flatMap(({ name, cron }) => (cron === null ? [] : [{ name, cron }]));

export const weekly = {
  name: 'Weekly report',
  cron: '0 6 * * 1',
  days: 7,
  enabled: true,
  sent: true,
} as const;

/** `every Monday at 06:00, Europe/Berlin`. */
export function whenText({ cron, zone }: Pick<ReportSchedule, 'cron' | 'zone'>): string {
  const known = offered.find((each) => each.cron === cron)?.name;
  const when =
    known === undefined ? `at ${cron}` : `${known.slice(0, 1).toLowerCase()}${known.slice(1)}`;
  return `${when}, ${zone}`;
}

/**
 * `Monday 30 November 2026 at 06:00`, in the given zone; in UTC, with the suffix `UTC`, if the
 * browser does not know the zone.
 */
export function momentText(at: Date, zone: string, locale: string): string {
  const format = (timeZone: string): string =>
    new Intl.DateTimeFormat(locale, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone,
    })
      .format(at)
      .replace(',', '');
  try {
    return format(zone);
  } catch {
    return `${format('UTC')} UTC`;
  }
}

export const daysText = (days: number): string =>
  days === 1 ? '1 day' : `${days.toLocaleString('en')} days`;
