import { Score } from '../domain';
import { type EvaluatorContext, measuredBy } from '../evaluators';
import { allParts } from '../platform';
import { isOverBudget, OVER_BUDGET } from './over-budget';
import type { NodeResult, PlanNode, Walk } from './plan-node';

type NodeEnd = 'ran' | 'broke' | 'stopped';

/**
 * Walks a verifier's DAG: the cheapest ready node first; a must-pass node that is not met skips
 * every more expensive node; a node that throws, times out or returns an ill-formed score ends as
 * `failed`, and its dependents as `unscored`. Every node ends in exactly one score, except those
 * that cost `below` or more: when one of them would run, the walk ends and they are `left`. If an
 * earlier run used up its processor time in some node (`ctx.budget`), that node and all later ones
 * fail as over budget.
 * @throws Error if the plan has a cycle, a duplicate name or an unknown need: a fault of the plan,
 * not of the subject.
 */
export async function walkPlan(
  plan: readonly PlanNode[],
  ctx: EvaluatorContext,
  below = Number.POSITIVE_INFINITY,
): Promise<Walk> {
  checkPlan(plan);
  const scores: Score[] = [];
  const details = new Map<string, unknown>();
  const ends = new Map<string, NodeEnd>();
  let stoppedBy: PlanNode | null = null;
  let spentBy: string | null = null;
  const left = new Set(plan);
  while (left.size > 0) {
    const node = nextReady(left, ends);
    left.delete(node);
    const part = partOf(node);
    if (ctx.budget?.spent === part || ctx.budget?.spent === allParts) spentBy ??= part;
    const stopped = stoppedBy !== null && node.cost > stoppedBy.cost;
    if (
      !stopped &&
      spentBy === null &&
      node.cost >= below &&
      node.needs.every((need) => ends.get(need) === 'ran')
    ) {
      return { scores, details, left: [node, ...left] };
    }
    const broken = node.needs.find((need) => ends.get(need) !== 'ran');
    if (stoppedBy !== null && stopped) {
      ends.set(node.name, 'stopped');
      scores.push(
        unscored(node, `not run: "${stoppedBy.title ?? stoppedBy.name}" must pass and did not`),
      );
      continue;
    }
    if (broken !== undefined) {
      ends.set(node.name, 'stopped');
      scores.push(unscored(node, `not run: it needs "${broken}", which gave no result`));
      continue;
    }
    if (spentBy !== null) {
      ends.set(node.name, 'broke');
      scores.push(overBudget(node, part, spentBy));
      continue;
    }
    ctx.budget?.enter(part);
    const result = await runNode(node, details, ctx);
    scores.push(result.score);
    if (isOverBudget(result.score)) spentBy = part;
    ends.set(node.name, result.score.state === 'failed' ? 'broke' : 'ran');
    // The details of a node that reports its own failure, such as its cost, are kept for the
    // verdict rule.
    if (result.score.state !== 'failed' || result.detail !== null)
      details.set(node.name, result.detail);
    if (node.mustPass && result.score.met === false) stoppedBy ??= node;
  }
  return { scores, details, left: [] };
}

/** @throws Error on a duplicate name, an unknown need or a cycle. */
export function checkPlan(plan: readonly PlanNode[]): void {
  const names = new Set(plan.map((node) => node.name));
  if (names.size !== plan.length) throw new Error('the plan has two nodes of one name');
  const done = new Set<string>();
  let left = [...plan];
  for (const node of plan) {
    const unknown = node.needs.find((need) => !names.has(need));
    if (unknown !== undefined)
      throw new Error(`node "${node.name}" needs "${unknown}", which the plan does not have`);
  }
  while (left.length > 0) {
    const ready = left.filter((node) => node.needs.every((need) => done.has(need)));
    if (ready.length === 0)
      throw new Error(`the plan has a cycle: ${left.map((node) => node.name).join(', ')}`);
    for (const node of ready) done.add(node.name);
    left = left.filter((node) => !done.has(node.name));
  }
}

function nextReady(left: ReadonlySet<PlanNode>, ends: ReadonlyMap<string, NodeEnd>): PlanNode {
  let best: PlanNode | null = null;
  for (const node of left) {
    if (!node.needs.every((need) => ends.has(need))) continue;
    if (best === null || node.cost < best.cost) best = node;
  }
  if (best === null) throw new Error('no node is ready');
  return best;
}

async function runNode(
  node: PlanNode,
  details: ReadonlyMap<string, unknown>,
  ctx: EvaluatorContext,
): Promise<NodeResult> {
  const began = ctx.now();
  let timer: NodeJS.Timeout | undefined;
  const deadline = createDeadline(ctx.signal);
  const own: EvaluatorContext = {
    ...ctx,
    get signal() {
      return deadline.signal;
    },
  };
  try {
    const running = node.run(details, own);
    const result =
      running instanceof Promise
        ? await Promise.race([
            running,
            new Promise<never>((_, reject) => {
              timer = setTimeout(
                () => reject(new Error(`no answer within ${node.timeoutMs} ms`)),
                node.timeoutMs,
              );
            }),
          ])
        : running;
    const score = Score.parse({
      ...result.score,
      must_pass: node.mustPass,
      weight: node.weight,
      latency_ms: result.latencyMs ?? ctx.now() - began,
    });
    return { score, detail: result.detail };
  } catch (error) {
    deadline.pass();
    const reason = error instanceof Error ? error.message : String(error);
    const score: Score = {
      ...base(node),
      state: 'failed',
      value: null,
      met: null,
      reasoning: reason.startsWith(OVER_BUDGET)
        ? reason
        : `the evaluator broke: ${reason.slice(0, 500)}`,
      latency_ms: ctx.now() - began,
    };
    return { score, detail: null };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A signal that fires with `outer`, or at the deadline. Created on demand, since most nodes only
 * compute, and a signal costs more than they do.
 */
function createDeadline(outer: AbortSignal): { readonly signal: AbortSignal; pass(): void } {
  let hasPassed = false;
  let both: { readonly own: AbortController; readonly signal: AbortSignal } | null = null;
  return {
    get signal() {
      if (both === null) {
        const own = new AbortController();
        if (hasPassed) own.abort();
        both = { own, signal: AbortSignal.any([outer, own.signal]) };
      }
      return both.signal;
    },
    pass() {
      hasPassed = true;
      both?.own.abort();
    },
  };
}

function base(node: PlanNode): ReturnType<typeof measuredBy> {
  return {
    ...measuredBy(node.evaluator, node.title ?? node.name),
    must_pass: node.mustPass,
    weight: node.weight,
  };
}

/** The node's name in a budget report, truncated to the length that the watchdog stores. */
const partOf = (node: PlanNode): string => (node.title ?? node.name).slice(0, 120);

/** A node over budget neither passes nor fails. */
function overBudget(node: PlanNode, part: string, spentBy: string): Score {
  const reasoning =
    part === spentBy
      ? `${OVER_BUDGET}: it used up the processor time of one request; make it smaller, or split the request`
      : `${OVER_BUDGET}: not run, for "${spentBy}" used up the processor time of one request`;
  return { ...base(node), state: 'failed', value: null, met: null, reasoning };
}

function unscored(node: PlanNode, reasoning: string): Score {
  return { ...base(node), state: 'unscored', value: null, met: null, reasoning };
}
