import type { OpenAPIHono } from '@hono/zod-openapi';
import { findSlackDestination, isSignedBySlack } from '../../deliveries';
import { AssayError, newId, tooLarge, unauthorized } from '../../platform';
import { pressButton, readPayload, sendAnswer } from '../../slack';
import { answerError } from './answer';
import type { HttpDeps } from './deps';
import { refuseParameters } from './request-input';
import { webIncoming } from './web-incoming';

/** Slack sends the message with its buttons, percent-encoded: a few times its 3,000 characters. */
const maxBytes = 256 * 1024;

/**
 * `POST /v1/destinations/{id}/actions`: the buttons of Slack messages. It has no key: Slack signs
 * the request with the secret of the destination. The body is not read before that check, and an
 * unknown destination is answered like a wrong signature. Slack waits 3 seconds for the status, so
 * the message is changed afterwards.
 */
export function addSlackActions(app: OpenAPIHono, deps: HttpDeps): void {
  const { ctx } = deps;
  app.post('/v1/destinations/:id/actions', async (c) => {
    const requestId = newId('req', ctx.clock.now());
    try {
      refuseParameters(new Set(), new URL(c.req.url).searchParams.keys());
      const body = await webIncoming(c.req.raw).collect(maxBytes);
      if (body === null) throw tooLarge(`the body is larger than ${maxBytes} bytes`);
      const destination = await findSlackDestination(ctx, c.req.param('id'));
      const isSigned = isSignedBySlack(
        destination?.secret ?? '',
        {
          timestamp: c.req.header('x-slack-request-timestamp'),
          signature: c.req.header('x-slack-signature'),
          body,
        },
        ctx.clock.now(),
      );
      if (destination === null || !isSigned) throw notSigned();
      const pressed = readPayload(body);
      if (pressed !== null) {
        const answer = await pressButton(deps, destination, pressed);
        void sendAnswer(ctx, destination, answer);
      }
      return c.body(null, 200);
    } catch (error) {
      const response = answerError(c, error, requestId, ctx.log);
      // The scheme of keys, which this route does not accept.
      if (error instanceof AssayError) response.headers.delete('www-authenticate');
      return response;
    }
  });
}

const notSigned = (): AssayError =>
  unauthorized(
    'the request was not signed by Slack for this destination in the last five minutes; check its signing secret',
  );
