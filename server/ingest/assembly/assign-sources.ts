/**
 * Assigns each tool call, retrieval and model step to exactly one answer: the first one after it in
 * the nearest scope that has one. An agent's work after its last answer therefore never counts for
 * an earlier answer, and the work of two parallel agents is not mixed (INT-2: sources of the same
 * turn).
 */
import { compareNs, compareText, endOf } from '../span-time';
import type { SpanAnswer } from './find-answers';
import { type Node, type SpanScope, upwards } from './span-tree';

/**
 * Answers of a scope by their end. `far` are those of an agent inside it; they count only where no
 * nearer answer exists.
 */
interface Answers {
  readonly near: SpanAnswer[];
  readonly far: SpanAnswer[];
}

/**
 * Spans by the answer they belong to, in the order of `nodes`. Spans that no answer follows are
 * omitted.
 */
export function assignSpans(
  answers: readonly SpanAnswer[],
  nodes: readonly Node[],
): ReadonlyMap<SpanAnswer, readonly Node[]> {
  const byScope = new Map<SpanScope, Answers>();
  const ordered = [...answers].sort(
    (a, b) =>
      compareNs(endOf(a.node.span), endOf(b.node.span)) ||
      compareText(a.node.span.spanId, b.node.span.spanId),
  );
  for (const answer of ordered) enter(answer, byScope);
  const answersByNode = new Map(answers.map((answer) => [answer.node, answer]));
  const assigned = new Map<SpanAnswer, Node[]>();
  for (const node of nodes) {
    if (answersByNode.has(node) || !isSource(node)) continue;
    const answer = answerAround(node, answersByNode) ?? answerFor(node, byScope);
    if (answer === null || (node.gen.isStep && !precedes(node, answer))) continue;
    const sources = assigned.get(answer);
    if (sources === undefined) assigned.set(answer, [node]);
    else sources.push(node);
  }
  return assigned;
}

function isSource({ gen }: Node): boolean {
  return gen.role === 'tool' || gen.role === 'llm' || gen.documents.length > 0;
}

function enter(answer: SpanAnswer, byScope: Map<SpanScope, Answers>): void {
  let isFar = false;
  for (
    let scope: SpanScope | null = answer.isWrapper ? answer.node.inner : answer.node.outer;
    scope !== null;
    scope = scope.parent
  ) {
    const answers = byScope.get(scope) ?? { near: [], far: [] };
    byScope.set(scope, answers);
    (isFar ? answers.far : answers.near).push(answer);
    // Text inside a tool is addressed to the tool.
    if (scope.kind === 'tool') return;
    if (scope.kind === 'agent') isFar = true;
  }
}

/**
 * The answer whose model span is directly around this span: a client's own span inside that of an
 * instrumentation may end after it.
 */
function answerAround(node: Node, answersByNode: ReadonlyMap<Node, SpanAnswer>): SpanAnswer | null {
  for (const above of upwards(node)) {
    if (above === node) continue;
    if (above.gen.role !== 'llm') return null;
    const answer = answersByNode.get(above);
    if (answer !== undefined) return answer;
  }
  return null;
}

/**
 * Whether the model may have read a step's report: it ended before the model's call, and does not
 * repeat the answer. Otherwise an answer could be its own source.
 */
function precedes({ span, gen }: Node, { node, text }: SpanAnswer): boolean {
  if (compareNs(endOf(span), node.span.startNs) > 0) return false;
  const answer = (text ?? '').trim();
  const reported = gen.toolResult ?? '';
  return answer === '' || !reported.includes(JSON.stringify(answer).slice(1, -1));
}

function answerFor(node: Node, byScope: ReadonlyMap<SpanScope, Answers>): SpanAnswer | null {
  const end = endOf(node.span);
  for (let scope: SpanScope | null = node.outer; scope !== null; scope = scope.parent) {
    const answers = byScope.get(scope);
    const found =
      firstAfter(answers?.near ?? [], end) ??
      firstAfter(answers?.far ?? [], end) ??
      justBefore(answers?.near ?? [], end) ??
      justBefore(answers?.far ?? [], end);
    if (found !== null) return found;
    if (scope.hidesInside) return null;
  }
  return null;
}

/**
 * The first answer that ended at `end` or later. A client's clock sometimes runs back a little, so
 * the start of an answer is not a reliable bound.
 */
function firstAfter(answers: readonly SpanAnswer[], end: string): SpanAnswer | null {
  let low = 0;
  let high = answers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const answer = answers[middle];
    if (answer !== undefined && compareNs(endOf(answer.node.span), end) < 0) low = middle + 1;
    else high = middle;
  }
  return answers[low] ?? null;
}

/**
 * Some SDKs truncate the start of a span to milliseconds but keep its full duration: within one
 * millisecond, order in time means nothing.
 */
const clockGrainNs = 1_000_000n;

/** The last answer, if it ended within the clock's grain before `end`. */
function justBefore(answers: readonly SpanAnswer[], end: string): SpanAnswer | null {
  const last = answers.at(-1);
  return last !== undefined && BigInt(endOf(last.node.span)) + clockGrainNs >= BigInt(end)
    ? last
    : null;
}
