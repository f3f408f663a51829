import type { ProjectCtx } from '../access';
import { classifyStorageError, isStatementTimeout } from '../platform';
import { measureVerifiers, type VerifierMeasures } from '../measures';
import { kindRules } from './all-kinds';
import { detectChanges } from './detector/detect';
import type { AlertFinding, AlertCheck } from './kind';
import { readStoredRules, effectiveRules } from './effective-rules';
import { type KindFindings, storeFindings } from './store-findings';
import { windowStart } from './window-start';

/**
 * Checks all alerts of one project under the `fence` of the claim, and sends notices of changes. If
 * the check of a kind fails or times out, it is logged and the kind keeps its state; the others
 * continue. Returns whether the check counted.
 * @throws on storage faults
 */
export async function checkAlerts(project: ProjectCtx, fence: number): Promise<boolean> {
  const now = await readClock(project);
  const stored = await readStoredRules(project);
  const rules = effectiveRules(stored, now);
  let detected: ReturnType<AlertCheck['detected']> | undefined;
  const check: AlertCheck = {
    project,
    now,
    ...rules,
    measures: measuring(project, now),
    detected: () => (detected ??= detectChanges({ project, now, ...rules })),
  };
  const found: KindFindings[] = [];
  for (const { kind, find } of kindRules) {
    const isOff =
      !check.ruleFor(kind, null).enabled &&
      !stored.some((rule) => rule.kind === kind && rule.enabled);
    const findings = isOff ? [] : await findOrLog(check, kind, find);
    if (findings !== null) found.push({ kind, findings });
  }
  return storeFindings(check, fence, found);
}

/** Null if the check failed. @throws on storage faults */
async function findOrLog(
  check: AlertCheck,
  kind: string,
  find: (check: AlertCheck) => Promise<readonly AlertFinding[]>,
): Promise<readonly AlertFinding[] | null> {
  try {
    return await find(check);
  } catch (error) {
    const fault = classifyStorageError(error);
    if ((fault === 'transient' || fault === 'retry') && !isStatementTimeout(error)) throw error;
    check.project.log.error(
      { err: error, project: check.project.projectId, kind },
      'alerts: check of a kind failed',
    );
    return null;
  }
}

function measuring(project: ProjectCtx, now: Date): AlertCheck['measures'] {
  const measuresByWindow = new Map<number, Promise<VerifierMeasures[]>>();
  return (minutes) => {
    const known =
      measuresByWindow.get(minutes) ??
      measureVerifiers(project, { from: windowStart(now, minutes) });
    measuresByWindow.set(minutes, known);
    return known;
  };
}

/** The time by the database clock. */
async function readClock({ sql }: Pick<ProjectCtx, 'sql'>): Promise<Date> {
  const [row] = await sql<{ now: string }[]>`select clock_timestamp() as now`;
  if (row === undefined) throw new Error('PostgreSQL returned no time');
  return new Date(row.now);
}
