import type { SourceDraft } from '@/app/(console)/source-fields';
import type { Verifier } from '@/app/_trpc/outputs';
import { issueSentence } from '@/app/field-errors';
import { blocksOf, linesOf, sourceBlocksRule } from '@/app/(console)/source-lines';
import type { Mapping, SubjectTarget } from '@/server/domain';
import { kindViews } from '@/server/verifiers/view';
import { RuleBody, type RuleFilter, RuleName } from '@/server/rules/input';

/** A rule as edited in the form: all text, as people type it. */
export interface RuleDraft extends SourceDraft {
  readonly name: string;
  readonly verifier: string;
  readonly target: SubjectTarget;
  readonly model: string;
  readonly source: string;
  readonly origin: string;
  readonly session: string;
  readonly tags: string;
  /** JSON. */
  readonly metadata: string;
  readonly sources: 'any' | 'with' | 'without';
  readonly minChars: string;
  /** The verifier whose verdict it waits for; empty: none. */
  readonly afterVerifier: string;
  readonly afterOutcome: string;
  /** JSON: clauses `any` and `not`. */
  readonly groups: string;
  /** JSON. */
  readonly mapping: string;
  /** Percent. */
  readonly share: string;
  readonly sampleBy: 'subject' | 'session';
  readonly every: string;
  readonly delay: string;
  readonly budget: string;
  readonly budgetUsd: string;
  readonly enabled: boolean;
}

export type DraftErrors = Readonly<Partial<Record<keyof RuleDraft, string>>>;

/** A verifier that a rule may name. */
export type RuleVerifier = Pick<Verifier, 'slug' | 'targets' | 'archived'>;

export interface DraftedRule {
  readonly name: string;
  readonly verifier: string;
  readonly target: SubjectTarget;
  readonly filter: RuleFilter | null;
  readonly mapping: Mapping | null;
  readonly sampling: number;
  readonly sampleBy: 'subject' | 'session';
  readonly every: number | null;
  readonly delaySeconds: number;
  readonly dailyBudget: number | null;
  readonly dailyBudgetUsd: number | null;
  readonly sources: RuleBody['sources'] | null;
  readonly enabled: boolean;
}

export const newDraft: RuleDraft = {
  name: '',
  verifier: 'integrity',
  target: 'turn',
  model: '',
  source: '',
  origin: '',
  session: '',
  tags: '',
  metadata: '',
  sources: 'any',
  minChars: '',
  afterVerifier: '',
  afterOutcome: 'failed',
  groups: '',
  mapping: '',
  share: '100',
  sampleBy: 'subject',
  every: '',
  delay: '0',
  budget: '',
  budgetUsd: '',
  sourceBlocks: '',
  documents: false,
  earlierMessages: false,
  enabled: true,
};

export function draftOf(rule: DraftedRule): RuleDraft {
  const filter = rule.filter ?? {};
  const { any, not, verdict } = filter;
  const groups = { ...(any && { any }), ...(not && { not }) };
  return {
    name: rule.name,
    verifier: rule.verifier,
    target: rule.target,
    model: listText(filter.model),
    source: listText(filter.source),
    origin: listText(filter.origin),
    session: listText(filter.session_id),
    tags: listText(filter.tags),
    metadata: filter.metadata === undefined ? '' : JSON.stringify(filter.metadata),
    sources: filter.has_sources === undefined ? 'any' : filter.has_sources ? 'with' : 'without',
    minChars: filter.min_answer_chars === undefined ? '' : String(filter.min_answer_chars),
    afterVerifier: verdict?.verifier ?? '',
    afterOutcome: verdict === undefined ? 'failed' : listText(verdict.outcome),
    groups: jsonText(groups),
    mapping: jsonText(rule.mapping ?? {}),
    share: String(Number((rule.sampling * 100).toPrecision(12))),
    sampleBy: rule.sampleBy,
    every: numberText(rule.every),
    delay: String(rule.delaySeconds),
    budget: numberText(rule.dailyBudget),
    budgetUsd: numberText(rule.dailyBudgetUsd),
    sourceBlocks: linesOf(rule.sources?.blocks ?? []),
    documents: rule.sources?.documents ?? false,
    earlierMessages: rule.sources?.earlier_messages ?? false,
    enabled: rule.enabled,
  };
}

/** The rule of a draft, or its errors by field. */
export function readDraft(
  draft: RuleDraft,
): { readonly name: string; readonly rule: RuleBody } | { readonly errors: DraftErrors } {
  const name = RuleName.safeParse(draft.name.trim());
  const metadata = readJson(draft.metadata);
  const groups = readJson(draft.groups);
  const mapping = readJson(draft.mapping);
  const share = readNumber(draft.share);
  const body = {
    verifier: draft.verifier,
    target: draft.target,
    filter: {
      ...clause('model', listOf(draft.model)),
      ...clause('source', listOf(draft.source)),
      ...clause('origin', listOf(draft.origin)),
      ...clause('session_id', listOf(draft.session)),
      ...clause('tags', listOf(draft.tags)),
      ...(metadata !== undefined && { metadata }),
      ...(draft.sources !== 'any' && { has_sources: draft.sources === 'with' }),
      ...(draft.minChars.trim() !== '' && { min_answer_chars: readNumber(draft.minChars) }),
      ...(isRecord(groups) ? groups : groups !== undefined && { any: groups }),
      ...(draft.afterVerifier !== '' && {
        verdict: { verifier: draft.afterVerifier, outcome: listOf(draft.afterOutcome) },
      }),
    },
    // The form shows no mapping for a verifier that reads turns as is.
    mapping: kindViews.get(draft.verifier)?.readsTurns === true ? null : (mapping ?? null),
    sampling: share === null ? null : share / 100,
    sample_by: draft.sampleBy,
    every: optionalNumber(draft.every),
    delay_seconds: draft.delay.trim() === '' ? 0 : readNumber(draft.delay),
    daily_budget: optionalNumber(draft.budget),
    daily_budget_usd: optionalNumber(draft.budgetUsd),
    sources: {
      blocks: blocksOf(draft.sourceBlocks),
      documents: draft.documents,
      earlier_messages: draft.earlierMessages,
    },
    enabled: draft.enabled,
  };
  const rule = RuleBody.safeParse(body);
  if (name.success && rule.success) return { name: name.data, rule: rule.data };
  const errors: Partial<Record<keyof RuleDraft, string>> = {};
  if (!name.success) errors.name = draft.name.trim() === '' ? 'Fill this in.' : nameRule;
  for (const issue of rule.error?.issues ?? []) {
    const field = fieldOf(issue.path);
    if (field !== null) errors[field] ??= fieldRules[field] ?? issueSentence(issue.message);
  }
  return { errors };
}

const nameRule = 'Lower-case letters and digits, with dots, hyphens and underscores between them.';

const fieldRules: DraftErrors = {
  metadata: 'JSON: {"team": "ops", "tier": [1, 2]}.',
  share: 'A number from 0 to 100.',
  delay: 'Whole seconds, at most seven days.',
  budget: 'A whole number, or nothing.',
  budgetUsd: 'An amount in US dollars, or nothing.',
  every: 'A whole number from 1 up, or nothing.',
  groups: 'JSON: {"any": [{"model": "a"}, {"tags": "b"}], "not": {"source": "c"}}.',
  mapping: 'JSON: {"variable": "$.output"}.',
  minChars: 'A whole number.',
  sourceBlocks: sourceBlocksRule,
};

const draftFields: ReadonlyMap<string, keyof RuleDraft> = new Map([
  ['verifier', 'verifier'],
  ['target', 'target'],
  ['any', 'groups'],
  ['not', 'groups'],
  ['verdict', 'afterVerifier'],
  ['mapping', 'mapping'],
  ['every', 'every'],
  ['sample_by', 'sampleBy'],
  ['daily_budget_usd', 'budgetUsd'],
  ['sampling', 'share'],
  ['delay_seconds', 'delay'],
  ['daily_budget', 'budget'],
  ['model', 'model'],
  ['source', 'source'],
  ['origin', 'origin'],
  ['session_id', 'session'],
  ['tags', 'tags'],
  ['metadata', 'metadata'],
  ['min_answer_chars', 'minChars'],
  ['sources', 'sourceBlocks'],
]);

/** Errors of the server, at the fields that they name; those without a field here are omitted. */
export function fieldErrorsOf(fields: Readonly<Record<string, string>>): DraftErrors {
  const errors: Partial<Record<keyof RuleDraft, string>> = {};
  for (const [path, message] of Object.entries(fields)) {
    const field =
      path === 'filter.has_sources'
        ? 'sources'
        : fieldOf(path.replace(/^rule\./, '').split(/[.[]/));
    if (field !== null) errors[field] ??= message;
  }
  return errors;
}

function fieldOf(path: readonly PropertyKey[]): keyof RuleDraft | null {
  return draftFields.get(String(path[0] === 'filter' ? path[1] : path[0])) ?? null;
}

function listText(values: string | readonly string[] | undefined): string {
  return values === undefined ? '' : typeof values === 'string' ? values : values.join(', ');
}

/** Values are separated by commas; a list of only commas is empty. */
function listOf(text: string): string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

function clause(name: string, values: readonly string[]): Record<string, unknown> {
  if (values.length === 0) return {};
  return { [name]: values.length === 1 && name !== 'tags' ? values[0] : values };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const jsonText = (value: object): string =>
  Object.keys(value).length === 0 ? '' : JSON.stringify(value);

const numberText = (value: number | null): string => (value === null ? '' : String(value));

/** Null for no text; the rule's schema rejects text that is not a number. */
const optionalNumber = (text: string): number | null =>
  text.trim() === '' ? null : (readNumber(text) ?? Number.NaN);

/** Null when the text is not a number; no rule accepts null. */
function readNumber(text: string): number | null {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

/**
 * Undefined for no text; text that is not JSON is returned as is, and the rule's schema rejects it.
 */
function readJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The chosen target, or the verifier's first one if it does not support the chosen one. */
export function targetFor(
  { targets }: Pick<RuleVerifier, 'targets'>,
  target: SubjectTarget,
): SubjectTarget {
  return targets.includes(target) ? target : (targets[0] ?? 'turn');
}

/**
 * The verifiers that the form offers: all except archived ones. One that the rule names already is
 * always offered, so that the form shows the rule's value.
 */
export const offeredVerifiers = (
  verifiers: readonly RuleVerifier[],
  named: string,
): readonly RuleVerifier[] => verifiers.filter(({ slug, archived }) => !archived || slug === named);
