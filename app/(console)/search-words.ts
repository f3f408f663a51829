import type { SearchResults, Hit } from '../_trpc/outputs';

/** The heading of each kind of hit. */
export const hitGroups: Record<Hit['kind'], string> = {
  verdict: 'Verdicts',
  turn: 'Turns',
  subject: 'Submitted work',
  trace: 'Traces',
  session: 'Sessions',
  pipeline: 'Pipelines',
  call: 'Calls through the gateway',
  model: 'Models',
  verifier: 'Verifiers',
  prompt: 'Prompts',
  rule: 'Rules',
  person: 'People',
};

/** The page of a hit. */
export function hitHref(
  project: string,
  { kind, id, opens }: Pick<Hit, 'kind' | 'id' | 'opens'>,
): string {
  const base = `/p/${project}`;
  const at = (path: string, name: string) => `${base}/${path}/${encodeURIComponent(name)}`;
  switch (kind) {
    case 'verdict':
      return at('verdicts', id);
    case 'turn':
      return at('turns', id);
    case 'subject':
      // Without a verdict it is pending.
      return opens === null ? `${base}/settings/work` : at('verdicts', opens);
    case 'trace':
      return at('traces', id);
    case 'session':
      return at('sessions', id);
    case 'pipeline':
      return at('checkpoints', id);
    case 'call':
      return at('gateway/sessions', opens ?? '');
    case 'model':
      return `${base}/verdicts?model=${encodeURIComponent(id)}`;
    case 'verifier':
      return at('verifiers', id);
    case 'prompt':
      return at('prompts', id);
    case 'rule':
      return at('rules', id);
    case 'person':
      return `${base}/settings/members`;
  }
}

/** Describes the searched data, so that an empty result is not mistaken for absence. */
export function searchedText({
  searched,
  unfinished,
}: Pick<SearchResults, 'searched' | 'unfinished'>): string {
  const searchedText = `Searched ids, names, models of ${searched.modelDays} days, and the text of the newest ${searched.newestVerdicts.toLocaleString('en')} verdicts.`;
  if (unfinished.length === 0) return searchedText;
  const parts = unfinished.map(
    (part) => ({ ids: 'ids', names: 'names and models', text: 'the text of verdicts' })[part],
  );
  return `${searchedText} Timed out: ${parts.join(', ')}. Enter more characters to search there.`;
}
