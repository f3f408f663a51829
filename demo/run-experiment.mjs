// The loop from failed turns to a candidate prompt: answers that failed become a dataset, with the
// reviewers' rulings as the reference; the prompt in production and a candidate answer it again,
// and the two experiments are compared. Promotion is left to people.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../scripts/failure.mjs';
import { answerer, answerPrompts } from './simulated-answers.mjs';

/** @typedef {import('./call-api.mjs').CallApi} CallApi */

/**
 * @typedef {object} ComparedPrompts
 * @property {string} url of the comparison in the console
 * @property {string} prompt
 * @property {number} items
 * @property {number} improved
 * @property {number} regressed
 */

const dataset = 'failed-answers';
const prompt = 'ops-answer';
const verifier = 'integrity';

/**
 * @param {{ call: CallApi, provider: string, waitMs: number, meter: import('./progress.mjs').Meter
 * }} options
 * @returns {Promise<ComparedPrompts | null>} null if no failed answer was ruled on
 */
export async function runExperiment({ call, provider, waitMs, meter }) {
  const items = await makeDataset(call);
  if (items === 0) return null;
  const [production, candidate] = await preparePrompt(call);
  const run = async (/** @type {number} */ version, /** @type {string | null} */ baseline) => {
    const started = await call('/v1/experiments', {
      name: `${prompt}, version ${version}${baseline === null ? '' : ' (candidate)'}`,
      dataset,
      target: {
        type: 'prompt',
        model: `${provider}:${answerer}`,
        prompt: `${prompt}@${version}`,
      },
      verifiers: [verifier],
      ...(baseline !== null && { baseline }),
    });
    await waitUntilDone(call, String(started.id), waitMs);
    meter.add();
    return { id: String(started.id), url: String(started.url) };
  };
  const baseline = await run(production, null);
  const candidateRun = await run(candidate, baseline.id);
  const ids = `${baseline.id},${candidateRun.id}`;
  const { comparisons } = await call(`/v1/experiments/compare?ids=${ids}&limit=1`);
  const [compared] = /** @type {{ items: { improved: number, regressed: number } }[]} */ (
    comparisons
  );
  return {
    url: `${candidateRun.url.replace(/[^/]*$/, '')}compare?ids=${ids}`,
    prompt: `${prompt}@${candidate}`,
    items,
    improved: compared?.items.improved ?? 0,
    regressed: compared?.items.regressed ?? 0,
  };
}

/** @param {CallApi} call @returns {Promise<number>} the number of its items */
async function makeDataset(call) {
  await call(
    `/v1/datasets/${dataset}`,
    {
      name: 'Failed answers',
      description: 'Answers of the ops assistant that failed, with the rulings of the reviewers.',
    },
    'PUT',
  );
  await call(`/v1/datasets/${dataset}/items/from`, {
    filter: { verifier, outcome: 'failed', source: 'demo' },
    reference: 'human',
    tags: ['demo', 'simulated'],
  });
  return Number((await call(`/v1/datasets/${dataset}`)).items);
}

/**
 * Repeating it changes nothing.
 * @param {CallApi} call
 * @returns {Promise<[number, number]>} the version in production, and the candidate
 */
async function preparePrompt(call) {
  const { data } = await call('/v1/prompts');
  const isKnown = /** @type {{ slug: string }[]} */ (data).some(({ slug }) => slug === prompt);
  if (!isKnown) for (const version of answerPrompts) await saveVersion(call, version);
  const { production_version: production, latest_version: latest } = await call(
    `/v1/prompts/${prompt}`,
  );
  return [Number(production), Number(latest)];
}

/** @param {CallApi} call @param {{ text: string, message: string }} version */
async function saveVersion(call, { text, message }) {
  const front =
    '---\ntitle: Ops answer\ndescription: The prompt of the scripted ops assistant\noutput: message\n---\n';
  await call(`/v1/prompts/${prompt}/versions`, { body: `${front}${text}\n`, message });
}

/** @param {CallApi} call @param {string} id @param {number} waitMs */
async function waitUntilDone(call, id, waitMs) {
  for (const until = Date.now() + waitMs; ; await sleep(500)) {
    const { state, reason } = await call(`/v1/experiments/${id}`);
    if (state === 'done') return;
    if (state !== 'running' || Date.now() > until)
      throw new Failure(`The experiment ${id} is ${String(state)}: ${String(reason)}`);
  }
}
