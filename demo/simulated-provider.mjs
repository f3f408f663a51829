// Runs the demo's simulated judge on this machine, while there is work to judge.
import { Failure } from '../scripts/failure.mjs';
import { startScriptedLlm } from '../testing/scripted-llm/server.mjs';
import { talker } from './make-talks.mjs';
import { allowOutbound } from './allow-outbound.mjs';
import { judgeAnswer, judgePlan } from './simulated-plan-judge.mjs';
import { answerer, answerQuestion } from './simulated-answers.mjs';
import { readQuestion, simulatedJudge } from './simulated-judge.mjs';
import { isReviewCall, reviewAnswer, answerInTalk } from './simulated-talk.mjs';

/** @typedef {import('./call-api.mjs').CallApi} CallApi */

/** On the loopback address by default. */
const standardPort = 4390;
export const provider = 'simulated';
const model = 'judge-1';

/**
 * @typedef {object} OpenJudge
 * @property {string | null} spec for `verifier_model`; null if Assay may not call it, since the
 *   operator decides which judges it may call
 * @property {string} why of no spec; empty otherwise
 * @property {() => Promise<void>} close
 */

/**
 * @param {CallApi} call
 * @param {{ port?: number | undefined, dataDir?: string | null, talks?: readonly
 * import('./make-talks.mjs').Talk[] }} options
 * dataDir: of the instance on this machine, which may then call the judge while it runs; null if
 *   the operator lists it
 * @returns {Promise<OpenJudge>}
 */
export async function openJudge(call, { port = standardPort, dataDir = null, talks = [] }) {
  const llm = await startScriptedLlm({ port }).catch(() => null);
  const none = (/** @type {string} */ why) => ({ spec: null, why, close: async () => undefined });
  if (llm === null) return none(`port ${port}, which the simulated judge uses, is taken.`);
  llm.answerWith((call) => simulatedModel(talks, call));
  const permission = dataDir === null ? null : await allowOutbound(dataDir, `127.0.0.1:${port}`);
  const shut = async () => {
    if (permission !== null && typeof permission !== 'string') permission.close();
    await llm.close();
  };
  if (typeof permission === 'string') {
    await shut();
    return none(permission);
  }
  const setProvider = (/** @type {boolean} */ enabled) =>
    call(
      `/v1/providers/${provider}`,
      { kind: 'openai_compatible', base_url: llm.baseUrl, models: [model, answerer], enabled },
      'PUT',
    );
  try {
    await setProvider(true);
  } catch (error) {
    await shut();
    if (!(error instanceof Failure)) throw error;
    return none(
      `${error.message}. With ASSAY_OUTBOUND_ALLOW=127.0.0.1:${port} npm start they are judged by a simulated judge.`,
    );
  }
  return {
    spec: `${provider}:${model}`,
    why: '',
    async close() {
      // The judge has stopped: later requests must not wait for it.
      try {
        await setProvider(false);
      } finally {
        await shut();
      }
    },
  };
}

/**
 * @param {readonly import('./make-talks.mjs').Talk[]} talks
 * @param {import('../testing/scripted-llm/server.mjs').ScriptedCall} call
 * @returns {import('../testing/scripted-llm/server.mjs').ScriptedReply}
 */
function simulatedModel(talks, call) {
  if (call.body.model === talker) return answerInTalk(talks, call);
  if (call.body.model === answerer) return answerQuestion(call);
  if (isReviewCall(call)) return reviewAnswer(call);
  const question = readQuestion(call);
  if (question.data.has('decomposition')) return judgePlan(question);
  return question.data.has('claims') ? judgeAnswer(question) : simulatedJudge(question);
}
