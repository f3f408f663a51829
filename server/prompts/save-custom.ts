import { stringify } from 'yaml';
import type { ProjectCtx } from '../access';
import type { Database } from '../platform';
import { readCustomPrompt } from './base';
import type { PromptDefaults } from './defaults';
import {
  labelFirstIn,
  latestFrontIn,
  lockPrompt,
  refusedFor,
  refusedSlug,
  type SavedPrompt,
  storeVersionIn,
} from './save';

export interface CustomPrompt {
  /** The slug of the verifier. */
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** The variables of the verifier's mapping; members of the subject need none. */
  readonly variables: readonly string[];
  /** Markdown without front matter. */
  readonly text: string;
  readonly message: string;
}

const limits = { titleChars: 100, descriptionChars: 500 } as const;

/**
 * Stores the prompt of a custom judge as its next version, within the transaction that
 * stores the definition. The first version is in production at once, since nothing ran before it;
 * the caller promotes a later one. The same text with the same variables again stores nothing.
 * @throws AssayError refused (the slug of a prompt of the release or of an application; a fault of
 * the text with its line, counted without the front matter)
 */
export async function saveCustomPromptIn(
  ctx: ProjectCtx,
  tx: Database,
  defaults: PromptDefaults,
  prompt: CustomPrompt,
): Promise<SavedPrompt> {
  const { slug, message } = prompt;
  if (defaults.has(slug))
    throw refusedSlug(`"${slug}" is the slug of a prompt of this release: choose another one`);
  const front = frontOf(prompt);
  const body = `${front}${prompt.text.trim()}\n`;
  const read = readCustomPrompt(body, ['judge']);
  if (read.state !== 'valid') {
    const lines = front.split('\n').length - 1;
    throw refusedFor(
      'judge.prompt',
      read.issues.map(({ line, message: fault }) => ({
        line: line === null || line <= lines ? null : line - lines,
        message: fault,
      })),
    );
  }
  await lockPrompt(ctx, tx, slug);
  if ((await latestFrontIn(ctx, tx, slug))?.output === 'message')
    throw refusedSlug(`"${slug}" is the slug of a prompt of an application: choose another one`);
  const saved = await storeVersionIn(ctx, tx, { slug, body, message }, null);
  if (saved.isNew && saved.version === 1) await labelFirstIn(ctx, tx, slug, 'prompts.promote');
  return saved;
}

/** The front matter of a prompt of the project; text of people is quoted as YAML needs it. */
function frontOf({ title, description, variables }: CustomPrompt): string {
  const name = title.trim().slice(0, limits.titleChars).trim();
  const about = description.trim().slice(0, limits.descriptionChars).trim();
  const front = {
    title: name.toWellFormed(),
    description: (about === '' ? name : about).toWellFormed(),
    // Other names cannot be placeholders.
    optional: variables.filter((each) => /^[a-z][a-z0-9_]{0,39}$/.test(each)),
    output: 'judge',
  };
  return `---\n${stringify(front, { version: '1.2', schema: 'core', lineWidth: 0 })}---\n`;
}
