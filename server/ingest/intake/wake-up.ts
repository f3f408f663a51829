import type { Ctx } from '../../platform';

/** Notifies the workers of new work after it was stored. */
export interface WakeUp {
  /** Requests made while a notice is pending share that notice. */
  soon(): void;
}

/**
 * A notice within the storing statement holds a lock of the whole database until that commit has
 * reached the disk, so that two such commits cannot share the wait. When commits follow each other,
 * the notice is sent separately; if it is lost, workers poll every second.
 */
export function createWakeUp(ctx: Pick<Ctx, 'sql' | 'log'>): WakeUp {
  let isOut = false;
  let isRequested = false;
  const send = (): void => {
    isOut = true;
    isRequested = false;
    ctx.sql`select pg_notify('assay_work', '')`
      .catch((error: unknown) =>
        ctx.log.debug({ err: error }, 'workers not woken: they poll every second'),
      )
      .finally(() => {
        isOut = false;
        if (isRequested) send();
      });
  };
  return {
    soon() {
      if (isOut) isRequested = true;
      else send();
    },
  };
}
