import type { Mapping, Outcome, SourceSettings, SubjectTarget } from '../domain';
import { sha256 } from '../platform';
import type { AwaitedVerdict, RuleTurn, RuleDecision } from '../ingest';
import { type Clauses, asList, quoteAll, type RuleFilter } from './input';

/** A rule in the form used for decisions. */
export interface Rule {
  readonly name: string;
  readonly version: number;
  readonly verifier: string;
  /** The targets that the verifier reads; empty if the project has no such verifier. */
  readonly verifierTargets: readonly SubjectTarget[];
  readonly target: SubjectTarget;
  /**
   * Null if this release cannot read it. Such a rule selects nothing: without its filter it would
   * select too much.
   */
  readonly filter: RuleFilter | null;
  /** Overrides the verifier's default queries for variables; null means no override. */
  readonly mapping: Mapping | null;
  /** 0 to 1. */
  readonly sampling: number;
  readonly sampleBy: 'subject' | 'session';
  /** Every Nth turn of a session instead of `sampling`; null if `sampling` decides. */
  readonly every: number | null;
  readonly delaySeconds: number;
  /** Subjects per UTC day; null means unlimited. */
  readonly dailyBudget: number | null;
  /** US dollars per UTC day for judge calls; null means unlimited. */
  readonly dailyBudgetUsd: number | null;
  /**
   * Parts of a turn's messages that count as sources. Null if this release cannot read the setting:
   * such a rule selects nothing.
   */
  readonly sources: SourceSettings | null;
  readonly enabled: boolean;
}

/** A subject in the form that filters read. */
export type RuleSubject = Omit<RuleTurn, 'projectId'>;

/** A rule's decision before anything is stored. */
export type PlannedDecision = Omit<RuleDecision, 'verdictId'> & {
  readonly awaits?: AwaitedVerdict;
};

/** Decides one subject of the rule's target, deterministically. */
export function decideByRule(rule: Rule, subject: RuleSubject): PlannedDecision {
  const ruling = (state: RuleDecision['state'], reason: string | null): PlannedDecision => ({
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
  const { verdict, ...filter } = rule.filter;
  const missed = missedClause(filter, subject);
  if (missed !== null) return ruling('filtered', missed);
  const missedDraw = rule.every === null ? missedSample(rule, subject) : null;
  if (missedDraw !== null) return ruling('sampled_out', missedDraw);
  const awaits =
    verdict === undefined
      ? undefined
      : { verifier: verdict.verifier, outcomes: asList<Outcome>(verdict.outcome) };
  return { ...ruling('run', null), ...(awaits && { awaits }) };
}

/** The reason why sampling leaves the subject out; null if it is selected. */
function missedSample(rule: Rule, subject: RuleSubject): string | null {
  if (rule.sampling >= 1) return null;
  const drawn = rule.sampleBy === 'session' ? (subject.sessionId ?? subject.id) : subject.id;
  const bucket = samplePosition(rule.name, drawn);
  if (bucket < rule.sampling) return null;
  // Rounded down: the reason never shows a bucket that the rate would have selected.
  return `not sampled: bucket ${(Math.floor(bucket * 10_000) / 10_000).toFixed(4)} is not below the rate ${rule.sampling}`;
}

/**
 * Maps an id to 0..1 by a hash of the rule and the id, so that a repeated decision has the same
 * result, and a higher rate selects everything that a lower one did.
 */
export function samplePosition(rule: string, id: string): number {
  return Number.parseInt(sha256(`${rule}\n${id}`).slice(0, 12), 16) / 2 ** 48;
}

type Filter = Clauses & {
  readonly any?: readonly Filter[] | undefined;
  readonly not?: Filter | undefined;
};

/** The first clause that does not match, in words; null if all match. */
function missedClause(filter: Filter, subject: RuleSubject): string | null {
  const missed =
    missedText(filter, subject) ??
    missedTag(filter, subject) ??
    missedMetadata(filter, subject) ??
    missedMeasure(filter, subject);
  if (missed !== null) return missed;
  const reasons = filter.any?.map((each) => missedClause(each, subject));
  if (reasons !== undefined && !reasons.includes(null)) return `any: ${reasons.join('; ')}`;
  if (filter.not !== undefined && missedClause(filter.not, subject) === null)
    return 'not: all its clauses hold';
  return null;
}

function missedText(filter: Clauses, subject: RuleSubject): string | null {
  const texts = [
    ['model', filter.model, subject.models ?? [subject.model]],
    ['source', filter.source, [subject.source]],
    ['origin', filter.origin, [subject.origin]],
    ['session_id', filter.session_id, [subject.sessionId]],
    ['trace_id', filter.trace_id, [subject.traceId]],
    ['user_id', filter.user_id, [subject.userId]],
  ] as const;
  for (const [name, patterns, given] of texts) {
    if (patterns === undefined) continue;
    const values = given.flatMap((value) => value ?? []);
    if (values.length === 0)
      return `${name}: the subject has none, ${quoteAll(patterns)} is required`;
    const isOne = (value: string): boolean =>
      asList(patterns).some((pattern) => matchesPattern(value, pattern));
    if (!values.some(isOne))
      return `${name}: ${values.map(shown).join(' and ')} is not ${quoteAll(patterns)}`;
  }
  return null;
}

function missedTag({ tags }: Clauses, subject: RuleSubject): string | null {
  if (tags === undefined) return null;
  const missing = asList(tags).find(
    (pattern) => !subject.tags.some((tag) => matchesPattern(tag, pattern)),
  );
  return missing === undefined ? null : `tags: ${shown(missing)} is missing`;
}

function missedMetadata({ metadata }: Clauses, subject: RuleSubject): string | null {
  for (const [key, wanted] of Object.entries(metadata ?? {})) {
    const name = `metadata ${JSON.stringify(key)}`;
    if (!Object.hasOwn(subject.metadata, key))
      return `${name}: the subject has none, ${quoteAll(wanted)} is required`;
    const value = subject.metadata[key];
    const isOne = (each: string | number | boolean): boolean =>
      typeof each === 'string' && typeof value === 'string'
        ? matchesPattern(value, each)
        : each === value;
    if (!asList(wanted).some(isOne)) return `${name}: ${shown(value)} is not ${quoteAll(wanted)}`;
  }
  return null;
}

function missedMeasure(filter: Clauses, subject: RuleSubject): string | null {
  if (filter.has_sources !== undefined && filter.has_sources !== subject.hasSources)
    return subject.hasSources
      ? 'has_sources: the subject has sources'
      : 'has_sources: the subject has no tool result and no context block';
  if (filter.min_answer_chars !== undefined && subject.answerChars < filter.min_answer_chars)
    return `min_answer_chars: ${subject.answerChars} is less than ${filter.min_answer_chars}`;
  return null;
}

/**
 * Whether the whole of `value` matches `pattern`, in which `*` matches any characters. Never
 * backtracks: the first occurrence of each piece leaves the most text for the others.
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

/** A value of the subject as a reason quotes it: shortened, and storable in PostgreSQL. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return (text.length > 80 ? `${text.slice(0, 80)}…` : text).toWellFormed();
}
