import { z } from 'zod';
import { ProjectRef } from '../access/input';
import { plainName } from '../domain';
import { alertKinds } from './alert-facts';

export const AlertKindIn = z.enum(alertKinds);
/** Why nothing more has to be done, or who does it. */
export const AcknowledgeReason = z.string().max(1000);
/** Null means all verifiers. */
const Verifier = plainName(100).nullable();

/**
 * Bounds of a rule's times: a window must cover several checks, and notices must not repeat more
 * often than checks run.
 */
export const alertTimes = {
  minMinutes: 5,
  maxWindowMinutes: 90 * 24 * 60,
  maxRenotifyMinutes: 30 * 24 * 60,
} as const;

export const AlertHistoryIn = ProjectRef.extend({
  kind: AlertKindIn.optional(),
  series: plainName(500).optional(),
  cursor: z.string().max(500).optional(),
  limit: z.number().int().min(1).max(200).optional(),
});

/** `limit` is null if the kind has none. */
export const PutAlertRuleIn = ProjectRef.extend({
  kind: AlertKindIn,
  verifier: Verifier,
  rule: z.strictObject({
    enabled: z.boolean(),
    limit: z.number().nullable(),
    window_minutes: z.number().int().min(alertTimes.minMinutes).max(alertTimes.maxWindowMinutes),
    no_data: z.enum(['ok', 'keep', 'alert']),
    renotify_minutes: z
      .number()
      .int()
      .min(alertTimes.minMinutes)
      .max(alertTimes.maxRenotifyMinutes)
      .nullable(),
  }),
});

export const ResetAlertRuleIn = ProjectRef.extend({ kind: AlertKindIn, verifier: Verifier });

export const AcknowledgeIn = ProjectRef.extend({
  id: plainName(100),
  reason: AcknowledgeReason.optional(),
});
