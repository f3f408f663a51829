import type { ForeignScore } from './assembled';
import { readEvaluations } from '../conventions/evaluation';
import { rfc3339 } from '../span-time';
import type { SpanAnswer } from './find-answers';
import { type Node, upwards } from './span-tree';

export interface ForeignScores {
  readonly scores: readonly ForeignScore[];
  readonly notes: readonly { readonly spanId: string; readonly reason: string }[];
}

/**
 * Measurements of other tools in this trace, each with its turn: by the id of the reply, by the
 * span that carries it or encloses it, or by the wrapper's only answer.
 */
export function findForeignScores(
  nodes: readonly Node[],
  answers: readonly SpanAnswer[],
): ForeignScores {
  const turnAt = new Map<Node, string>();
  const byResponse = new Map<string, string>();
  const inside = new Map<Node, string | null>();
  for (const { node } of answers) {
    const turnId = turnIdOf(node);
    turnAt.set(node, turnId);
    if (node.gen.responseId !== null) byResponse.set(node.gen.responseId, turnId);
    // Null where a wrapper encloses more than one answer: the turn is then ambiguous.
    for (const above of upwards(node)) inside.set(above, inside.has(above) ? null : turnId);
  }
  const scores: ForeignScore[] = [];
  const notes: { spanId: string; reason: string }[] = [];
  for (const node of nodes) {
    const { spanId } = node.span;
    const { evaluations, unnamed } = readEvaluations(node.span);
    if (unnamed > 0)
      notes.push({
        spanId,
        reason: `${unnamed} evaluations without gen_ai.evaluation.name were left out`,
      });
    for (const { responseId, timeNs, name, value, label, explanation } of evaluations) {
      const answered = responseId === null ? undefined : byResponse.get(responseId);
      const turnId = answered ?? enclosing(node, turnAt) ?? onlyInside(node, inside);
      scores.push({ spanId, turnId, name, value, label, explanation, at: rfc3339(timeNs) });
    }
  }
  return { scores, notes };
}

export function turnIdOf({ span }: Node): string {
  return `${span.traceId}-${span.spanId}`;
}

function enclosing(node: Node, turnAt: ReadonlyMap<Node, string>): string | null {
  for (const above of upwards(node)) {
    const turnId = turnAt.get(above);
    if (turnId !== undefined) return turnId;
  }
  return null;
}

/** The only answer of the nearest wrapper that has any. */
function onlyInside(node: Node, inside: ReadonlyMap<Node, string | null>): string | null {
  for (const above of upwards(node)) {
    const turnId = inside.get(above);
    if (turnId !== undefined) return turnId;
  }
  return null;
}
