import type { Ctx } from '../../platform';

/** Tells the workers that there is work, after it was stored. */
export interface WakeUp {
  /** Once for all that asks while a notice is on its way. */
  soon(): void;
}

/**
 * A notice within the storing statement holds a lock of the whole database until that commit has
 * reached the disk, so that no two such commits can share the wait. Where one commit follows the
 * other, the notice goes out by itself; should it be lost, workers look every second.
 */
export function createWakeUp(ctx: Pick<Ctx, 'sql' | 'log'>): WakeUp {
  let isOut = false;
  let again = false;
  const send = (): void => {
    isOut = true;
    again = false;
    ctx.sql`select pg_notify('assay_work', '')`
      .catch((error: unknown) =>
        ctx.log.debug({ err: error }, 'workers not woken: they look every second'),
      )
      .finally(() => {
        isOut = false;
        if (again) send();
      });
  };
  return {
    soon() {
      if (isOut) again = true;
      else send();
    },
  };
}
