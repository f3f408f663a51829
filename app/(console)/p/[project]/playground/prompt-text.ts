import { itemPlaceholders, listPlaceholders, promptMessages } from '@/server/domain';
import { type Draft, sentMessages } from './draft';

const FRONT_MATTER = /^---\n[\s\S]*?\n---\n/;

/**
 * The Markdown of a prompt of an application with the draft's messages, as docs/how-to/run-experiments.md
 * describes it.
 * @param about a title and a description of a new prompt, or the text of a version whose front
 * matter is kept
 */
export function promptText(
  draft: Draft,
  about: { readonly title: string; readonly description: string } | { readonly text: string },
): string {
  const messages = sentMessages(draft);
  const sections = messages
    .map(({ role, content }) => `## ${role}\n${content.trim()}\n`)
    .join('\n');
  if ('text' in about) return `${FRONT_MATTER.exec(about.text)?.[0] ?? ''}${sections}`;
  const known: readonly string[] = itemPlaceholders;
  const names = listPlaceholders(sections).filter((name) => !known.includes(name));
  const matter = [
    '---',
    `title: ${JSON.stringify(about.title)}`,
    `description: ${JSON.stringify(about.description)}`,
    ...(names.length === 0 ? [] : [`optional: [${names.join(', ')}]`]),
    'output: message',
    '---',
    '',
  ].join('\n');
  return `${matter}${sections}`;
}

/** The messages of a prompt's Markdown, for a draft. */
export function draftMessages(text: string): Draft['messages'] {
  return promptMessages(text.replace(FRONT_MATTER, '').trim()).map(({ role, content }, key) => ({
    key,
    role,
    content,
  }));
}
