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
 * Maps each kind of job to its step, grouped by the loop that runs it: jobs that wait for models
 * must not delay the others.
 */
export interface JobSteps {
  readonly quick: ReadonlyMap<string, JobStep>;
  readonly asking: ReadonlyMap<string, JobStep>;
  /** Experiments have a separate loop: a step of theirs takes long. */
  readonly experimenting: ReadonlyMap<string, JobStep>;
  /** Reports have a separate loop: they have a deadline and must not wait for an import. */
  readonly reporting: ReadonlyMap<string, JobStep>;
}

/** All job kinds of this release. */
export function jobSteps({
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
    asking: new Map([
      [trialKind, createTrialStep(ctx, subjects)],
      [draftKind, createDraftStep(ctx, subjects)],
      [anchorKind, createAnchorStep(ctx, subjects)],
      [probeKind, createProbeStep(ctx, subjects)],
    ]),
    experimenting: new Map([
      [experimentKind, createExperimentStep(ctx, { subjects, writer, masks })],
    ]),
    reporting: new Map([[reportKind, createReportStep(ctx)]]),
  };
}
