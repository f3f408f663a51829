import type { SourceDraft } from '@/app/(console)/source-fields';
import { blocksOf, linesOf, sourceBlocksRule } from '@/app/(console)/source-lines';
import { RuleBody, type RuleFilter, RuleName } from '@/server/rules/input';

/** A rule as edited in the form: all text, as people type it. */
export interface RuleDraft extends SourceDraft {
  readonly name: string;
  readonly verifier: string;
  readonly model: string;
  readonly source: string;
  readonly origin: string;
  readonly session: string;
  readonly tags: string;
  /** JSON. */
  readonly metadata: string;
  readonly sources: 'any' | 'with' | 'without';
  readonly minChars: string;
  /** Percent. */
  readonly share: string;
  readonly delay: string;
  readonly budget: string;
  readonly enabled: boolean;
}

export type DraftErrors = Readonly<Partial<Record<keyof RuleDraft, string>>>;

export interface DraftedRule {
  readonly name: string;
  readonly verifier: string;
  readonly filter: RuleFilter | null;
  readonly sampling: number;
  readonly delaySeconds: number;
  readonly dailyBudget: number | null;
  readonly sources: RuleBody['sources'] | null;
  readonly enabled: boolean;
}

export const newDraft: RuleDraft = {
  name: '',
  verifier: 'integrity',
  model: '',
  source: '',
  origin: '',
  session: '',
  tags: '',
  metadata: '',
  sources: 'any',
  minChars: '',
  share: '100',
  delay: '0',
  budget: '',
  sourceBlocks: '',
  documents: false,
  earlierMessages: false,
  enabled: true,
};

export function draftOf(rule: DraftedRule): RuleDraft {
  const filter = rule.filter ?? {};
  return {
    name: rule.name,
    verifier: rule.verifier,
    model: listText(filter.model),
    source: listText(filter.source),
    origin: listText(filter.origin),
    session: listText(filter.session_id),
    tags: listText(filter.tags),
    metadata: filter.metadata === undefined ? '' : JSON.stringify(filter.metadata),
    sources: filter.has_sources === undefined ? 'any' : filter.has_sources ? 'with' : 'without',
    minChars: filter.min_answer_chars === undefined ? '' : String(filter.min_answer_chars),
    share: String(Number((rule.sampling * 100).toPrecision(12))),
    delay: String(rule.delaySeconds),
    budget: rule.dailyBudget === null ? '' : String(rule.dailyBudget),
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
  const metadata = readMetadata(draft.metadata);
  const share = readNumber(draft.share);
  const body = {
    verifier: draft.verifier,
    filter: {
      ...clause('model', listOf(draft.model)),
      ...clause('source', listOf(draft.source)),
      ...clause('origin', listOf(draft.origin)),
      ...clause('session_id', listOf(draft.session)),
      ...clause('tags', listOf(draft.tags)),
      ...(metadata !== undefined && { metadata }),
      ...(draft.sources !== 'any' && { has_sources: draft.sources === 'with' }),
      ...(draft.minChars.trim() !== '' && { min_answer_chars: readNumber(draft.minChars) }),
    },
    sampling: share === null ? null : share / 100,
    delay_seconds: draft.delay.trim() === '' ? 0 : readNumber(draft.delay),
    daily_budget: draft.budget.trim() === '' ? null : (readNumber(draft.budget) ?? Number.NaN),
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
    if (field !== null) errors[field] ??= fieldRules[field] ?? `${issue.message}.`;
  }
  return { errors };
}

const nameRule = 'Lower-case letters and digits, with dots, hyphens and underscores between them.';

const fieldRules: DraftErrors = {
  metadata: 'JSON: {"team": "ops", "tier": [1, 2]}.',
  share: 'A number from 0 to 100.',
  delay: 'Whole seconds, at most seven days.',
  budget: 'A whole number of turns, or nothing.',
  minChars: 'A whole number.',
  sourceBlocks: sourceBlocksRule,
};

const draftFields: ReadonlyMap<string, keyof RuleDraft> = new Map([
  ['verifier', 'verifier'],
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

/** Errors of the server, at the fields that they name; those without a field here are left out. */
export function fieldErrorsOf(fields: Readonly<Record<string, string>>): DraftErrors {
  const errors: Partial<Record<keyof RuleDraft, string>> = {};
  for (const [path, message] of Object.entries(fields)) {
    const field =
      path === 'filter.has_sources' ? 'sources' : fieldOf(path.replace(/^rule\./, '').split('.'));
    if (field !== null) errors[field] ??= `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
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

/** Null when it is not a number, which every rule refuses. */
function readNumber(text: string): number | null {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

function readMetadata(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
