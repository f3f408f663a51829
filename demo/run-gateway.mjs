// The demo's conversations over the gateway: a client of OpenAI's interface, whose calls pass
// through Assay to the scripted model.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../scripts/failure.mjs';
import { frequency, talker } from './make-talks.mjs';

/** @typedef {import('./call-api.mjs').CallApi} CallApi */

const routeName = 'demo';

/**
 * @typedef {object} GatewayCall
 * @property {boolean} isRash a fault was planted in the model's first answer
 * @property {string} verdict the response header `x-assay-verdict`
 */

/**
 * @param {{ call: CallApi, url: string, key: string, provider: string, judge: string, meter:
 * import('./progress.mjs').Meter, talks: import('./make-talks.mjs').Talk[] }} options
 *   provider: name of the simulated one; judge: model spec of the verifier
 * @returns {Promise<GatewayCall[] | string>} why there are none: the key may not use the gateway,
 * or it is not served there
 */
export async function runGateway({ call, url, key, provider, judge, meter, talks }) {
  const verifier = { model: judge, frequency, control_share: 0 };
  await call(
    `/v1/gateway/routes/${routeName}`,
    { upstream: provider, quality_verifier: verifier, integrity: { mode: 'off' } },
    'PUT',
  );
  const sendMessage = createClient(url, key);
  /** @type {GatewayCall[]} */
  const calls = [];
  for (const { id, exchanges } of talks) {
    /** @type {{ role: string, content: string }[]} */
    const messages = [];
    for (const { ask, rash } of exchanges) {
      messages.push({ role: 'user', content: ask });
      const answer = await sendMessage(id, messages);
      if (typeof answer === 'string') return answer;
      messages.push({ role: 'assistant', content: answer.text });
      calls.push({ isRash: rash !== undefined, verdict: answer.verdict });
      meter.add();
    }
  }
  return calls;
}

/** The gateway loads a new route within a second or two. */
const maxAttempts = 12;
const pauseMs = 400;

/** @param {string} url @param {string} key */
function createClient(url, key) {
  let isKnown = false;
  return async (
    /** @type {string} */ session,
    /** @type {readonly { role: string, content: string }[]} */ messages,
  ) => {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(
        `${url.replace(/\/+$/, '')}/gateway/${routeName}/v1/chat/completions`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'x-assay-session': session,
          },
          body: JSON.stringify({ model: talker, messages }),
          signal: AbortSignal.timeout(60_000),
        },
      );
      const text = await response.text();
      if (response.ok) {
        isKnown = true;
        return {
          text: String(JSON.parse(text).choices?.[0]?.message?.content ?? ''),
          verdict: response.headers.get('x-assay-verdict') ?? 'none',
        };
      }
      if (response.status === 401 || response.status === 403)
        return 'its key may not use the gateway (scope "gateway").';
      if (attempt < maxAttempts && !isKnown) {
        await sleep(pauseMs);
        continue;
      }
      if (response.status === 404) return 'no gateway is served there.';
      throw new Failure(
        `A call through the gateway failed with status ${response.status}: ${text.slice(0, 200)}`,
      );
    }
  };
}
