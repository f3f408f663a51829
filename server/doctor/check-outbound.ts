import { createTransport } from 'nodemailer';
import { type Ctx, guardedFetch, outboundPolicy } from '../platform';
import { type Diagnosis, messageOf, ok, warning } from './diagnosis';

const deadlineMs = 5_000;
const bytesMax = 1024 * 1024;

/** Calls each origin once without a key: any reply shows that it can be reached. */
export function checkProviders(
  { env }: Pick<Ctx, 'env'>,
  origins: readonly string[],
): Promise<readonly Diagnosis[]> {
  const policy = outboundPolicy(env);
  return Promise.all(
    origins.map(async (origin) => {
      try {
        const { status } = await guardedFetch(policy, {
          method: 'GET',
          url: origin,
          headers: new Map(),
          body: null,
          deadlineMs,
          replyBytesMax: bytesMax,
        });
        return ok('outbound', `${origin} answered with status ${status}`);
      } catch (error) {
        return warning(
          'outbound',
          `${origin} cannot be called: ${messageOf(error)}`,
          'Check its address and your firewall; a private address must be in ASSAY_OUTBOUND_ALLOW.',
        );
      }
    }),
  );
}

/** Signs in to the mail server, and sends nothing. */
export async function checkMail({ env }: Pick<Ctx, 'env'>): Promise<Diagnosis> {
  if (env.mail === null) return ok('mail', 'this installation sends no mail');
  const transport = createTransport({
    url: env.mail.smtpUrl,
    connectionTimeout: deadlineMs,
    greetingTimeout: deadlineMs,
    socketTimeout: deadlineMs,
    dnsTimeout: deadlineMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.verify();
    return ok('mail', 'the mail server takes mail');
  } catch (error) {
    return warning(
      'mail',
      `the mail server cannot be used: ${messageOf(error)}`,
      'Check ASSAY_SMTP_URL: its host, port, user and password.',
    );
  } finally {
    transport.close();
  }
}
