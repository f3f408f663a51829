import type { Stage } from '../stage';

/**
 * Reports when verdicts of given subjects become readable, by the notification that the storing
 * statement sends at its commit.
 */
export interface VerdictWatch {
  /**
   * performance.now() at which the verdict of a turn became readable. Call it before the turn is
   * sent.
   * @throws Error after a minute
   */
  settled(turnId: string): Promise<number>;
  close(): Promise<void>;
}

const longestMs = 60_000;

export async function watchVerdicts({ sql, project }: Stage): Promise<VerdictWatch> {
  const waiting = new Map<string, (at: number) => void>();
  let asking = false;
  let isQueryPending = false;
  let noticedAt = 0;
  /** One query at a time; a notification during it triggers one more. */
  const ask = async (): Promise<void> => {
    noticedAt = performance.now();
    isQueryPending = true;
    if (asking) return;
    asking = true;
    while (isQueryPending && waiting.size > 0) {
      isQueryPending = false;
      // The notification comes with the commit; the query that follows adds no time to it.
      const at = noticedAt;
      const ids = JSON.stringify([...waiting.keys()]);
      const rows = await sql<{ id: string }[]>`
        select distinct subject_id as id from verdicts
        where project_id = ${project.projectId} and subject_id in (select json_array_elements_text(${ids}::text::json))`;
      for (const { id } of rows) {
        waiting.get(id)?.(at);
        waiting.delete(id);
      }
    }
    asking = false;
  };
  // If the query fails, the wait for the verdict ends with its own error.
  const listening = await sql.listen('assay_verdicts', () => void ask().catch(() => undefined));
  return {
    settled: (turnId) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`void: no verdict of ${turnId} within ${longestMs} ms`)),
          longestMs,
        );
        waiting.set(turnId, (at) => {
          clearTimeout(timer);
          resolve(at);
        });
      }),
    close: () => listening.unlisten(),
  };
}
