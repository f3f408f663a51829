import { type ScriptedCall, type ScriptedReply, textOf } from './scripted-llm';

const passing = { reasoning: 'Read.', confidence: 0.9 };
const named = { completeness: 0.9, consistency: 0.9, groundedness: 0.95, routability: 0.9 };
const qualities = ['completeness', 'accuracy', 'clarity', 'relevance'];

/**
 * A judge that answers every kind of question with the nonce of that question. It assigns
 * everything the score `score`, 1 to 5, and raises no objections.
 */
export function anyJudge({ body }: ScriptedCall, score = 5): ScriptedReply {
  const question = textOf(body);
  if (question.includes('<status>NO_STEERING_NEEDED</status>'))
    return {
      text:
        score >= 3
          ? '<status>NO_STEERING_NEEDED</status>'
          : '<steering>Read the log first.</steering>',
    };
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(question)?.[1] ?? '';
  return { text: JSON.stringify({ nonce, ...answerTo(question, score) }) };
}

function answerTo(question: string, score: number): Record<string, unknown> {
  if (question.includes('"first_quote"')) return { ...passing, issues: [], score };
  if (question.includes('"weakest"'))
    return { ...passing, summary: 'It is reached.', weakest: [], score };
  if (question.includes('"coherence_reasoning"')) return claimsAnswer(question, score);
  if (question.includes('"routability"')) return planAnswer(question);
  const criteria = Number(/"criteria": \[<one for each of the (\d+)/.exec(question)?.[1] ?? 0);
  return {
    criteria: Array.from({ length: criteria }, (_, at) => ({
      criterion: at + 1,
      reasoning: 'Read.',
      quotes: [],
      score,
      confidence: 0.9,
    })),
    quality: qualities.map((dimension) => ({ dimension, reasoning: 'Read.', score })),
    suggestions: [],
    confidence: 0.9,
  };
}

function claimsAnswer(question: string, score: number): Record<string, unknown> {
  const claims = Number(/"claims": \[<one for each of the (\d+)/.exec(question)?.[1] ?? 0);
  return {
    reasoning: 'Read.',
    claims: Array.from({ length: claims }, (_, at) => ({
      claim: at + 1,
      reasoning: 'Read.',
      supported_by: [1],
      quote: firstOutput(question),
    })),
    coherence_reasoning: 'Read.',
    coherence: score,
    completeness_reasoning: 'Read.',
    completeness: score,
    missing: [],
    confidence: 0.9,
  };
}

/** A passage of the first output shown in the question. */
function firstOutput(question: string): string {
  const shown = /name="outputs">\n(.*)\n/.exec(question)?.[1] ?? 'null';
  const [first] = JSON.parse(shown) as { readonly summary: string; readonly data: unknown }[];
  return [first?.summary, ...textsIn(first?.data)].find((text) => text !== '') ?? '';
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.includes(' ') ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function planAnswer(question: string): Record<string, unknown> {
  const lists = question.includes('"critical_issues"')
    ? { critical_issues: [], minor_issues: [], edge_cases: [] }
    : { issues: [] };
  return { reasoning: 'Read.', ...named, overall: 0.9, verdict: 'PASS', ...lists, suggestions: [] };
}
