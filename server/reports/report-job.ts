import { z } from 'zod';
import { ReportedVerifier } from './report-content';

/** The job kind that creates a report; the job and the report share one id. */
export const reportKind = 'reports.make';

export const ReportJob = z.object({
  /** Whether to send it to the destinations that accept reports. */
  sent: z.boolean(),
});
export type ReportJob = z.infer<typeof ReportJob>;

/** The cost of verifying in one UTC day or several, by series. */
export const SeriesCost = z.object({
  series: z.string(),
  verdicts: z.number(),
  verifyingUsd: z.number(),
  unpriced: z.number(),
  judgeCalls: z.number(),
  tokens: z.number(),
  costed: z.number(),
  workUsd: z.number(),
  /** The same, counting each piece of work once however many verifiers judged it. */
  workOnceUsd: z.number(),
  verifyingCostedUsd: z.number(),
  overBudget: z.number(),
});
export type SeriesCost = z.infer<typeof SeriesCost>;

/**
 * The progress of a report: the verifiers with their rates, then the days whose costs were read,
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
