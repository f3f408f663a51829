import { sql } from 'drizzle-orm';
import { schema } from '../../db';
import type { ProjectCtx } from '../access';
import { storeNotice } from '../deliveries';
import { cleanText, storableJson } from '../domain';
import { type Database, newId, notifyChangedIn } from '../platform';
import type { AlertKind } from './alert-facts';
import { kindRuleOf } from './all-kinds';
import type { AlertFinding, AlertCheck } from './kind';
import { noticeOf, type NoticeGroup, type NoticeAlert } from './notice-of';
import { type AlertStatus, type Transition, transitionOf } from './alert-status';

/** The findings of one check of one kind. */
export interface KindFindings {
  readonly kind: AlertKind;
  readonly findings: readonly AlertFinding[];
}

interface StateRow extends Record<string, unknown> {
  kind: string;
  series: string;
  name: string;
  state: AlertStatus['state'];
  value: number | null;
  limit_value: number | null;
  message: string;
  found: number;
  since: string;
  notified_at: string | null;
  acknowledged: boolean;
}

/** The change of one series in this check. */
interface SeriesChange {
  readonly kind: AlertKind;
  readonly finding: AlertFinding;
  readonly step: Transition;
  /** Whether its object no longer exists; its row is then removed. */
  readonly isRemoved: boolean;
  readonly eventId: string | null;
}

/**
 * Stores the findings of a check with its events and notices in one transaction, or nothing if
 * another check has started since. Kinds whose check failed are not in `found` and keep their
 * state. Returns whether it stored them.
 */
export async function storeFindings(
  check: AlertCheck,
  fence: number,
  found: readonly KindFindings[],
): Promise<boolean> {
  const { project } = check;
  return project.db.transaction(async (tx) => {
    const [latest] = await tx.execute<{ fence: string }>(sql`
      select fence from alert_looks where project_id = ${project.projectId} for update`);
    if (latest === undefined || Number(latest.fence) !== fence) return false;
    const rows = await tx.execute<StateRow>(sql`
      select kind, series, name, state, value, limit_value, message, found, since, notified_at, exists (
        select from alert_events e where e.project_id = s.project_id and e.kind = s.kind and e.series = s.series
          and e.created_at >= s.since and e.event = 'acknowledged') as acknowledged
      from alert_states s where project_id = ${project.projectId}`);
    const moved = found.flatMap((each) => transitionKind(check, each, rows));
    await storeStates(project, tx, check.now, moved);
    await storeEvents(project, tx, check.now, moved);
    await notifyChangedIn(tx, project.projectId, 'alerts');
    return true;
  });
}

/** Found series first, then series that are no longer found. */
function transitionKind(
  check: AlertCheck,
  { kind, findings }: KindFindings,
  rows: readonly StateRow[],
): SeriesChange[] {
  const before = new Map(rows.filter((row) => row.kind === kind).map((row) => [row.series, row]));
  const enabledFindings = findings.filter(({ verifier }) => check.ruleFor(kind, verifier).enabled);
  const seen = new Set(enabledFindings.map(({ series }) => series));
  const unseen = [...before.values()].filter(({ series }) => !seen.has(series));
  return [
    ...enabledFindings.map((finding) =>
      transitionSeries(check, kind, finding, before.get(finding.series), false),
    ),
    ...unseen.map((row) => transitionUnseen(check, kind, row)),
  ];
}

function transitionUnseen(check: AlertCheck, kind: AlertKind, row: StateRow): SeriesChange {
  const isOfVerifier = kindRuleOf(kind).whenNotFound === 'no_data';
  const verifier = isOfVerifier ? row.series : null;
  const { enabled } = check.ruleFor(kind, verifier);
  const isRemoved = !enabled || !isOfVerifier;
  const finding: AlertFinding = {
    series: row.series,
    name: row.name,
    verifier,
    state: 'no_data',
    value: null,
    limit: row.limit_value,
    message: enabled
      ? isRemoved
        ? `${row.name} no longer exists.`
        : `There is no data on ${row.name} at the moment.`
      : 'Switched off.',
    advice: null,
    href: null,
  };
  return transitionSeries(check, kind, finding, row, isRemoved);
}

function transitionSeries(
  { now, ruleFor }: AlertCheck,
  kind: AlertKind,
  finding: AlertFinding,
  row: StateRow | undefined,
  isRemoved: boolean,
): SeriesChange {
  const before = row === undefined ? null : statusOf(row);
  const rule = ruleFor(kind, finding.verifier);
  const step = transitionOf(
    before,
    finding.state,
    {
      noData: isRemoved ? 'ok' : rule.noData,
      renotifyMinutes: rule.renotifyMinutes,
      isAcknowledged: row?.acknowledged === true,
    },
    now,
  );
  // Keeps the last finding readable while there is no other data.
  const keepsLastFinding =
    finding.state === 'no_data' &&
    step.status.state === 'alerting' &&
    row !== undefined &&
    rule.noData === 'keep';
  return {
    kind,
    finding: keepsLastFinding ? { ...finding, value: row.value, message: row.message } : finding,
    step,
    isRemoved,
    eventId: step.event === null ? null : newId('alr', now),
  };
}

const statusOf = (row: StateRow): AlertStatus => ({
  state: row.state,
  since: new Date(row.since),
  found: row.found,
  notifiedAt: row.notified_at === null ? null : new Date(row.notified_at),
});

async function storeStates(
  { projectId }: ProjectCtx,
  tx: Database,
  now: Date,
  moved: readonly SeriesChange[],
): Promise<void> {
  const removedSeries = moved
    .filter(({ isRemoved }) => isRemoved)
    .map(({ kind, finding: { series } }) => ({ kind, series }));
  if (removedSeries.length > 0) {
    await tx.execute(sql`
      delete from alert_states s using jsonb_to_recordset(${storableJson(removedSeries)}::text::jsonb) as g(kind text, series text)
      where s.project_id = ${projectId} and s.kind = g.kind and s.series = g.series`);
  }
  const stateRows = moved.filter(({ isRemoved }) => !isRemoved).map(stateRow);
  if (stateRows.length === 0) return;
  await tx.execute(sql`
    insert into alert_states (project_id, kind, series, name, state, severity, value, limit_value, message, advice, href, found, since, notified_at, looked_at)
    select ${projectId}, kind, series, name, state, severity, value, limit_value, message, advice, href, found, since, notified_at, ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${storableJson(stateRows)}::text::jsonb) as r(
      kind text, series text, name text, state text, severity text, value double precision, limit_value double precision, message text, advice text,
      href text, found int, since timestamptz, notified_at timestamptz)
    on conflict (project_id, kind, series) do update set name = excluded.name, state = excluded.state, severity = excluded.severity,
      value = excluded.value, limit_value = excluded.limit_value, message = excluded.message, advice = excluded.advice, href = excluded.href,
      found = excluded.found, since = excluded.since, notified_at = excluded.notified_at, looked_at = excluded.looked_at`);
}

function stateRow({ kind, finding, step: { status } }: SeriesChange): Record<string, unknown> {
  return {
    kind,
    series: finding.series,
    name: finding.name,
    state: status.state,
    severity: kindRuleOf(kind).severity,
    value: finding.value,
    limit_value: finding.limit,
    message: finding.message,
    advice: finding.advice,
    href: finding.href,
    found: status.found,
    since: status.since.toISOString(),
    notified_at: status.notifiedAt?.toISOString() ?? null,
  };
}

async function storeEvents(
  project: ProjectCtx,
  tx: Database,
  now: Date,
  moved: readonly SeriesChange[],
): Promise<void> {
  const noticeIds = new Map<SeriesChange, string>();
  for (const each of groupForNotices(moved)) {
    const noticeId = await storeNotice(project, tx, noticeOf(project, each.group));
    for (const one of each.moved) noticeIds.set(one, noticeId);
  }
  const rows = moved.flatMap((each) => {
    const { eventId, finding, kind, step } = each;
    if (eventId === null || step.event === null) return [];
    return [
      {
        projectId: project.projectId,
        id: eventId,
        kind,
        series: finding.series,
        name: cleanText(finding.name).text,
        event: step.event,
        severity: kindRuleOf(kind).severity,
        value: finding.value,
        limitValue: finding.limit,
        message: cleanText(finding.message).text,
        found: step.found,
        noticeId: noticeIds.get(each) ?? null,
        createdAt: now,
      },
    ];
  });
  if (rows.length > 0) await tx.insert(schema.alertEvents).values(rows);
}

/** Groups by kind and event, in the order of the kinds. */
function groupForNotices(
  moved: readonly SeriesChange[],
): { readonly group: NoticeGroup; readonly moved: readonly SeriesChange[] }[] {
  const groups = new Map<string, SeriesChange[]>();
  for (const each of moved.filter(({ step }) => step.notifies)) {
    const key = `${each.kind} ${each.step.event ?? ''}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined || first.eventId === null || first.step.event === null) return [];
    const { kind, eventId, step } = first;
    const alerts = [noticeAlertOf(first), ...others.map(noticeAlertOf)] as const;
    return [
      {
        group: {
          kind,
          event: first.step.event,
          severity: kindRuleOf(kind).severity,
          eventId,
          alerts,
        },
        moved: group,
        step,
      },
    ];
  });
}

function noticeAlertOf({ finding, step }: SeriesChange): NoticeAlert {
  const { series, name, value, limit, message, advice, href } = finding;
  return {
    series,
    name,
    value,
    limit,
    message,
    advice,
    href,
    since: step.status.since,
    found: step.found,
  };
}
