import { type Node, upwards } from './span-tree';

export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
}

/**
 * Model spans whose usage counts. A span that encloses model spans with their own usage repeats
 * their sum (wrappers of the AI SDK, LangChain and Langfuse); work inside a tool belongs to another
 * agent.
 */
export function countedSpans(nodes: readonly Node[]): ReadonlySet<Node> {
  const counted = new Set(nodes.filter((node) => node.gen.role === 'llm' && hasUsage(node)));
  for (const node of counted) {
    for (const above of upwards(node)) {
      if (above.gen.role === 'tool') break;
      if (above !== node && above.gen.role === 'llm') counted.delete(above);
    }
  }
  return counted;
}

function hasUsage({ gen }: Node): boolean {
  return gen.inputTokens !== null || gen.outputTokens !== null || gen.costUsd !== null;
}

/** Null where no span reports it. US dollars to a billionth. */
export function sumSpanUsage(nodes: readonly Node[]): Usage {
  const cost = sum(nodes.map(({ gen }) => gen.costUsd));
  return {
    inputTokens: sum(nodes.map(({ gen }) => gen.inputTokens)),
    outputTokens: sum(nodes.map(({ gen }) => gen.outputTokens)),
    costUsd: cost === null ? null : Number(cost.toFixed(9)),
  };
}

/** Null for a sum that JavaScript cannot represent exactly. */
function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  const total = known.reduce((all, value) => all + value, 0);
  return known.length === 0 || total > Number.MAX_SAFE_INTEGER ? null : total;
}
