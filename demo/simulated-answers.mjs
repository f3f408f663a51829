// The simulated model of the demo's experiments: it answers from the readings in its prompt,
// and adds a figure that no reading has in a known share of the answers. The share depends on the
// prompt, so that two versions of it can be distinguished.
import { createHash } from 'node:crypto';
import { textOf } from '../testing/scripted-llm/judge-sim.mjs';
import { describeRow } from './make-turns.mjs';

/** @typedef {import('../testing/scripted-llm/server.mjs').ScriptedCall} ScriptedCall */
/** @typedef {import('../testing/scripted-llm/server.mjs').ScriptedReply} ScriptedReply */

export const answerer = 'ops-1';
const readings = 'Readings: {{tools}}';
const rule = 'State no figure that the readings do not have.';
/** Two versions of the prompt of the assistant: in production, and the candidate. */
export const answerPrompts = [
  { text: `Answer the question in one sentence.\n\n${readings}`, message: 'One sentence' },
  {
    text: `Answer the question in one sentence. ${rule}\n\n${readings}`,
    message: 'Scripted quality lead: figures of the readings only',
  },
];
const errorRate = { plain: 0.55, ruled: 0.1 };

/** @param {ScriptedCall} call @returns {ScriptedReply} */
export function answerQuestion({ body }) {
  const text = textOf(body);
  const calls = readCalls(text);
  const readings = calls.flatMap(({ name, result }) =>
    result.rows.flatMap((row) => describeRow(name, row, text) ?? []),
  );
  const [answer = 'Scripted: the readings have no answer.'] = readings;
  const share = text.includes(rule) ? errorRate.ruled : errorRate.plain;
  const draw = createHash('sha256').update(text).digest();
  const errs = draw.readUInt32BE(0) < share * 2 ** 32;
  // With three decimals it is not a rounding of any reading.
  const invented = ` A week ago it was ${(3 + (draw.readUInt32BE(4) % 80) + 0.137).toFixed(3)}% better.`;
  return { text: `${answer}${errs ? invented : ''}`, usage: { input: 300, output: 30 } };
}

/**
 * The tool calls of a turn, as `{{tools}}` shows them.
 * @param {string} text
 * @returns {{ name: string, result: { rows: Record<string, unknown>[] } }[]}
 */
function readCalls(text) {
  const line = /^Readings: (\[.*\])$/m.exec(text)?.[1];
  return line === undefined ? [] : JSON.parse(line);
}
