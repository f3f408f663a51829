import {
  anchorKind,
  createAnchorStep,
  createProbeStep,
  createTrialStep,
  probeKind,
  trialKind,
} from '../server/experiments';
import { createReportStep, reportKind } from '../server/reports';
import { createExportStep, exportKind } from '../server/lifecycle';
import { storeImportedLabels } from '../server/labels';
import type { JobStep } from '../server/queue';
import { backfillKind, createBackfillStep } from '../server/rules';
import type { Runtime } from '../server/runtime';
import { createImportStep, importKind } from '../server/ingest';

/**
 * Kind of job → its step, by the loop that runs them: what waits for models holds up nothing that
 * does not.
 */
export interface JobSteps {
  readonly quick: ReadonlyMap<string, JobStep>;
  readonly asking: ReadonlyMap<string, JobStep>;
  /** Reports, which come on time: none waits for an import. */
  readonly reporting: ReadonlyMap<string, JobStep>;
}

/** All that this release can do. */
export function jobSteps({
  ctx,
  writer,
  rules,
  subjects,
}: Pick<Runtime, 'ctx' | 'writer' | 'rules' | 'subjects'>): JobSteps {
  return {
    quick: new Map([
      [backfillKind, createBackfillStep(ctx)],
      [
        importKind,
        createImportStep(ctx, { writer, owe: rules.owe, storeLabels: storeImportedLabels }),
      ],
      [exportKind, createExportStep(ctx)],
    ]),
    asking: new Map([
      [trialKind, createTrialStep(ctx, subjects)],
      [anchorKind, createAnchorStep(ctx, subjects)],
      [probeKind, createProbeStep(ctx, subjects)],
    ]),
    reporting: new Map([[reportKind, createReportStep(ctx)]]),
  };
}
