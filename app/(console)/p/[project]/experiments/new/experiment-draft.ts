import { StartExperimentBody } from '@/server/experiments/input';

export type TargetType = StartExperimentBody['target']['type'];

/** The form's fields as typed. */
export interface ExperimentDraft {
  readonly name: string;
  readonly dataset: string;
  /** Empty means the latest one. */
  readonly version: string;
  /** Empty means all items except those in `held_out`. */
  readonly split: string;
  readonly target: TargetType;
  readonly model: string;
  /** The slug of a stored prompt; empty: the messages below. */
  readonly prompt: string;
  /** The version of the prompt; empty for the version in production. */
  readonly promptVersion: string;
  readonly system: string;
  readonly user: string;
  readonly url: string;
  readonly body: string;
  readonly output: string;
  readonly verifiers: readonly string[];
  readonly repetitions: string;
  readonly concurrency: string;
  readonly budget: string;
  readonly branch: string;
}

export type DraftErrors = Readonly<Partial<Record<keyof ExperimentDraft, string>>>;

export const emptyDraft = (dataset: string): ExperimentDraft => ({
  name: '',
  dataset,
  version: '',
  split: '',
  target: 'prompt',
  model: '',
  prompt: '',
  promptVersion: '',
  system: '',
  user: '{{input}}',
  url: '',
  body: '{\n  "question": "{{input}}"\n}',
  output: '$',
  verifiers: [],
  repetitions: '1',
  concurrency: '8',
  budget: '',
  branch: '',
});

type Input = ReturnType<typeof StartExperimentBody.parse>;

/** The request, or the error of each field. */
export function readDraft(
  draft: ExperimentDraft,
): { readonly input: Input } | { readonly errors: DraftErrors } {
  const errors: Partial<Record<keyof ExperimentDraft, string>> = {};
  const body = readBody(draft);
  if (draft.dataset === '') errors.dataset = 'Choose a dataset.';
  if (draft.verifiers.length === 0) errors.verifiers = 'Choose at least one.';
  if (draft.target === 'prompt' && draft.model.trim() === '') errors.model = 'Choose a model.';
  if (draft.target === 'http' && body === undefined) errors.body = 'This is not JSON.';
  const { version } = draft;
  if (version !== '' && !/^[1-9]\d{0,8}$/.test(version))
    errors.version = 'Enter a version number, or nothing for the latest one.';
  if (Object.keys(errors).length > 0) return { errors };
  const parsed = StartExperimentBody.safeParse({
    name: draft.name,
    dataset: version === '' ? draft.dataset : `${draft.dataset}@${version}`,
    split: draft.split === '' ? null : draft.split,
    repetitions: numberOf(draft.repetitions),
    target: targetOf(draft, body),
    verifiers: draft.verifiers,
    concurrency: numberOf(draft.concurrency),
    budget_usd: draft.budget.trim() === '' ? null : numberOf(draft.budget),
    branch: draft.branch.trim() === '' ? null : draft.branch.trim(),
  });
  if (parsed.success) return { input: parsed.data };
  return {
    errors: errorsAt(parsed.error.issues.map(({ path, message }) => [path.join('.'), message])),
  };
}

function targetOf(draft: ExperimentDraft, body: unknown): unknown {
  switch (draft.target) {
    case 'outputs':
      return { type: 'outputs' };
    case 'http':
      return { type: 'http', url: draft.url.trim(), body, output: draft.output.trim() };
    case 'prompt': {
      const system = draft.system.trim();
      const version = draft.promptVersion.trim();
      const model = draft.model.trim();
      if (draft.prompt !== '')
        return {
          type: 'prompt',
          model,
          prompt: version === '' ? draft.prompt : `${draft.prompt}@${version}`,
        };
      return {
        type: 'prompt',
        model,
        messages: [
          ...(system === '' ? [] : [{ role: 'system', content: system }]),
          { role: 'user', content: draft.user },
        ],
      };
    }
  }
}

/** Undefined if it is not JSON. */
function readBody({ body }: ExperimentDraft): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

const fields: readonly (readonly [string, keyof ExperimentDraft])[] = [
  ['name', 'name'],
  ['dataset', 'dataset'],
  ['split', 'split'],
  ['repetitions', 'repetitions'],
  ['concurrency', 'concurrency'],
  ['budget_usd', 'budget'],
  ['branch', 'branch'],
  ['verifiers', 'verifiers'],
  ['target.model', 'model'],
  ['target.messages', 'user'],
  ['target.prompt', 'promptVersion'],
  ['target.url', 'url'],
  ['target.body', 'body'],
  ['target.output', 'output'],
];

/** Errors by the field that shows them; those of other members are missing. */
export function errorsAt(
  issues: readonly (readonly [path: string, message: string])[],
): DraftErrors {
  const errors: Partial<Record<keyof ExperimentDraft, string>> = {};
  for (const [path, message] of issues) {
    const field = fields.find(([name]) => path === name || path.startsWith(`${name}.`));
    if (field !== undefined) errors[field[1]] ??= message;
  }
  return errors;
}
