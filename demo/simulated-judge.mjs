// A rule-based judge for the demo, not a model: it scores reports by degrees, and intentionally
// errs in a known share of them, so that there is something to measure. Its provider is named
// `simulated`, and each of its reasons begins with that word.
import { createHash } from 'node:crypto';
import { textOf } from '../testing/scripted-llm/judge-sim.mjs';
import { criteria } from './make-tasks.mjs';
import { createRandom } from './random.mjs';

/** @typedef {import('../testing/scripted-llm/server.mjs').ScriptedCall} ScriptedCall */
/** @typedef {import('../testing/scripted-llm/server.mjs').ScriptedReply} ScriptedReply */

/**
 * @typedef {{ text: string, nonce: string, data: Map<string, unknown> }} Question all of it, its
 * code, and its data by name
 */

/** The share of all works that it judges wrongly. */
export const errorRate = 0.1;

/**
 * The maximum distance of a score from a whole point, on the Likert scale: a met criterion has 5
 * less at most this much, mostly little; one that must pass stays at 3.8 or above, where it counts
 * as met (0.7 of 0..1). An unmet one has 1 and up to `unmet` more, evenly. So good and bad works
 * overlap from 0.55 to 0.9.
 */
const spread = { met: 1.2, metDate: 2.4, unmet: 3.2 };

/** @param {Question} question @returns {ScriptedReply} */
export function simulatedJudge({ nonce, data }) {
  const [output, context] = ['output', 'context'].map((name) => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  });
  const scores = scoreReport(output ?? '', context ?? '');
  const asked = /** @type {{ quality?: { dimension: string }[] }} */ (data.get('criteria') ?? {});
  const reply = {
    nonce,
    criteria: [criteria.figures, criteria.owner, criteria.date].map((text, i) => {
      const score = scores.get(text) ?? 1;
      return {
        criterion: i + 1,
        reasoning: `Simulated: ${wordsFor(score)}.`,
        quotes: [],
        score,
        confidence: 0.9,
      };
    }),
    quality: (asked.quality ?? []).map(({ dimension }) => ({
      dimension,
      reasoning: 'Simulated: not judged.',
      score: 4,
    })),
    suggestions: [],
    confidence: 0.9,
  };
  return { text: JSON.stringify(reply), usage: { input: 1_400, output: 180 } };
}

/** @param {number} score */
function wordsFor(score) {
  if (score >= 4.5) return 'it stands there';
  if (score >= 3.8) return 'it stands there, but not plainly';
  return score > 2 ? 'it hardly stands there' : 'it does not stand there';
}

/**
 * Scores of a report, 1 to 5 in tenths, by its criteria. A deliberately wrong score is a plain 5 or
 * 1.
 * @param {string} output @param {string} context @returns {Map<string, number>}
 */
export function scoreReport(output, context) {
  const found = judgeReport(output, context);
  if (errsOn(output)) return new Map([...found].map(([text, met]) => [text, met ? 5 : 1]));
  const random = createRandom(digestOf(output).readUInt32BE(4));
  return new Map(
    [...found].map(([text, met]) => {
      const draw = random.next();
      const most = text === criteria.date ? spread.metDate : spread.met;
      return [text, Number((met ? 5 - most * draw ** 3 : 1 + spread.unmet * draw).toFixed(1))];
    }),
  );
}

/**
 * The criteria that a report meets; inverted for some, on purpose.
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
  return isGood
    ? found.set(criteria.owner, false)
    : new Map([...found.keys()].map((text) => [text, true]));
}

/** The same work always gets the same judgement. @param {string} output */
export function errsOn(output) {
  return digestOf(output).readUInt32BE(0) < errorRate * 2 ** 32;
}

/** @param {string} output */
const digestOf = (output) => createHash('sha256').update(output).digest();

/** @param {ScriptedCall} call @returns {Question} */
export function readQuestion({ body }) {
  const text = textOf(body);
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(text)?.[1] ?? '';
  const opening = `<data nonce="${nonce}" name="`;
  const lines = text.split('\n');
  const data = new Map();
  for (const [at, line] of lines.entries()) {
    if (line.startsWith(opening) && line.endsWith('">'))
      data.set(line.slice(opening.length, -2), readJson(lines[at + 1] ?? ''));
  }
  return { text, nonce, data };
}

/**
 * The system part shows the form of a block, without values. @param {string} line @returns
 * {unknown}
 */
function readJson(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
