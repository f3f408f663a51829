import type { PlanStep } from '@/app/_trpc/outputs';

/** Positions of a DAG's nodes in its drawing. Pixels. */
export const box = { width: 208, height: 48, gapX: 56, gapY: 12, top: 28, margin: 4 } as const;

export interface PlacedStep {
  readonly step: PlanStep;
  /** Position in the order of execution, from 1. */
  readonly number: number;
  readonly x: number;
  readonly y: number;
}

export interface PlanLayout {
  readonly width: number;
  readonly height: number;
  readonly steps: readonly PlacedStep[];
  /** Dependencies. */
  readonly edges: readonly { readonly from: PlacedStep; readonly to: PlacedStep }[];
  /** One stage per cost class, as wide as its longest chain of dependencies. */
  readonly stages: readonly {
    readonly cost: PlanStep['cost'];
    readonly x: number;
    readonly right: number;
  }[];
}

const costs = ['free', 'gate', 'judge'] as const satisfies readonly PlanStep['cost'][];

/**
 * Cheap nodes at the left, expensive ones at the right; within one cost class, dependencies are
 * left of their dependents. Columns are filled from the top.
 */
export function layPlan(steps: readonly PlanStep[]): PlanLayout {
  const columns = columnsOf(steps);
  const filled = new Map<number, number>();
  const xOf = (column: number): number => box.margin + column * (box.width + box.gapX);
  const placed = steps.map((step, at): PlacedStep => {
    const column = columns.get(step.name) ?? 0;
    const row = filled.get(column) ?? 0;
    filled.set(column, row + 1);
    return { step, number: at + 1, x: xOf(column), y: box.top + row * (box.height + box.gapY) };
  });
  const byName = new Map(placed.map((each) => [each.step.name, each]));
  const edges = placed.flatMap((to) =>
    to.step.needs.flatMap((need) => {
      const from = byName.get(need);
      return from === undefined ? [] : [{ from, to }];
    }),
  );
  const stages = costs.flatMap((cost) => {
    const stageColumns = steps
      .filter((step) => step.cost === cost)
      .map(({ name }) => columns.get(name) ?? 0);
    return stageColumns.length === 0
      ? []
      : [
          {
            cost,
            x: xOf(Math.min(...stageColumns)),
            right: xOf(Math.max(...stageColumns)) + box.width,
          },
        ];
  });
  const rows = Math.max(1, ...filled.values());
  const last = Math.max(0, ...columns.values());
  return {
    width: xOf(last) + box.width + box.margin,
    height: box.top + rows * (box.height + box.gapY) - box.gapY + box.margin,
    steps: placed,
    edges,
    stages,
  };
}

/** Steps are in order of execution, so a step's dependencies come before it. */
function columnsOf(steps: readonly PlanStep[]): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  let first = 0;
  for (const cost of costs) {
    const stageSteps = steps.filter((step) => step.cost === cost);
    let last = first - 1;
    for (const { name, needs } of stageSteps) {
      const column = Math.max(first, ...needs.map((need) => (columns.get(need) ?? -1) + 1));
      columns.set(name, column);
      last = Math.max(last, column);
    }
    first = last + 1;
  }
  return columns;
}
