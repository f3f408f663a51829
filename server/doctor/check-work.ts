import type { Ctx } from '../platform';
import { getBoxReport, type Installation, readInstallation } from '../queue';
import type { BoxState } from '../sandbox';
import { type Diagnosis, failed, ok, warning } from './diagnosis';

/** Work that has waited longer is late: a worker takes ready work within a second. */
const lateS = 60;

/**
 * Workers, their sandboxes, and the work that waits for them.
 * @param checkBox tests the sandbox of this machine, used if no worker has reported
 */
export async function checkWork(
  ctx: Pick<Ctx, 'sql' | 'clock'>,
  checkBox: () => Promise<BoxState>,
): Promise<readonly Diagnosis[]> {
  const [installation, report] = await Promise.all([readInstallation(ctx), getBoxReport(ctx)]);
  const workers = installation.workers.reduce((sum, { rows }) => sum + rows, 0);
  const box = workers === 0 ? await checkBox() : report;
  return [workersDiagnosis(workers), boxDiagnosis(box), ...backlogDiagnoses(installation.work)];
}

const workersDiagnosis = (workers: number): Diagnosis =>
  workers === 0
    ? failed(
        'workers',
        'no worker has reported within three minutes',
        'Start one with assay worker, or everything with assay start.',
      )
    : ok('workers', workers === 1 ? 'one worker runs' : `${workers} workers run`);

function boxDiagnosis({
  state,
  reason,
  fix,
}: Pick<BoxState, 'state' | 'reason' | 'fix'>): Diagnosis {
  if (state === 'ready') return ok('sandbox', 'it isolates foreign code');
  if (state === 'unknown')
    return warning('sandbox', 'its self-test has not ended yet', 'Run assay doctor once more.');
  return warning(
    'sandbox',
    reason ?? `it is ${state}: proof gates and functions do not run`,
    fix ?? 'Install bubblewrap on the machines of the workers.',
  );
}

function backlogDiagnoses(work: Installation['work']): readonly Diagnosis[] {
  const waiting = work.filter(({ state }) => state === 'waiting');
  const rows = waiting.reduce((sum, each) => sum + each.rows, 0);
  const oldest = Math.max(0, ...waiting.map((each) => each.lateS));
  const quarantined = work
    .filter(({ state }) => state === 'quarantined')
    .reduce((sum, each) => sum + each.rows, 0);
  const backlog =
    oldest > lateS
      ? warning(
          'backlog',
          `${rows} verifications wait, the oldest ready one for ${Math.round(oldest)} s`,
          'Start more workers; if none is short of processor time, read their logs.',
        )
      : ok('backlog', rows === 1 ? 'one verification waits' : `${rows} verifications wait`);
  if (quarantined === 0) return [backlog];
  return [
    backlog,
    warning(
      'quarantine',
      `${quarantined} verifications failed repeatedly and are not tried again`,
      'Read the reason on the page Received of their project, then replay or drop them.',
    ),
  ];
}
