import { z } from 'zod';
import { changesOfSubgoals, type SubgoalField, type ComparedSubgoal } from './subgoal-changes';
import type { Attempt, ReadAttempt } from './read-attempts';
import { shorten } from './shorten';

export interface ShownSubgoal extends ComparedSubgoal {
  readonly requires: readonly string[];
  /**
   * The change from the previous attempt; null if there is none, or if this is the first attempt.
   */
  readonly change: 'added' | 'altered' | null;
  /** The fields that changed; empty unless `change` is `altered`. */
  readonly fields: readonly SubgoalField[];
}

export interface ShownDecomposition {
  readonly goal: string;
  /** The first subgoals; `subgoalCount` is their total number. */
  readonly subgoals: readonly ShownSubgoal[];
  readonly subgoalCount: number;
  readonly order: readonly { readonly phase: string; readonly subgoals: readonly string[] }[];
  /** Null for the first attempt. */
  readonly changes: {
    readonly added: number;
    readonly altered: number;
    readonly removed: readonly ComparedSubgoal[];
    readonly removedCount: number;
  } | null;
}

export interface DecompositionAttempt extends Attempt {
  /** `self` or `adversarial`; null if no judge was called. */
  readonly option: string | null;
  /** Scores by dimension, in the order of SOAR-3; null if nothing was scored. */
  readonly scores: readonly (readonly [name: string, value: number])[] | null;
  /** The judge's own total and verdict, stored for reference (SOAR-4, SOAR-10). */
  readonly stated: { readonly overall: number | null; readonly verdict: string | null };
  readonly suggestions: readonly string[];
  /** Null if it is too large to be read with the other attempts. */
  readonly decomposition: ShownDecomposition | null;
}

const text = z.string().catch('');
const texts = z.array(z.string()).catch([]);
const number = z.number().nullable().catch(null);
const word = z.string().nullable().catch(null);

/** Each member is parsed leniently: any part may be faulty, or stored by an earlier release. */
const Subject = z.object({
  decomposition: z.object({
    goal: text,
    subgoals: z
      .array(
        z
          .object({ id: text, description: text, agent: word, depends_on: texts, requires: texts })
          .catch(unreadable()),
      )
      .catch([]),
    execution_order: z.array(z.object({ phase: text, subgoals: texts })).catch([]),
  }),
});
const Detail = z.object({
  option: word,
  scores: z.record(z.string(), z.number()).nullable().catch(null),
  stated_overall: number,
  stated_verdict: word,
  suggestions: texts,
});

const dimensions = ['completeness', 'consistency', 'groundedness', 'routability'];
const subgoalsMax = 200;
const listMax = 50;

function unreadable() {
  return { id: '', description: '', agent: null, depends_on: [], requires: [] };
}

/** In order; each retry is compared with the previous attempt. */
export function showDecompositions(read: readonly ReadAttempt[]): DecompositionAttempt[] {
  let before: readonly ComparedSubgoal[] | null = null;
  return read.map(({ attempt, subject, detail }) => {
    const content = Subject.safeParse(subject);
    const parsed = Detail.safeParse(detail ?? {});
    const earlier = (attempt.retries?.used ?? 0) > 0 ? before : null;
    before = content.success ? content.data.decomposition.subgoals.map(asSubgoal) : null;
    const {
      option = null,
      scores = null,
      stated_overall = null,
      stated_verdict = null,
      suggestions = [],
    } = parsed.data ?? {};
    return {
      ...attempt,
      option,
      scores:
        scores === null
          ? null
          : dimensions.flatMap((name) =>
              scores[name] === undefined ? [] : [[name, scores[name]] as const],
            ),
      stated: { overall: stated_overall, verdict: stated_verdict },
      suggestions: suggestions.slice(0, listMax).map((each) => shorten(each)),
      decomposition: content.success
        ? showDecomposition(content.data.decomposition, earlier)
        : null,
    };
  });
}

type Stored = z.infer<typeof Subject>['decomposition'];

const asSubgoal = ({
  id,
  description,
  agent,
  depends_on,
}: Stored['subgoals'][number]): ComparedSubgoal => ({
  id,
  description,
  agent,
  dependsOn: depends_on,
});

function showDecomposition(
  { goal, subgoals, execution_order }: Stored,
  before: readonly ComparedSubgoal[] | null,
): ShownDecomposition {
  const changes = before === null ? null : changesOfSubgoals(before, subgoals.map(asSubgoal));
  const added = new Set(changes?.added);
  const altered = new Map(changes?.altered.map(({ id, fields }) => [id, fields] as const));
  const removed = new Set(changes?.removed);
  return {
    goal: shorten(goal),
    subgoals: subgoals.slice(0, subgoalsMax).map((subgoal) => ({
      ...shortSubgoal(asSubgoal(subgoal)),
      requires: subgoal.requires.slice(0, listMax).map((each) => shorten(each, 200)),
      change: added.has(subgoal.id) ? 'added' : altered.has(subgoal.id) ? 'altered' : null,
      fields: altered.get(subgoal.id) ?? [],
    })),
    subgoalCount: subgoals.length,
    order: execution_order.slice(0, listMax).map(({ phase, subgoals: ids }) => ({
      phase,
      subgoals: ids.slice(0, listMax).map((id) => shorten(id, 200)),
    })),
    changes:
      changes === null || before === null
        ? null
        : {
            added: changes.added.length,
            altered: changes.altered.length,
            removed: before
              .filter(({ id }) => removed.has(id))
              .slice(0, listMax)
              .map(shortSubgoal),
            removedCount: changes.removed.length,
          },
  };
}

const shortSubgoal = ({ id, description, agent, dependsOn }: ComparedSubgoal): ComparedSubgoal => ({
  id: shorten(id, 200),
  description: shorten(description, 600),
  agent: agent === null ? null : shorten(agent, 200),
  dependsOn: dependsOn.slice(0, listMax).map((each) => shorten(each, 200)),
});
