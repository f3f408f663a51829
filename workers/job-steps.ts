import type { JobStep } from '../server/queue';
import { backfillKind, createBackfillStep } from '../server/rules';
import type { Runtime } from '../server/runtime';
import { createImportStep, importKind } from '../server/traces';

/** Kind of job → its step: all that this release can do. */
export function jobSteps({ ctx, writer, rules }: Pick<Runtime, 'ctx' | 'writer' | 'rules'>): ReadonlyMap<string, JobStep> {
  return new Map([
    [backfillKind, createBackfillStep(ctx)],
    [importKind, createImportStep(ctx, { writer, owe: rules.owe })],
  ]);
}
