// Both simulated models of the demo's gateway session: the assistant follows its script, and the
// verifier steers if an answer claims without evidence that something works. It intentionally errs
// in a known share, like the other judges.
import { textOf } from '../testing/scripted-llm/judge-sim.mjs';
import { errsOn } from './simulated-judge.mjs';

/** @typedef {import('../testing/scripted-llm/server.mjs').ScriptedCall} ScriptedCall */
/** @typedef {import('../testing/scripted-llm/server.mjs').ScriptedReply} ScriptedReply */
/** @typedef {import('./make-talks.mjs').Talk} Talk */

/** As the prompt `turn-steering` begins. */
const noteBegins = 'A private note on how this conversation is going';
const unproven = /\bis fine now\b|^Done: /;

/** @param {ScriptedCall} call @returns {{ role: string, content: string }[]} */
function messagesOf({ body }) {
  const messages = Array.isArray(body.messages) ? body.messages : [];
  return messages.map((message) => ({
    role: String(message.role),
    content: textOf(message.content),
  }));
}

/** Whether the call is to a verifier of turns. @param {ScriptedCall} call */
export function isReviewCall(call) {
  const [first] = messagesOf(call);
  return first?.role === 'system' && first.content.includes('NO_STEERING_NEEDED');
}

/** @param {ScriptedCall} call @returns {ScriptedReply} */
export function reviewAnswer(call) {
  const answer = messagesOf(call).findLast(({ role }) => role === 'assistant')?.content ?? '';
  const steers = unproven.test(answer) !== errsOn(answer);
  return {
    text: steers
      ? '<steering>Simulated: the answer says that something works, and nothing shows it. Say what was done and what was not tried yet, and name the one check that would show it.</steering>'
      : '<status>NO_STEERING_NEEDED</status>',
    usage: { input: 900, output: steers ? 60 : 12 },
  };
}

/** @param {readonly Talk[]} talks @param {ScriptedCall} call @returns {ScriptedReply} */
export function answerInTalk(talks, call) {
  const messages = messagesOf(call);
  const question =
    messages.findLast(({ role, content }) => role === 'user' && !content.includes(noteBegins))
      ?.content ?? '';
  const talk = talks.find(
    ({ exchanges }) =>
      messages.some(({ content }) => content === exchanges[0]?.ask) &&
      exchanges.some(({ ask }) => ask === question),
  );
  const exchange = talk?.exchanges.find(({ ask }) => ask === question);
  const isCorrected = messages.some(({ content }) => content.includes(noteBegins));
  const text =
    exchange === undefined
      ? 'Scripted: no script has this.'
      : ((isCorrected ? undefined : exchange.rash) ?? exchange.say);
  return { text, usage: { input: 200 + 40 * messages.length, output: 40 } };
}
