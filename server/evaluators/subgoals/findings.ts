/** One fault of a decomposition. */
export interface SubgoalFinding {
  readonly code: FindingCode;
  readonly message: string;
  readonly severity: 'low' | 'medium' | 'high';
  /** In the request: `decomposition.subgoals[3].depends_on`; null if no part is at fault. */
  readonly path: string | null;
  /** Advice for its author. */
  readonly advice: string;
  /** No score outweighs it: a decomposition with it never passes. */
  readonly faulty: boolean;
}

export type FindingCode =
  | 'empty_goal'
  | 'no_subgoals'
  | 'empty_description'
  | 'missing_id'
  | 'duplicate_id'
  | 'dangling_dependency'
  | 'dependency_cycle'
  | 'unknown_in_order'
  | 'left_out_of_order'
  | 'ordered_twice'
  | 'contradictory_order'
  | 'agents_unchecked'
  | 'no_agent'
  | 'unknown_agent'
  | 'missing_capability'
  | 'agent_not_allowed'
  | 'too_many_subgoals';

/**
 * Maximum findings listed for each code; the rest are only counted: a planner's fault often affects
 * every subgoal.
 */
const SHOWN_MAX = 10;

/** Collects any number of findings. */
export class Findings {
  private readonly byCode = new Map<
    FindingCode,
    { readonly shown: SubgoalFinding[]; count: number }
  >();

  add(finding: SubgoalFinding): void {
    const known = this.byCode.get(finding.code);
    if (known === undefined) this.byCode.set(finding.code, { shown: [finding], count: 1 });
    else {
      known.count++;
      if (known.shown.length < SHOWN_MAX) known.shown.push(finding);
    }
  }

  /** The ones that no score outweighs first, then by severity, each in the order found. */
  list(): readonly SubgoalFinding[] {
    const all = [...this.byCode.values()].flatMap(({ shown, count }) => {
      const [first] = shown;
      if (first === undefined || count === shown.length) return shown;
      return [
        ...shown,
        {
          ...first,
          path: null,
          message: `${count - shown.length} more of these: ${first.code.replaceAll('_', ' ')}`,
        },
      ];
    });
    return all.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

const severities = ['high', 'medium', 'low'] as const;

const rankOf = ({ faulty, severity }: SubgoalFinding): number =>
  (faulty ? 0 : 10) + severities.indexOf(severity);

const NAME_MAX = 80;

/** A name from the request, quoted for our own sentence. */
export function quotedName(name: string): string {
  const line = name.slice(0, 4 * NAME_MAX).replace(/\s+/g, ' ');
  return `"${line.length > NAME_MAX ? `${line.slice(0, NAME_MAX)}…` : line}"`.toWellFormed();
}
