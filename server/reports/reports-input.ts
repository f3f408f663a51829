import { z } from 'zod';
import { ProjectRef } from '../access/input';
import { displayName, intakeLimits, plainName } from '../domain';

export * from './report-content';
export * from './report-words';

export const reportLimits = { days: 366, nameChars: 120, schedules: 20, nextShown: 3 } as const;

const Id = z.string().min(1).max(intakeLimits.idChars);
/** One line, because it becomes the subject of an email. */
const Name = displayName(reportLimits.nameChars);
const DayCount = z
  .number()
  .int()
  .min(1, 'must be at least 1')
  .max(reportLimits.days, `must be at most ${reportLimits.days}`);

export const GetReportIn = ProjectRef.extend({ id: Id });
export const ListReportsIn = ProjectRef.extend({
  cursor: z.string().max(500).optional(),
  limit: z.number().int().min(1).max(200).optional(),
});
/**
 * A report requested by a person: its length in whole UTC days, and the last of them, which is
 * today at the latest.
 */
export const MakeReportIn = ProjectRef.extend({
  lastDay: z.iso.date(),
  days: DayCount,
  sent: z.boolean().default(false),
});

const Timing = {
  cron: plainName(200).trim().min(1, 'must not be empty'),
  zone: plainName(100).trim().min(1, 'must not be empty'),
};
export const PreviewScheduleIn = ProjectRef.extend(Timing);
/** `id` is omitted to create a schedule. */
export const PutReportScheduleIn = ProjectRef.extend({
  ...Timing,
  id: Id.optional(),
  name: Name,
  days: DayCount,
  enabled: z.boolean().default(true),
  sent: z.boolean().default(true),
});
export const ReportScheduleIn = ProjectRef.extend({ id: Id });
