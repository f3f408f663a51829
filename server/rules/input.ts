import { z } from 'zod';
import {
  DecisionState,
  intakeLimits,
  Mapping,
  Outcome,
  SourceSettings,
  SubjectTarget,
} from '../domain';

/**
 * A value to match, in which `*` matches any number of characters; or several values, of which one
 * must match.
 */
const Pattern = z.string().min(1).max(300);
const Patterns = z.union([Pattern, z.array(Pattern).min(1).max(50)]);
const MetadataValue = z.union([z.string().max(1000), z.number(), z.boolean()]);

/** The origin of a turn. */
const Origin = z.enum(['api', 'otlp', 'import', 'gateway']);
const originsError = `must be one of ${Origin.options.join(', ')}, or a list of them`;
const Origins = z.union(
  [Origin, z.array(Origin).min(1, originsError).max(Origin.options.length, originsError)],
  { error: originsError },
);

/**
 * Refuses an object key that a `z.record` would drop silently: without it the filter would match
 * more than its author meant.
 */
const metadataClause = z.unknown().superRefine((value, check) => {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')) {
    check.addIssue({ code: 'custom', message: 'must not have the name "__proto__"' });
  }
});

/** Clauses about a subject; all given clauses must match. */
const Clauses = z.strictObject({
  model: Patterns.optional(),
  source: Patterns.optional(),
  origin: Origins.optional(),
  session_id: Patterns.optional(),
  trace_id: Patterns.optional(),
  /** The end user named in the metadata. */
  user_id: Patterns.optional(),
  /** The subject has a matching tag for each of them. */
  tags: Patterns.optional(),
  /** Each key has the value, or one of the values; a string may contain `*`. */
  metadata: metadataClause
    .pipe(
      z.record(
        z.string().min(1).max(200),
        z.union([MetadataValue, z.array(MetadataValue).min(1).max(50)]),
      ),
    )
    .optional(),
  has_sources: z.boolean().optional(),
  /** Length of the answer, UTF-16 units. */
  min_answer_chars: z.number().int().min(0).max(intakeLimits.bodyBytes).optional(),
});
export type Clauses = z.infer<typeof Clauses>;

const grouped = <Inner extends z.ZodType>(inner: Inner) => ({
  /** At least one of them must match. */
  any: z.array(inner).min(1).max(20).optional(),
  /** It must not match. */
  not: inner.optional(),
});

/** A filter inside `any` or `not`: it may contain such groups once more. */
const InnerFilter = Clauses.extend(grouped(Clauses));

const Outcomes = z.union([Outcome, z.array(Outcome).min(1).max(Outcome.options.length)]);

/** The subjects of a rule: all given clauses must match. An unknown clause is refused by name. */
export const RuleFilter = Clauses.extend({
  ...grouped(InnerFilter),
  /** The rule waits for this verifier's verdict on the same subject (online.md 2). */
  verdict: z.strictObject({ verifier: z.string().min(1).max(100), outcome: Outcomes }).optional(),
});
export type RuleFilter = z.infer<typeof RuleFilter>;

export const RuleName = z
  .string()
  .min(1)
  .max(60)
  .regex(
    /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/,
    'may contain only lower-case letters, digits, dots, hyphens and underscores, and must begin and end with a letter or digit',
  );

const week = 7 * 24 * 60 * 60;

/** A rule as written by its author; omitted members have defaults. */
export const RuleBody = z.strictObject({
  verifier: z.string().min(1).max(100),
  target: SubjectTarget.default('turn'),
  filter: RuleFilter.default({}),
  /**
   * Overrides the verifier's default queries for variables; an omitted variable keeps its default.
   */
  mapping: Mapping.nullable().default(null),
  /** Share of the matching subjects, 0 to 1. */
  sampling: z.number().min(0).max(1).default(1),
  /** The unit of sampling: each subject, or a session with all of its subjects. */
  sample_by: z.enum(['subject', 'session']).default('subject'),
  /** Selects every Nth turn of a session instead of `sampling`. */
  every: z.number().int().min(1).max(1_000_000).nullable().default(null),
  delay_seconds: z.number().int().min(0).max(week).default(0),
  /** Subjects per UTC day; null means unlimited. */
  daily_budget: z.number().int().min(0).max(1_000_000_000).nullable().default(null),
  /** US dollars per UTC day for judge calls; null means unlimited. */
  daily_budget_usd: z.number().min(0).max(1_000_000).nullable().default(null),
  /**
   * Parts of a turn's messages that count as sources in addition to its tool results and context
   * blocks.
   */
  sources: SourceSettings.prefault({}),
  enabled: z.boolean().default(true),
});
export type RuleBody = z.infer<typeof RuleBody>;

const Project = z.object({ project: z.string().min(2).max(40) });
const Subject = z.string().min(1).max(intakeLimits.idChars);

export const PutRuleIn = z.strictObject({ ...Project.shape, name: RuleName, rule: RuleBody });
export const RuleIn = z.strictObject({ ...Project.shape, name: RuleName });
export const SetRuleEnabledIn = z.strictObject({
  ...Project.shape,
  name: RuleName,
  enabled: z.boolean(),
});

/** The turns of a backfill, by receiving time: `from` inclusive, `to` exclusive. */
export const BackfillRange = z.strictObject({ from: z.date().optional(), to: z.date().optional() });
export type BackfillRange = z.infer<typeof BackfillRange>;
export const BackfillIn = BackfillRange.extend({ ...Project.shape, name: RuleName });

/** A subject or a rule; one of them is required. */
export const DecisionFilters = z.strictObject({
  subject: Subject.optional(),
  rule: RuleName.optional(),
  state: DecisionState.optional(),
  cursor: z.string().max(500).optional(),
  limit: z.number().int().min(1).max(200).optional(),
});
export type DecisionFilters = z.infer<typeof DecisionFilters>;
export const ListDecisionsIn = DecisionFilters.extend(Project.shape);

/** A filter in words for people; null if it matches every turn. */
export function describeFilter(filter: RuleFilter): string | null {
  const parts: string[] = describeClauses(filter);
  const grouped = ({ any, not, ...clauses }: Omit<RuleFilter, 'verdict'>): string =>
    [
      ...describeClauses(clauses),
      ...(any === undefined ? [] : [`(${any.map(grouped).join(' or ')})`]),
      ...(not === undefined ? [] : [`not (${grouped(not)})`]),
    ].join(', ') || 'anything';
  if (filter.any !== undefined) parts.push(`(${filter.any.map(grouped).join(' or ')})`);
  if (filter.not !== undefined) parts.push(`not (${grouped(filter.not)})`);
  if (filter.verdict !== undefined)
    parts.push(`after ${filter.verdict.verifier}: ${quoteAll(filter.verdict.outcome)}`);
  return parts.length === 0 ? null : parts.join(', ');
}

function describeClauses(filter: Clauses): string[] {
  const parts: string[] = [];
  for (const name of ['model', 'source', 'origin', 'session_id', 'trace_id', 'user_id'] as const) {
    const patterns = filter[name];
    if (patterns !== undefined) parts.push(`${name}: ${quoteAll(patterns)}`);
  }
  if (filter.tags !== undefined)
    parts.push(
      `tags: ${asList(filter.tags)
        .map((tag) => JSON.stringify(tag))
        .join(' and ')}`,
    );
  for (const [key, values] of Object.entries(filter.metadata ?? {}))
    parts.push(`metadata ${JSON.stringify(key)}: ${quoteAll(values)}`);
  if (filter.has_sources !== undefined)
    parts.push(filter.has_sources ? 'with sources' : 'without sources');
  if (filter.min_answer_chars !== undefined)
    parts.push(`answers of at least ${filter.min_answer_chars} characters`);
  return parts;
}

/** `"a" or "b"`. */
export function quoteAll(values: OneOrMore<string | number | boolean>): string {
  return asList(values)
    .map((value) => JSON.stringify(value))
    .join(' or ');
}

type OneOrMore<Value> = Value | readonly Value[];

/** A clause's values; a single value counts as a list of one. */
export function asList<Value extends string | number | boolean>(
  values: OneOrMore<Value>,
): readonly Value[] {
  return typeof values === 'object' ? values : [values];
}
