import type { ProjectCtx } from '../access';
import type { Notice } from '../deliveries';
import type { AlertSeverity } from './alert';
import type { AlertKind } from './alert-facts';
import { alertFacts } from './alert-facts';

/** One alert of a notice. */
export interface NoticeAlert {
  readonly series: string;
  readonly name: string;
  readonly value: number | null;
  readonly limit: number | null;
  readonly message: string;
  readonly advice: string | null;
  readonly since: Date;
  /** Number of alerting checks since the last notice. */
  readonly found: number;
  readonly href: string | null;
}

export interface NoticeGroup {
  readonly kind: AlertKind;
  readonly event: 'began' | 'lasts' | 'recovered' | 'no_data';
  readonly severity: AlertSeverity;
  /** The first of the events covered by the notice. */
  readonly eventId: string;
  readonly alerts: readonly [NoticeAlert, ...NoticeAlert[]];
}

const words = {
  began: 'Alert',
  lasts: 'Still',
  recovered: 'Over',
  no_data: 'No data any more',
} as const;
/** Number of alerts listed in the text and in the data; the rest is counted. */
const inText = 10;
const inData = 50;

/** One notice for all series of a kind whose alerts began, persist or ended in one check (R-49). */
export function noticeOf(
  ctx: Pick<ProjectCtx, 'env' | 'projectSlug'>,
  { kind, event, severity, eventId, alerts }: NoticeGroup,
): Notice {
  const base = `${ctx.env.webUrl}/p/${ctx.projectSlug}`;
  const { title, notWatched } = alertFacts[kind];
  const word = event === 'no_data' ? (notWatched ?? words[event]) : words[event];
  const [first] = alerts;
  const about = alerts.length === 1 ? first.name : `${alerts.length.toLocaleString('en')} at once`;
  const more = alerts.length - inText;
  return {
    kind: 'alert',
    refId: eventId,
    severity: event === 'recovered' || event === 'no_data' ? 'low' : severity,
    subject: `${word} in ${ctx.projectSlug}: ${title} (${about})`,
    text: [
      ...alerts.slice(0, inText).map((alert) => paragraph(event, alert)),
      ...(more > 0 ? [`And ${more.toLocaleString('en')} more.`] : []),
    ].join('\n\n'),
    data: {
      event,
      kind,
      title,
      url: `${base}/alerts`,
      count: alerts.length,
      alerts: alerts.slice(0, inData).map((alert) => ({
        series: alert.series,
        name: alert.name,
        value: alert.value,
        limit: alert.limit,
        message: alert.message,
        advice: alert.advice,
        since: alert.since.toISOString(),
        found: alert.found,
        url: alert.href === null ? null : `${base}${alert.href}`,
      })),
    },
  };
}

function paragraph(
  event: NoticeGroup['event'],
  { message, advice, since, found }: NoticeAlert,
): string {
  const at = `${since.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (event === 'recovered' || event === 'no_data') return message;
  const lasting =
    event === 'lasts'
      ? ` It has lasted since ${at}; found ${found.toLocaleString('en')} times since the last notice.`
      : '';
  return `${message}${lasting}${advice === null ? '' : `\n${advice}`}`;
}
