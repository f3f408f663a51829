import { z } from 'zod';

/** The job kind that runs an experiment. */
export const experimentKind = 'experiments.run';

export const ExperimentJob = z.object({
  experiment: z.string(),
});
