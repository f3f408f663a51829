import { z } from 'zod';
import { ReportedVerifier } from './report-content';

/** The kind of job that makes a report; its id is the report's. */
export const reportKind = 'reports.make';

export const ReportJob = z.object({
  /** Whether it goes out to the destinations that take reports. */
  sent: z.boolean(),
});
export type ReportJob = z.infer<typeof ReportJob>;

/** Of one UTC day or of several, by series: what verifying cost. */
export const SeriesCost = z.object({
  series: z.string(),
  verdicts: z.number(),
  verifyingUsd: z.number(),
  unpriced: z.number(),
  judgeCalls: z.number(),
  tokens: z.number(),
  costed: z.number(),
  workUsd: z.number(),
  /** The same, each piece of work once, whichever verifiers saw it. */
  workOnceUsd: z.number(),
  verifyingCostedUsd: z.number(),
  overBudget: z.number(),
});
export type SeriesCost = z.infer<typeof SeriesCost>;

/**
 * How far a report has come: the verifiers with their rates, then the days whose costs are read,
 * then the verifiers that are told in full.
 */
export const ReportDraft = z.object({
  verifiers: z.array(ReportedVerifier),
  days: z.number().int(),
  costs: z.array(SeriesCost),
  told: z.number().int(),
});
export type ReportDraft = z.infer<typeof ReportDraft>;
