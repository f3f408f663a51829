// A judge for the demo that is no model: it reads the reports by rules, and errs in a known share of them on purpose, so that there is
// something to measure. Its provider is named `simulated`, and each of its reasons begins with that word.
import { createHash } from 'node:crypto';
import { textOf } from '../harness/scripted-llm/judge-sim.mjs';
import { criteria } from './make-tasks.mjs';

/** @typedef {import('../harness/scripted-llm/server.mjs').ScriptedCall} ScriptedCall */
/** @typedef {import('../harness/scripted-llm/server.mjs').ScriptedReply} ScriptedReply */

/** @typedef {{ text: string, nonce: string, data: Map<string, unknown> }} Question all of it, its code, and its data by name */

/** The share of all works that it judges wrongly. */
export const errorRate = 0.1;

/** @param {Question} question @returns {ScriptedReply} */
export function simulatedJudge({ nonce, data }) {
  const [output, context] = ['output', 'context'].map((name) => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  });
  const found = judgeReport(output ?? '', context ?? '');
  const asked = /** @type {{ quality?: { dimension: string }[] }} */ (data.get('criteria') ?? {});
  const reply = {
    nonce,
    criteria: [criteria.figures, criteria.owner, criteria.date].map((text, i) => {
      const met = found.get(text) === true;
      return {
        criterion: i + 1,
        reasoning: `Simulated: ${met ? 'it stands there' : 'it does not stand there'}.`,
        quotes: [],
        score: met ? 5 : 1,
        confidence: 0.9,
      };
    }),
    quality: (asked.quality ?? []).map(({ dimension }) => ({ dimension, reasoning: 'Simulated: not looked at.', score: 4 })),
    suggestions: [],
    confidence: 0.9,
  };
  return { text: JSON.stringify(reply), usage: { input: 1_400, output: 180 } };
}

/**
 * What is met of a report, by its criteria; of some the contrary, on purpose.
 * @param {string} output @param {string} context @returns {Map<string, boolean>}
 */
function judgeReport(output, context) {
  const figures = output.match(/\d+(?:\.\d+)?(?=%| GiB)/g) ?? [];
  const readings = new Set(context.match(/\d+(?:\.\d+)?/g) ?? []);
  const found = new Map([
    [criteria.figures, figures.every((figure) => readings.has(figure))],
    [criteria.owner, /\b(?:Ada|Ben|Cleo)\b/.test(output)],
    [criteria.date, /\bby \w+day\b/.test(output)],
  ]);
  if (!errsOn(output)) return found;
  const isGood = [...found.values()].every(Boolean);
  return isGood ? found.set(criteria.owner, false) : new Map([...found.keys()].map((text) => [text, true]));
}

/** The same work always gets the same judgement. @param {string} output */
export function errsOn(output) {
  return createHash('sha256').update(output).digest().readUInt32BE(0) < errorRate * 2 ** 32;
}

/** @param {ScriptedCall} call @returns {Question} */
export function readQuestion({ body }) {
  const text = textOf(body);
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(text)?.[1] ?? '';
  const opening = `<data nonce="${nonce}" name="`;
  const lines = text.split('\n');
  const data = new Map();
  for (const [at, line] of lines.entries()) {
    if (line.startsWith(opening) && line.endsWith('">')) data.set(line.slice(opening.length, -2), readJson(lines[at + 1] ?? ''));
  }
  return { text, nonce, data };
}

/** The system part shows how a block looks, with no value in it. @param {string} line @returns {unknown} */
function readJson(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
