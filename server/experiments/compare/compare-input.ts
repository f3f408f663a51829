import { z } from 'zod';
import { ProjectRef } from '../../access/input';
import { intakeLimits } from '../../domain';

export const compareLimits = { runs: 6, items: 50, outputChars: 2_000, repetitions: 10 } as const;

const Id = z.string().min(1).max(intakeLimits.idChars);
const Verifier = z.string().min(1).max(300);
const Cursor = z.string().max(1_000);

export const experimentStates = [
  'open',
  'running',
  'done',
  'over_budget',
  'cancelled',
  'failed',
] as const;

export const ExperimentFilters = z.strictObject({
  /** A slug, or `slug@version`. */
  dataset: z.string().min(1).max(300).optional(),
  /** The stored prompt of the target: a slug, or `slug@version`. */
  prompt: z.string().min(1).max(300).optional(),
  branch: z.string().min(1).max(300).optional(),
  commit: z.string().min(1).max(300).optional(),
  state: z.enum(experimentStates).optional(),
  cursor: Cursor.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

export const rowStates = ['waiting', 'asked', 'answered', 'failed', 'lost'] as const;

export const ExperimentRowFilters = z.strictObject({
  state: z.enum(rowStates).optional(),
  cursor: Cursor.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

const Runs = z
  .array(Id)
  .min(2)
  .max(compareLimits.runs)
  .refine((ids) => new Set(ids).size === ids.length, { message: 'must not repeat an id' });

/** `cursor` and `limit` page through the items. */
export const CompareItemsBody = z.strictObject({
  /** The first is the baseline. */
  ids: Runs,
  verifier: Verifier.optional(),
  cursor: Cursor.optional(),
  limit: z.coerce.number().int().min(1).max(compareLimits.items).default(20),
});
export type CompareItemsBody = z.infer<typeof CompareItemsBody>;
export const CompareBody = CompareItemsBody.extend({ slice: z.enum(['tag', 'split']).optional() });
export type CompareBody = z.infer<typeof CompareBody>;

const Share = z.number().min(0).max(1);

export const GateBody = z
  .strictObject({
    min_pass_rate: z
      .record(
        Verifier,
        z.strictObject({ at_least: Share, by: z.enum(['value', 'low']).default('value') }),
      )
      .optional(),
    /** The id of an experiment, or `branch:` and a name. */
    no_regression_against: z.string().min(1).max(310).optional(),
    max_cost_usd: z.number().min(0).max(1_000_000).optional(),
  })
  .refine((gate) => Object.values(gate).some((part) => part !== undefined), {
    message: 'must have `min_pass_rate`, `no_regression_against` or `max_cost_usd`',
  });
export type GateBody = z.infer<typeof GateBody>;

export const ExperimentsIn = ProjectRef.extend(ExperimentFilters.shape);
export const ExperimentIn = ProjectRef.extend({ id: Id });
export const ExperimentRowsIn = ExperimentIn.extend(ExperimentRowFilters.shape);
/** As many as a page of the list. */
export const SummariesIn = ProjectRef.extend({ ids: z.array(Id).min(1).max(compareLimits.items) });
export const CompareIn = ProjectRef.extend(CompareBody.shape);
export const CompareItemsIn = ProjectRef.extend(CompareItemsBody.shape);
export const GateIn = ExperimentIn.extend({ gate: GateBody });

/** The reasons why a gate did not pass, and its warnings. */
export const gateCodes = [
  'not_finished',
  'no_scored_rows',
  'pass_rate',
  'unscored',
  'no_baseline',
  'no_pairs',
  'regression',
  'inconclusive',
  'cost',
  'cost_unknown',
] as const;
