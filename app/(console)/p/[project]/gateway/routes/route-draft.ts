import { RouteName, RouteSettings, type RouteVerifier } from '@/server/gateway/input';
import { blocksOf, linesOf, sourceBlocksRule } from '@/app/(console)/source-lines';

/** A route's settings as edited in the form: numbers are text, as people type them. */
export interface RouteDraft extends Readonly<Record<NumberField, string>> {
  readonly name: string;
  readonly upstream: string;
  /** Empty if inferred from the provider's kind. */
  readonly api: '' | 'openai' | 'anthropic';
  /** One per line. */
  readonly allowPaths: string;
  /** `provider:model`; empty: the verifier is off. */
  readonly model: string;
  readonly deferred: boolean;
  /** The slug of a verifier of the project; empty: none. */
  readonly verifier: string;
  readonly verifyMode: RouteVerifier['mode'];
  readonly integrity: RouteSettings['integrity']['mode'];
  readonly userFigures: boolean;
  /** One block per line, in the format of `source-lines.ts`. */
  readonly sourceBlocks: string;
  readonly documents: boolean;
  readonly earlierMessages: boolean;
  readonly sourcesFooter: boolean;
  readonly failClosed: boolean;
}

export type NumberField =
  | 'frequency'
  | 'minTurn'
  | 'followupWeight'
  | 'maxHistory'
  | 'controlShare'
  | 'firstTokenTimeout'
  | 'maxFailures'
  | 'cooldown'
  | 'verifyEvery'
  | 'deadline'
  | 'firstToken'
  | 'total';

export type DraftErrors = Readonly<Partial<Record<keyof RouteDraft, string>>>;

/** The path of each field in the settings; locates errors and origins of values. */
export const pathOf: Record<Exclude<keyof RouteDraft, 'name'>, string> = {
  upstream: 'upstream',
  api: 'api',
  allowPaths: 'allow_paths',
  model: 'quality_verifier.model',
  frequency: 'quality_verifier.frequency',
  minTurn: 'quality_verifier.min_eligible_turn',
  followupWeight: 'quality_verifier.tool_followup_weight',
  maxHistory: 'quality_verifier.max_history',
  controlShare: 'quality_verifier.control_share',
  deferred: 'quality_verifier.deferred',
  firstTokenTimeout: 'quality_verifier.ttft_timeout_seconds',
  maxFailures: 'quality_verifier.max_consecutive_failures',
  cooldown: 'quality_verifier.cooldown_seconds',
  verifier: 'verify.verifier',
  verifyMode: 'verify.mode',
  verifyEvery: 'verify.frequency',
  integrity: 'integrity.mode',
  userFigures: 'integrity.allow_user_figures',
  deadline: 'integrity.deadline_ms',
  sourceBlocks: 'integrity.sources.blocks',
  documents: 'integrity.sources.documents',
  earlierMessages: 'integrity.sources.earlier_messages',
  sourcesFooter: 'integrity.sources_footer',
  failClosed: 'fail_closed',
  firstToken: 'first_token_seconds',
  total: 'total_seconds',
};

export function draftOf(name: string, settings: RouteSettings): RouteDraft {
  const { quality_verifier: verifier, integrity, verify } = settings;
  return {
    name,
    upstream: settings.upstream ?? '',
    api: settings.api ?? '',
    allowPaths: settings.allow_paths.join('\n'),
    model: verifier.model ?? '',
    frequency: String(verifier.frequency),
    minTurn: String(verifier.min_eligible_turn),
    followupWeight: String(verifier.tool_followup_weight),
    maxHistory: verifier.max_history === null ? '' : String(verifier.max_history),
    // Percent, without floating-point noise.
    controlShare: String(Number((verifier.control_share * 100).toFixed(4))),
    deferred: verifier.deferred,
    firstTokenTimeout: String(verifier.ttft_timeout_seconds),
    maxFailures: String(verifier.max_consecutive_failures),
    cooldown: String(verifier.cooldown_seconds),
    verifier: verify?.verifier ?? '',
    verifyMode: verify?.mode ?? 'observe',
    verifyEvery: String(verify?.frequency ?? 1),
    integrity: integrity.mode,
    userFigures: integrity.allow_user_figures,
    deadline: String(integrity.deadline_ms),
    sourceBlocks: linesOf(integrity.sources.blocks),
    documents: integrity.sources.documents,
    earlierMessages: integrity.sources.earlier_messages,
    sourcesFooter: integrity.sources_footer,
    failClosed: settings.fail_closed,
    firstToken: String(settings.first_token_seconds),
    total: String(settings.total_seconds),
  };
}

/** The settings of a draft, or its errors by field. */
export function readDraft(
  draft: RouteDraft,
): { readonly name: string; readonly settings: RouteSettings } | { readonly errors: DraftErrors } {
  const name = RouteName.safeParse(draft.name.trim());
  const share = numberOf(draft.controlShare);
  const read = RouteSettings.safeParse({
    upstream: textOf(draft.upstream),
    api: draft.api === '' ? null : draft.api,
    allow_paths: draft.allowPaths.split(/\s+/).filter((path) => path !== ''),
    quality_verifier: {
      model: textOf(draft.model),
      frequency: numberOf(draft.frequency),
      min_eligible_turn: numberOf(draft.minTurn),
      tool_followup_weight: numberOf(draft.followupWeight),
      max_history: draft.maxHistory.trim() === '' ? null : numberOf(draft.maxHistory),
      control_share: Number((share / 100).toFixed(6)),
      deferred: draft.deferred,
      ttft_timeout_seconds: numberOf(draft.firstTokenTimeout),
      max_consecutive_failures: numberOf(draft.maxFailures),
      cooldown_seconds: numberOf(draft.cooldown),
    },
    verify:
      draft.verifier === ''
        ? null
        : {
            verifier: draft.verifier,
            mode: draft.verifyMode,
            frequency: numberOf(draft.verifyEvery),
          },
    integrity: {
      mode: draft.integrity,
      allow_user_figures: draft.userFigures,
      deadline_ms: numberOf(draft.deadline),
      sources_footer: draft.sourcesFooter,
      sources: {
        blocks: blocksOf(draft.sourceBlocks),
        documents: draft.documents,
        earlier_messages: draft.earlierMessages,
      },
    },
    fail_closed: draft.failClosed,
    first_token_seconds: numberOf(draft.firstToken),
    total_seconds: numberOf(draft.total),
  });
  if (name.success && read.success) return { name: name.data, settings: read.data };
  const errors: Partial<Record<keyof RouteDraft, string>> = {};
  if (!name.success)
    errors.name =
      'Lower-case letters, digits, hyphens and underscores, at most 63; a letter or a digit first.';
  for (const issue of read.error?.issues ?? []) {
    const field = fieldAt(issue.path.join('.'));
    if (field !== null) errors[field] ??= ruleOf[field] ?? 'Not valid.';
  }
  return { errors };
}

/** The field at a path of the settings, with or without the prefix `settings.`. */
export function fieldAt(path: string): keyof RouteDraft | null {
  // An entry of a list belongs to the list's field.
  const plain = path.replace(/^settings\./, '').replace(/(?:\.\d+|\[\d+\])(?:\..*)?$/, '');
  const found = Object.entries(pathOf).find(([, each]) => each === plain)?.[0];
  return (found as keyof RouteDraft | undefined) ?? null;
}

const ruleOf: DraftErrors = {
  upstream: 'An address or a provider’s name, at most 2,000 characters.',
  allowPaths:
    'Paths such as /files/*, one per line: at most 50, each of at most 200 characters, without a query or escapes.',
  model: 'provider:model, at most 300 characters.',
  frequency: 'A whole number from 1 to 1,000,000.',
  minTurn: 'A whole number from 1 to 1,000,000.',
  followupWeight: 'A number from 0 to 1.',
  maxHistory: 'A whole number from 1 to 100,000, or nothing.',
  controlShare: 'A number from 0 to 100.',
  firstTokenTimeout: 'Seconds, more than 0 and at most 600.',
  maxFailures: 'A whole number from 1 to 1,000.',
  cooldown: 'Seconds, from 0 to 86,400.',
  verifyEvery: 'A whole number from 1 to 1,000,000.',
  deadline: 'Whole milliseconds, from 1 to 60,000.',
  sourceBlocks: sourceBlocksRule,
  firstToken: 'Seconds, more than 0 and at most 3,600.',
  total: 'Seconds, more than 0 and at most 3,600.',
};

const textOf = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** NaN when the text is not a number; every setting rejects NaN. */
const numberOf = (text: string): number =>
  text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'));

/** Origin of a value. The release's own value is `default`, even if it was entered explicitly. */
export type ValueSource = 'default' | 'environment' | 'project';

/**
 * A route with its own settings overrides all of them; other routes use the environment's values
 * where set.
 */
export function sourceOf(
  field: Exclude<keyof RouteDraft, 'name'>,
  settings: RouteSettings,
  hasOwn: boolean,
): ValueSource {
  const path = pathOf[field].split('.');
  const at = (from: unknown): unknown =>
    path.reduce<unknown>((value, part) => (value as Record<string, unknown> | null)?.[part], from);
  if (String(at(settings)) === String(at(RouteSettings.parse({})))) return 'default';
  return hasOwn ? 'project' : 'environment';
}
