// The demo's simulated judge of decompositions and answers: it follows rules, and intentionally
// errs in a known share.
import { agents } from './make-plans.mjs';
import { errsOn } from './simulated-judge.mjs';

/** @typedef {import('./simulated-judge.mjs').Question} Question */
/** @typedef {import('./make-plans.mjs').Decomposition} Decomposition */
/** @typedef {import('../testing/scripted-llm/server.mjs').ScriptedReply} ScriptedReply */

/** The aspects of a request about a disk: a subgoal each. */
const aspects = [/how full/i, /largest folder/i, /compare/i, /advise/i];

/**
 * Completeness is the share of the aspects that a subgoal covers that can be done: by an existing,
 * capable agent, and not before its dependencies. @param {Question} question @returns
 * {ScriptedReply}
 */
export function judgePlan({ text, nonce, data }) {
  const plan = /** @type {Decomposition} */ (data.get('decomposition'));
  const { subgoals } = plan;
  const order = plan.execution_order.flatMap((phase) => phase.subgoals);
  const isRouted = (/** @type {Decomposition['subgoals'][number]} */ { agent, requires }) =>
    requires.every(
      (each) => agents.find(({ name }) => name === agent)?.capabilities.includes(each) ?? false,
    );
  const inOrder = (/** @type {Decomposition['subgoals'][number]} */ { id, depends_on }) =>
    depends_on.every((need) => order.indexOf(need) < order.indexOf(id));
  const share = (/** @type {number} */ of, /** @type {number} */ all) =>
    Number((all === 0 ? 0 : of / all).toFixed(2));
  const covered = aspects.filter((aspect) =>
    subgoals.some((each) => aspect.test(each.description) && isRouted(each) && inOrder(each)),
  );
  const honest = {
    completeness: share(covered.length, aspects.length),
    consistency: share(subgoals.filter(inOrder).length, subgoals.length),
    groundedness: 0.9,
    routability: share(subgoals.filter(isRouted).length, subgoals.length),
  };
  const isGood = covered.length === aspects.length;
  const scores = errsOn(JSON.stringify(plan)) ? contraryOf(isGood) : honest;
  const overall = Number(
    (
      0.4 * scores.completeness +
      0.2 * (scores.consistency + scores.groundedness + scores.routability)
    ).toFixed(2),
  );
  const missing = `Simulated: ${aspects.length - covered.length} of ${aspects.length} parts of the request are not covered.`;
  const reply = {
    nonce,
    reasoning: `Simulated: ${covered.length} of ${aspects.length} parts of the request are covered by subgoals that can be done.`,
    ...scores,
    overall,
    verdict: overall >= 0.7 ? 'PASS' : overall >= 0.5 ? 'RETRY' : 'FAIL',
    ...(text.includes('"critical_issues"')
      ? { critical_issues: isGood ? [] : [missing], minor_issues: [], edge_cases: [] }
      : { issues: isGood ? [] : [missing] }),
    suggestions: isGood
      ? []
      : ['Simulated: add a subgoal for each part of the request, for an agent that can do it.'],
  };
  return { text: JSON.stringify(reply), usage: { input: 1_800, output: 260 } };
}

const contraryOf = (/** @type {boolean} */ isGood) =>
  isGood
    ? { completeness: 0.5, consistency: 0.6, groundedness: 0.6, routability: 0.6 }
    : { completeness: 0.95, consistency: 0.9, groundedness: 0.9, routability: 0.9 };

/**
 * An output supports a claim if its summary has all words of the claim; the passage is then the
 * whole summary.
 * @param {Question} question @returns {ScriptedReply}
 */
export function judgeAnswer({ nonce, data }) {
  const outputs = /** @type {{ output: number, summary: string }[]} */ (data.get('outputs') ?? []);
  const claims = /** @type {{ claim: number, text: string }[]} */ (data.get('claims') ?? []);
  const reply = {
    nonce,
    reasoning: `Simulated: ${claims.length} claims were compared with ${outputs.length} outputs.`,
    claims: claims.map(({ claim, text }) => {
      const found = outputs.find(({ summary }) => containsClaim(summary, text));
      const isWrong = errsOn(text);
      const named = isWrong ? (found === undefined ? outputs[0] : undefined) : found;
      return {
        claim,
        reasoning: `Simulated: ${named === undefined ? 'no summary has its words' : 'a summary has its words'}.`,
        supported_by: named === undefined ? [] : [named.output],
        quote: named?.summary ?? '',
      };
    }),
    coherence_reasoning: 'Simulated: not judged.',
    coherence: 4,
    completeness_reasoning: 'Simulated: not judged.',
    completeness: 4,
    missing: [],
    confidence: 0.9,
  };
  return { text: JSON.stringify(reply), usage: { input: 1_600, output: 240 } };
}

/** @param {string} summary @param {string} claim */
function containsClaim(summary, claim) {
  const summaryWords = new Set(wordsOf(summary));
  const claimWords = wordsOf(claim).filter((word) => word.length > 3 || /\d/.test(word));
  return (
    claimWords.length > 0 &&
    claimWords.filter((word) => summaryWords.has(word)).length >= 0.8 * claimWords.length
  );
}

/** @param {string} text */
const wordsOf = (text) => text.toLowerCase().match(/[\w./-]*\w/g) ?? [];
