import { type ModelUsage, groupUsage } from '../../domain';
import { type Node, upwards } from './span-tree';

/** Null where no span reports it; the cost as sent. */
export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cacheReadTokens: number | null;
  readonly cacheWriteTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly sentCostUsd: number | null;
  /** The same by model. */
  readonly byModel: readonly ModelUsage[];
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

/** US dollars to a billionth. */
export function sumSpanUsage(nodes: readonly Node[]): Usage {
  const cost = sum(nodes.map(({ gen }) => gen.costUsd));
  return {
    inputTokens: sum(nodes.map(({ gen }) => gen.inputTokens)),
    outputTokens: sum(nodes.map(({ gen }) => gen.outputTokens)),
    cacheReadTokens: sum(nodes.map(({ gen }) => gen.cacheReadTokens)),
    cacheWriteTokens: sum(nodes.map(({ gen }) => gen.cacheWriteTokens)),
    reasoningTokens: sum(nodes.map(({ gen }) => gen.reasoningTokens)),
    sentCostUsd: cost === null ? null : Number(cost.toFixed(9)),
    byModel: groupUsage(nodes.map(usageOf)),
  };
}

function usageOf({ gen }: Node): ModelUsage {
  return {
    model: gen.model,
    calls: 1,
    input: gen.inputTokens,
    output: gen.outputTokens,
    cacheRead: gen.cacheReadTokens,
    cacheWrite: gen.cacheWriteTokens,
    reasoning: gen.reasoningTokens,
    costUsd: gen.costUsd,
  };
}

/** Null for a sum that JavaScript cannot represent exactly. */
function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  const total = known.reduce((all, value) => all + value, 0);
  return known.length === 0 || total > Number.MAX_SAFE_INTEGER ? null : total;
}
