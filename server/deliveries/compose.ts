import { and, eq } from 'drizzle-orm';
import { schema } from '../../db';
import type { ProjectCtx } from '../access';
import { notFound, refused } from '../platform';
import { getVerdict, verificationReply } from '../verdicts';
import type { ClaimedDelivery } from './claim';
import { openHeaders, openSigningSecret } from './destination';
import type { Mail } from './mail';
import { mailText, noticeText, type NoticeText, slackBody } from './notice-texts';
import type { SlackButtons } from './slack/buttons';
import { verdictText } from './slack/verdict-text';
import { otlpBody, otlpUrl } from './otlp';
import { readSigningSecrets, type WebhookMessage, webhookRequest } from './webhook-request';

/** The message of one delivery: an HTTP request or an email. */
export type Outgoing =
  | {
      readonly by: 'http';
      readonly url: string;
      readonly headers: ReadonlyMap<string, string>;
      readonly body: string;
    }
  | { readonly by: 'mail'; readonly mail: Mail };

type NoticeRow = typeof schema.notices.$inferSelect;

/**
 * @throws AssayError not_found if its subject was deleted; Error if its secrets cannot be opened
 */
export async function compose(project: ProjectCtx, delivery: ClaimedDelivery): Promise<Outgoing> {
  const { verdictId, noticeId } = delivery;
  if (verdictId !== null) return composeVerdict(project, delivery, verdictId);
  const { notices } = schema;
  const [notice] = await project.db
    .select()
    .from(notices)
    .where(and(eq(notices.projectId, project.projectId), eq(notices.id, noticeId ?? '')));
  if (notice === undefined) throw notFound('notice');
  return composeNotice(project, delivery, notice);
}

const ownHeaders: readonly (readonly [string, string])[] = [['user-agent', 'assay']];
const json = ['content-type', 'application/json'] as const;

async function composeVerdict(
  project: ProjectCtx,
  delivery: ClaimedDelivery,
  verdictId: string,
): Promise<Outgoing> {
  const { destination, projectId } = delivery;
  const verdict = await getVerdict(project, verdictId);
  if (verdict.state !== 'settled') throw new Error('the verdict is not settled');
  const reply = verificationReply(project, verdict);
  if (destination.kind === 'otlp') {
    const body = otlpBody(projectId, verdict, typeof reply.url === 'string' ? reply.url : '');
    return {
      by: 'http',
      url: otlpUrl(destination.url),
      headers: new Map([...openHeaders(project, projectId, destination), ...ownHeaders, json]),
      body,
    };
  }
  if (destination.kind === 'slack') {
    const buttons = { for: 'verdict', verdictId } as const;
    return slackMessage(project, delivery, verdictText(project, verdict), buttons);
  }
  return signed(project, delivery, {
    type: 'verification.settled',
    timestamp: reply.settled_at,
    data: reply,
  });
}

function composeNotice(
  project: ProjectCtx,
  delivery: ClaimedDelivery,
  notice: NoticeRow,
): Outgoing {
  const { destination } = delivery;
  const { data } = notice;
  const details =
    typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : {};
  const shown = noticeText(project.env.webUrl, notice, details);
  switch (destination.kind) {
    case 'email':
      return { by: 'mail', mail: { to: destination.url.split(', '), ...mailText(shown) } };
    case 'slack':
      return slackMessage(project, delivery, shown, alertButtons(notice, details));
    case 'webhook':
      return signed(project, delivery, {
        type: typeOf(notice, details),
        timestamp: notice.createdAt.toISOString(),
        data: {
          id: notice.id,
          project: project.projectSlug,
          severity: notice.severity,
          subject: notice.subject,
          text: notice.text,
          ...details,
        },
      });
    case 'otlp':
      throw refused(
        'an OpenTelemetry collector cannot receive notices; choose a webhook or e-mail',
      );
  }
}

/** A message has buttons if its destination has the secret that checks who pressed them. */
function slackMessage(
  project: ProjectCtx,
  { destination, projectId }: ClaimedDelivery,
  text: NoticeText,
  buttons: SlackButtons | null,
): Outgoing {
  const url = openSigningSecret(project, projectId, destination);
  if (url === null) throw new Error('a chat without an address');
  const isPressable = destination.actionsSecretSealed !== null;
  const body = slackBody(text, isPressable ? buttons : null);
  return { by: 'http', url, headers: new Map([...ownHeaders, json]), body };
}

/** More alerts than this in one message are acknowledged in the console, where each is listed. */
const acknowledgedAtOnce = 50;

/** Only an alert that lasts can be acknowledged; a test or a report cannot. */
function alertButtons(
  { kind, refId }: NoticeRow,
  { event, count }: Readonly<Record<string, unknown>>,
): SlackButtons | null {
  const lasts = kind === 'alert' && (event === 'began' || event === 'lasts');
  return lasts && Number(count) <= acknowledgedAtOnce ? { for: 'alert', eventId: refId } : null;
}

/** `alert.began`, `alert.lasts`, `alert.recovered`, `alert.no_data`, `report.made`, `test`. */
function typeOf({ kind }: NoticeRow, { event }: Readonly<Record<string, unknown>>): string {
  if (event === 'test') return 'test';
  return kind === 'report' ? 'report.made' : `alert.${typeof event === 'string' ? event : 'began'}`;
}

function signed(project: ProjectCtx, delivery: ClaimedDelivery, message: WebhookMessage): Outgoing {
  const { destination, projectId } = delivery;
  const opened = openSigningSecret(project, projectId, destination);
  if (opened === null) throw new Error('a webhook without a secret');
  const now = project.clock.now();
  const request = webhookRequest(delivery.id, readSigningSecrets(opened, now), now, message);
  const headers = new Map([
    ...openHeaders(project, projectId, destination),
    ...ownHeaders,
    ...request.headers,
  ]);
  return { by: 'http', url: destination.url, headers, body: request.body };
}
