// Replaces a model provider in the first hour: a judge of tasks, a verifier of answers, and the
// model that answers. The prompt decides which of them replies.
import { textOf } from '../../testing/scripted-llm/judge-sim.mjs';
import { startScriptedLlm } from '../../testing/scripted-llm/server.mjs';

/** @typedef {import('../../testing/scripted-llm/server.mjs').ScriptedCall} ScriptedCall */
/** @typedef {import('../../testing/scripted-llm/server.mjs').ScriptedReply} ScriptedReply */
/** @typedef {import('../../testing/scripted-llm/server.mjs').ScriptedLlm} ScriptedLlm */

const guess = 'web-1 is rather full.';
const reading = 'web-1 is at 91.4% by the last reading of df.';
const note = 'Give the figure and where it was read.';

/** @param {{ port: number }} where @returns {Promise<ScriptedLlm>} */
export async function startScriptedModels({ port }) {
  const llm = await startScriptedLlm({ port });
  llm.answerWith((call) => ({
    text: answerTo(textOf(call.body)),
    usage: { input: 900, output: 120 },
  }));
  return llm;
}

/** @param {string} prompt @returns {string} */
function answerTo(prompt) {
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(prompt)?.[1];
  if (prompt.includes('NO_STEERING_NEEDED')) {
    return prompt.includes(guess)
      ? `<steering>${note}</steering>`
      : '<status>NO_STEERING_NEEDED</status>';
  }
  if (nonce !== undefined) return JSON.stringify(judgement(nonce));
  return prompt.includes(note) ? reading : guess;
}

/**
 * For the README's task: the answer cites articles and names one date, but not the six categories.
 * @param {string} nonce
 */
function judgement(nonce) {
  const of = (
    /** @type {number} */ criterion,
    /** @type {number} */ score,
    /** @type {string} */ reasoning,
  ) => ({
    criterion,
    reasoning,
    quotes: [],
    score,
    confidence: 0.9,
  });
  return {
    nonce,
    criteria: [
      of(1, 2, 'It says that there are categories, and names one.'),
      of(2, 4, 'It names August 2026.'),
      of(3, 5, 'It cites article 6 and Annex III.'),
    ],
    quality: ['completeness', 'accuracy', 'clarity', 'relevance'].map((dimension) => ({
      dimension,
      reasoning: 'Scripted.',
      score: 4,
    })),
    suggestions: ['Name all six categories.'],
    confidence: 0.9,
  };
}
