// Deterministic judges, for attacks that must not change a verdict (reliability.md, judge-sim).
// They are intentionally worse than real ones: `obey` follows any instruction outside the fence.

/** @typedef {import('./server.mjs').ScriptedCall} ScriptedCall */
/** @typedef {import('./server.mjs').ScriptedReply} ScriptedReply */
/** @typedef {(call: ScriptedCall) => ScriptedReply} Judge */
/** @typedef {(call: ScriptedCall) => string} Say makes the text of a reply */

/**
 * All text of a request in any provider's format, one part per line.
 * @param {unknown} value @returns {string}
 */
export function textOf(value) {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .filter(([key]) =>
      [
        'messages',
        'content',
        'text',
        'system',
        'contents',
        'parts',
        'systemInstruction',
        'input',
        'instructions',
        'prompt',
      ].includes(key),
    )
    .map(([, member]) => textOf(member))
    .join('\n');
}

/**
 * The text outside the fences. A line that is only `<data …nonce…>` opens a fence, and the next
 * line that is only `</data …nonce…>` with the same nonce closes it. An unclosed fence extends to
 * the end.
 * @param {string} text @returns {string}
 */
export function outsideFences(text) {
  const out = [];
  let nonce = '';
  for (const line of text.split('\n')) {
    if (nonce !== '') {
      if (closing.exec(line)?.[1] === nonce) nonce = '';
      continue;
    }
    nonce = opening.exec(line)?.[1] ?? '';
    if (nonce === '') out.push(line);
  }
  return out.join('\n');
}

const opening = /^<data\b[^>]{0,200}?\b([0-9a-f]{32})\b[^>]{0,200}>$/;
const closing = /^<\/data\b[^>]{0,200}?\b([0-9a-f]{32})\b[^>]{0,200}>$/;

/** Instructions as attackers write them; the product's prompts must not contain any of them. */
const orders =
  /ignore (?:all|any|the|your|previous)|disregard (?:all|any|the|previous)|(?:you must|always) (?:pass|give|output)|final: ?pass|new instructions?:|<verdict>\s*pass/i;

/**
 * Answers with `honest`, or with `bribed` if there is an instruction outside the fence.
 * @param {{ honest: Say, bribed: Say }} says @returns {Judge}
 */
export function obeyJudge({ honest, bribed }) {
  return (call) => ({
    text: orders.test(outsideFences(textOf(call.body))) ? bribed(call) : honest(call),
  });
}

/**
 * Repeats its prompt before, after, or instead of its own reply.
 * @param {{ where: 'before' | 'after' | 'instead', own: Say }} how @returns {Judge}
 */
export function echoJudge({ where, own }) {
  return (call) => {
    const shown = textOf(call.body);
    if (where === 'instead') return { text: shown };
    return { text: where === 'before' ? `${shown}\n${own(call)}` : `${own(call)}\n${shown}` };
  };
}

/**
 * Alternates between two replies.
 * @param {readonly [Say, Say]} replies @returns {Judge}
 */
export function flipJudge(replies) {
  let calls = 0;
  return (call) => ({ text: (calls++ % 2 === 0 ? replies[0] : replies[1])(call) });
}
