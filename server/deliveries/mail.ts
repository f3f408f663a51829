import { createTransport } from 'nodemailer';
import { type Ctx, sha256 } from '../platform';
import type { MailText } from './notice-texts';
import type { Sent } from './sent';

export interface Mail extends MailText {
  readonly to: readonly string[];
}

/**
 * Sends one mail by SMTP through the operator's server. Derives its Message-ID from the delivery's
 * id: a repeated send is the same mail. A permanent error (5xx for the addresses or the text) ends
 * the delivery; all other errors are retried.
 */
export async function sendMail(
  { env }: Pick<Ctx, 'env'>,
  deliveryId: string,
  mail: Mail,
  deadlineMs: number,
): Promise<Sent> {
  if (env.mail === null)
    return {
      state: 'failed',
      reason: 'e-mail is not set up on this worker',
      log: 'no ASSAY_SMTP_URL',
    };
  const { smtpUrl, from } = env.mail;
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: deadlineMs,
    greetingTimeout: deadlineMs,
    socketTimeout: deadlineMs,
    dnsTimeout: deadlineMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const late = overdue(deadlineMs);
  try {
    const sending = transport.sendMail({
      from,
      to: [...mail.to],
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      messageId: `<${sha256(deliveryId).slice(0, 32)}@${domainOf(from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Assay-Delivery': deliveryId },
    });
    const { rejected } = await Promise.race([sending, late.promise]);
    const refused = rejected.length;
    return {
      state: 'delivered',
      remark: refused === 0 ? null : `${refused} of ${mail.to.length} addresses refused it`,
    };
  } catch (error) {
    return judgeMailFault(error);
  } finally {
    late.clear();
    transport.close();
  }
}

/**
 * Limits the whole send, which must end before the delivery's lease; the transport limits only each
 * step.
 */
function overdue(ms: number): { readonly promise: Promise<never>; readonly clear: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the mail was not taken within ${ms} ms`)), ms);
  });
  return { promise, clear: () => clearTimeout(timer) };
}

const domainOf = (from: string): string => from.replace(/^.*@/, '').replace(/>$/, '');

function judgeMailFault(error: unknown): Sent {
  const log = error instanceof Error ? error.message : String(error);
  const code =
    error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : Number.NaN;
  const errorCode = error instanceof Error && 'code' in error ? error.code : null;
  if (Number.isNaN(code)) return { state: 'silent', reason: 'the mail server gave no answer', log };
  // A refused login is for the operator to fix: the mail itself is valid.
  const isFinal = code >= 500 && (errorCode === 'EENVELOPE' || errorCode === 'EMESSAGE');
  return { state: isFinal ? 'final' : 'failed', reason: `the mail server answered ${code}`, log };
}
