import {
  anchorKind,
  createAnchorStep,
  createDraftStep,
  createExperimentStep,
  createProbeStep,
  createTrialStep,
  draftKind,
  experimentKind,
  probeKind,
  trialKind,
} from '../server/experiments';
import { createReportStep, reportKind } from '../server/reports';
import { createExportStep, exportKind } from '../server/lifecycle';
import { storeImportedLabels } from '../server/labels';
import type { JobStep } from '../server/queue';
import { backfillKind, createBackfillStep } from '../server/rules';
import type { Runtime } from '../server/runtime';
import { createImportStep, createRecountStep, importKind, recountKind } from '../server/ingest';
import { followCosts } from '../server/verdicts';

/**
 * Steps by kind of job, grouped by the loop that runs them, so that jobs that wait for models do
 * not delay the others.
 */
export interface JobSteps {
  readonly quick: ReadonlyMap<string, JobStep>;
  /** Jobs that call models. */
  readonly modelCalls: ReadonlyMap<string, JobStep>;
  /** Experiments have a separate loop, since each step takes long. */
  readonly experiments: ReadonlyMap<string, JobStep>;
  /** Reports have a separate loop, since they have a deadline and must not wait for an import. */
  readonly reports: ReadonlyMap<string, JobStep>;
}

/** Creates the steps of all kinds of jobs of this release. */
export function createJobSteps({
  ctx,
  writer,
  rules,
  subjects,
  masks,
}: Pick<Runtime, 'ctx' | 'writer' | 'rules' | 'subjects' | 'masks'>): JobSteps {
  return {
    quick: new Map([
      [backfillKind, createBackfillStep(ctx)],
      [
        importKind,
        createImportStep(ctx, {
          writer,
          planTurns: rules.planTurns,
          storeLabels: storeImportedLabels,
        }),
      ],
      [exportKind, createExportStep(ctx)],
      [recountKind, createRecountStep(ctx, { follow: followCosts })],
    ]),
    modelCalls: new Map([
      [trialKind, createTrialStep(ctx, subjects)],
      [draftKind, createDraftStep(ctx, subjects)],
      [anchorKind, createAnchorStep(ctx, subjects)],
      [probeKind, createProbeStep(ctx, subjects)],
    ]),
    experiments: new Map([
      [experimentKind, createExperimentStep(ctx, { subjects, writer, masks })],
    ]),
    reports: new Map([[reportKind, createReportStep(ctx)]]),
  };
}
