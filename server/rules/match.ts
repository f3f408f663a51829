import type { SourceSettings } from '../domain';
import { sha256 } from '../platform';
import type { OwingTurn, RuleDecision } from '../ingest';
import { listOf, quoteAll, type RuleFilter } from './input';

/** A rule as it decides. */
export interface Rule {
  readonly name: string;
  readonly version: number;
  readonly verifier: string;
  readonly target: string;
  /**
   * Null where this release cannot read it: such a rule sends nothing, for it would send too much.
   */
  readonly filter: RuleFilter | null;
  /** 0 to 1. */
  readonly sampling: number;
  readonly delaySeconds: number;
  /** Subjects a UTC day; null: no limit. */
  readonly dailyBudget: number | null;
  /**
   * Parts of a turn's messages that count as sources. Null where this release cannot read the
   * setting: such a rule sends nothing.
   */
  readonly sources: SourceSettings | null;
  readonly enabled: boolean;
}

/** What a rule decided before anything is stored. */
export type Ruling = Omit<RuleDecision, 'verdictId'>;

/**
 * Decides one turn: the same rule and turn give the same ruling. Null for a rule that is not for
 * turns: it decides nothing.
 */
export function decideTurn(rule: Rule, turn: OwingTurn): Ruling | null {
  if (rule.target !== 'turn') return null;
  const ruling = (state: RuleDecision['state'], reason: string | null): Ruling => ({
    rule: rule.name,
    ruleVersion: rule.version,
    verifier: rule.verifier,
    state,
    reason,
  });
  if (!rule.enabled) return ruling('blocked', 'the rule is switched off');
  if (rule.filter === null)
    return ruling('blocked', 'this release cannot read the filter of the rule');
  if (rule.sources === null)
    return ruling('blocked', 'this release cannot read the sources of the rule');
  const missed = missedClause(rule.filter, turn);
  if (missed !== null) return ruling('filtered', missed);
  if (rule.sampling >= 1) return ruling('run', null);
  const bucket = bucketOf(rule.name, turn.id);
  if (bucket < rule.sampling) return ruling('run', null);
  // Rounded down, so that a bucket is never shown as one that the rate would have taken.
  return ruling(
    'sampled_out',
    `bucket ${(Math.floor(bucket * 10_000) / 10_000).toFixed(4)} of rate ${rule.sampling}`,
  );
}

/**
 * Where a turn stands in 0..1 for a rule: fixed by both names, so that a repeat decides the same,
 * and a higher rate takes all that a lower one took.
 */
export function bucketOf(rule: string, turnId: string): number {
  return Number.parseInt(sha256(`${rule}\n${turnId}`).slice(0, 12), 16) / 2 ** 48;
}

/** The first clause that does not hold, in words; null when all hold. */
function missedClause(filter: RuleFilter, turn: OwingTurn): string | null {
  const texts = [
    ['model', filter.model, turn.model],
    ['source', filter.source, turn.source],
    ['origin', filter.origin, turn.origin],
    ['session_id', filter.session_id, turn.sessionId],
  ] as const;
  for (const [name, patterns, value] of texts) {
    if (patterns === undefined) continue;
    if (value === null) return `${name}: the turn names none, ${quoteAll(patterns)} is wanted`;
    if (!listOf(patterns).some((pattern) => matchesPattern(value, pattern)))
      return `${name}: ${shown(value)} is not ${quoteAll(patterns)}`;
  }
  const missing = filter.tags?.find((tag) => !turn.tags.includes(tag));
  if (missing !== undefined) return `tags: ${shown(missing)} is missing`;
  for (const [key, wanted] of Object.entries(filter.metadata ?? {})) {
    const name = `metadata ${JSON.stringify(key)}`;
    if (!Object.hasOwn(turn.metadata, key))
      return `${name}: the turn has none, ${quoteAll(wanted)} is wanted`;
    const value = turn.metadata[key];
    if (!listOf(wanted).some((each) => each === value))
      return `${name}: ${shown(value)} is not ${quoteAll(wanted)}`;
  }
  if (filter.has_sources !== undefined && filter.has_sources !== turn.hasSources) {
    return turn.hasSources
      ? 'has_sources: the turn brings sources'
      : 'has_sources: the turn brings no tool result and no context block';
  }
  if (filter.min_answer_chars !== undefined && turn.answerChars < filter.min_answer_chars) {
    return `min_answer_chars: ${turn.answerChars} is less than ${filter.min_answer_chars}`;
  }
  return null;
}

/**
 * Whether all of `value` is `pattern`, in which `*` stands for any characters. Never goes back: the
 * first place of each piece is the best.
 */
export function matchesPattern(value: string, pattern: string): boolean {
  const pieces = pattern.split('*');
  const [first = ''] = pieces;
  if (pieces.length === 1) return value === first;
  const last = pieces.at(-1) ?? '';
  if (!value.startsWith(first)) return false;
  let at = first.length;
  const end = value.length - last.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = value.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= end && value.endsWith(last);
}

/** A value of the turn's own, short enough for a reason and storable in PostgreSQL. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return (text.length > 80 ? `${text.slice(0, 80)}…` : text).toWellFormed();
}
