import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';
import { deriveOutcome, type Outcome } from '../domain';

/**
 * A person's statement on one verdict: a ruling, a grade, an action, or several of these. Appended
 * and never edited; an undo is a separate row.
 */
export interface Ruling {
  readonly id: string;
  readonly verdictId: string;
  /** The verdict of an override, in the kind's own words; null without an override. */
  readonly verdict: string | null;
  readonly reason: string | null;
  /** 1 to 5 (VS-48). */
  readonly grade: number | null;
  /** 0 to 1. */
  readonly score: number | null;
  /** `retry`, `escalate` or `accept_with_warning` (VS-28); null if none was chosen. */
  readonly action: string | null;
  readonly rater: string;
  /** The authenticated account; `rater` may be any name that a caller wrote. */
  readonly account: string;
  /** A blind vote: the rater did not see the verdict or other votes. */
  readonly blind: boolean;
  /** The version of the label policy at that time; null if the verifier had none. */
  readonly policy: number | null;
  readonly createdAt: Date;
  readonly undone: { readonly by: string; readonly at: Date } | null;
}

/** The most rulings that are read per verdict: the latest ones. */
const rulingsMax = 200;

interface RulingRow {
  id: string;
  verdict_id: string;
  verdict: string | null;
  note: string | null;
  grade: number | null;
  score: number | null;
  action: string | null;
  rater: string;
  account: string;
  blind: boolean;
  policy: number | null;
  created_at: string;
  undone_by: string | null;
  undone_at: string | null;
}

/** Whether a row of `verdicts` has rulings. Most have none, which saves a query for them. */
export function isLabelled(sql: ProjectCtx['sql']): Fragment {
  return sql`exists (
    select from labels l where l.project_id = verdicts.project_id and l.verdict_id = verdicts.id and l.kind in ('override', 'grade', 'action'))`;
}

/** People's rulings by verdict, oldest first. */
export async function loadRulings(
  ctx: ProjectCtx,
  verdictIds: readonly string[],
): Promise<Map<string, Ruling[]>> {
  const rulings = new Map<string, Ruling[]>();
  if (verdictIds.length === 0) return rulings;
  const rows = await ctx.sql<RulingRow[]>`
    select l.*, u.created_by as undone_by, u.created_at as undone_at
    from jsonb_array_elements_text(${JSON.stringify([...new Set(verdictIds)])}::text::jsonb) as v(id)
    cross join lateral (
      select id, verdict_id, verdict, note, grade, score, value as action, coalesce(rater, created_by) as rater, created_by as account, blind, policy,
        created_at
      from labels
      where project_id = ${ctx.projectId} and verdict_id = v.id and kind in ('override', 'grade', 'action')
      order by created_at desc, id desc limit ${rulingsMax}
    ) l
    left join labels u on u.project_id = ${ctx.projectId} and u.undoes = l.id
    order by l.created_at, l.id`;
  for (const row of rows) {
    const ofVerdict = rulings.get(row.verdict_id) ?? [];
    ofVerdict.push(asRuling(row));
    rulings.set(row.verdict_id, ofVerdict);
  }
  return rulings;
}

function asRuling(row: RulingRow): Ruling {
  return {
    id: row.id,
    verdictId: row.verdict_id,
    verdict: row.verdict,
    reason: row.note,
    grade: row.grade,
    score: row.score,
    action: row.action,
    rater: row.rater,
    account: row.account,
    blind: row.blind,
    policy: row.policy,
    createdAt: new Date(row.created_at),
    undone:
      row.undone_by === null || row.undone_at === null
        ? null
        : { by: row.undone_by, at: new Date(row.undone_at) },
  };
}

/** The members of a ruling that decide which rulings count. */
type RulingFacts = Pick<Ruling, 'verdict' | 'account' | 'rater' | 'blind' | 'undone'>;

/** The current votes among rulings, oldest first: the latest vote of each rater. */
function currentVotes<R extends RulingFacts>(rulings: readonly R[]): readonly R[] {
  const votes = new Map<string, R>();
  for (const each of rulings) {
    if (each.verdict === null || each.undone !== null || !each.blind) continue;
    const rater = JSON.stringify([each.account, each.rater]);
    // Deleted first, so that the vote takes the position of the rater's latest vote.
    votes.delete(rater);
    votes.set(rater, each);
  }
  return [...votes.values()];
}

/**
 * The rulings that count against the verifier's verdict, oldest first. The latest override by a
 * rater who saw the verdict and the rulings decides; without one, the latest vote of each rater
 * counts.
 * @param rulings of one verdict, oldest first
 */
export function countingRulings<R extends RulingFacts>(rulings: readonly R[]): readonly R[] {
  const settling = rulings.findLast(
    (each) => each.verdict !== null && each.undone === null && !each.blind,
  );
  return settling === undefined ? currentVotes(rulings) : [settling];
}

/** The verdicts with the most votes: several on a tie, none without votes. */
function leadingWords(votes: readonly RulingFacts[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { verdict } of votes)
    if (verdict !== null) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const max = Math.max(0, ...counts.values());
  return [...counts].flatMap(([word, count]) => (count === max ? [word] : []));
}

/**
 * The ruling that counts against the verifier's verdict: the latest one by a rater who saw the
 * verdict and the rulings, otherwise the latest vote of the majority (calibration.md 5.10). Null if
 * there are no rulings, or if the votes are tied.
 */
export function effectiveRuling<R extends RulingFacts>(rulings: readonly R[]): R | null {
  const counting = countingRulings(rulings);
  const [word, ...others] = leadingWords(counting);
  return word === undefined || others.length > 0
    ? null
    : (counting.findLast(({ verdict }) => verdict === word) ?? null);
}

/**
 * Whether the votes are tied and no rater who saw the verdict has decided: no ruling counts until
 * someone does.
 */
export function isContested(rulings: readonly RulingFacts[]): boolean {
  return leadingWords(countingRulings(rulings)).length > 1;
}

/**
 * The action that people chose for the work: the latest one that was not undone. Null if there is
 * none: the verifier's action then applies.
 */
export function effectiveStep(rulings: readonly Ruling[]): string | null {
  return rulings.findLast((each) => each.action !== null && each.undone === null)?.action ?? null;
}

/** The verdict of a person that counts against the verifier's. */
interface CountedRuling {
  readonly verdict: string;
  readonly outcome: Outcome;
}

/** The rulings that count, by verdict; verdicts without one are omitted. */
export async function loadCountedRulings(
  ctx: ProjectCtx,
  verdictIds: readonly string[],
): Promise<Map<string, CountedRuling>> {
  const rulings = await loadRulings(ctx, verdictIds);
  return new Map(
    [...rulings].flatMap(([id, all]) => {
      const verdict = effectiveRuling(all)?.verdict ?? null;
      return verdict === null ? [] : [[id, { verdict, outcome: deriveOutcome(verdict) }] as const];
    }),
  );
}
