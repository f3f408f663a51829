import { z } from 'zod';
import { ReportedVerifier } from './report-content';

/** The kind of job that makes a report; its id is the report's. */
export const reportKind = 'reports.make';

export const ReportJob = z.object({
  /** Whether it is sent to the destinations that accept reports. */
  sent: z.boolean(),
});
export type ReportJob = z.infer<typeof ReportJob>;

/** The cost of verifying of one UTC day or of several, by series. */
export const SeriesCost = z.object({
  series: z.string(),
  verdicts: z.number(),
  verifyingUsd: z.number(),
  unpriced: z.number(),
  judgeCalls: z.number(),
  tokens: z.number(),
  costed: z.number(),
  workUsd: z.number(),
  /** The same, with each piece of work once, whichever verifiers judged it. */
  workOnceUsd: z.number(),
  verifyingCostedUsd: z.number(),
  overBudget: z.number(),
});
export type SeriesCost = z.infer<typeof SeriesCost>;

/**
 * The progress of a report: the verifiers with their rates, then the days whose costs are read,
 * then the verifiers with details.
 */
export const ReportDraft = z
  .object({
    verifiers: z.array(ReportedVerifier),
    days: z.number().int(),
    costs: z.array(SeriesCost),
    told: z.number().int(),
  })
  .transform(({ told: described, ...draft }) => ({ ...draft, described }));
export type ReportDraft = z.infer<typeof ReportDraft>;

/**
 * The draft as stored in the job: earlier releases named the number of described verifiers `told`.
 */
export const storedDraft = ({ described, ...draft }: ReportDraft): z.input<typeof ReportDraft> => ({
  ...draft,
  told: described,
});
