import type { SourceBlock, SourceSettings } from '../../domain';
import { findSpans, type SourceMatch } from './source-pattern';

/** A message of a conversation, oldest first. */
export interface MessageText {
  readonly role: string;
  readonly content: string;
}

/** A part of a message that counts as a source. */
export interface NamedBlock {
  /** Names the message and the part: `user[2].context[0]`. */
  readonly id: string;
  readonly text: string;
}

/** Limit of blocks in one conversation; further ones are not sources. */
const BLOCKS_MAX = 500;

/**
 * The parts of a conversation's messages that the settings name: those of the system, and of the
 * user since the assistant's last message (INT-2), or of all its messages if earlier ones count.
 * Linear in the texts; never throws.
 */
export function namedBlocks(
  messages: readonly MessageText[],
  { blocks, earlier_messages: earlier }: SourceSettings,
): NamedBlock[] {
  const found: NamedBlock[] = [];
  if (blocks.length === 0) return found;
  const from = earlier ? 0 : turnBegin(messages);
  for (const [at, { role, content }] of messages.entries()) {
    if (role === 'user' && at < from) continue;
    for (const block of blocks) {
      if (!block.roles.some((each) => each === role)) continue;
      for (const [n, { start, end }] of spansOf(
        block,
        content,
        BLOCKS_MAX - found.length,
      ).entries()) {
        const text = content.slice(start, end).trim();
        if (text !== '') found.push({ id: `${role}[${at}].${nameOf(block)}[${n}]`, text });
      }
    }
  }
  return found;
}

/**
 * Where the last turn of a conversation begins: at the user's last message, including several in a
 * row.
 */
export function turnBegin(messages: readonly { readonly role: string }[]): number {
  let at = messages.findLastIndex(({ role }) => role === 'user');
  for (let before = at - 1; before >= 0 && isRequestRole(messages[before]?.role); before--)
    if (messages[before]?.role === 'user') at = before;
  return Math.max(0, at);
}

const isRequestRole = (role: string | undefined): boolean => role === 'user' || role === 'system';

function nameOf(block: SourceBlock): string {
  if (block.by === 'tag') return block.tag;
  return block.by === 'heading' ? 'section' : 'block';
}

function spansOf(block: SourceBlock, text: string, limit: number): SourceMatch[] {
  if (limit <= 0) return [];
  if (block.by === 'tag') return taggedSpans(block.tag, text, limit);
  if (block.by === 'heading') return sectionSpans(block.heading, text, limit);
  if (block.by === 'delimiters') return delimitedSpans(block.start, block.end, text, limit);
  return findSpans(block.pattern, text, limit);
}

/** Between `<tag …>` and the next `</tag>`; an unclosed tag names nothing. */
function taggedSpans(tag: string, text: string, limit: number): SourceMatch[] {
  const spans: SourceMatch[] = [];
  const [opening, closing] = [`<${tag}`, `</${tag}>`];
  let at = text.indexOf(opening);
  while (at !== -1 && spans.length < limit) {
    const behind = at + opening.length;
    const isTag = /[\s>]/.test(text.charAt(behind));
    const start = isTag ? text.indexOf('>', behind) + 1 : 0;
    if (isTag && start === 0) break;
    const end = isTag ? text.indexOf(closing, start) : -1;
    if (isTag && end === -1) break;
    if (isTag) spans.push({ start, end });
    at = text.indexOf(opening, isTag ? end : behind);
  }
  return spans;
}

function delimitedSpans(
  from: string,
  to: string | null,
  text: string,
  limit: number,
): SourceMatch[] {
  const spans: SourceMatch[] = [];
  let at = text.indexOf(from);
  while (at !== -1 && spans.length < limit) {
    const start = at + from.length;
    const end = to === null ? text.length : text.indexOf(to, start);
    if (end === -1) break;
    spans.push({ start, end });
    at = to === null ? -1 : text.indexOf(from, end + to.length);
  }
  return spans;
}

const HEADING = /^(#{1,6})[ \t]+(.*?)[ \t#]*$/;

/** The section below a Markdown heading, or below a line of the heading and a colon. */
function sectionSpans(heading: string, text: string, limit: number): SourceMatch[] {
  const wanted = heading
    .trim()
    .replace(/^#+\s*/, '')
    .replace(/:$/, '')
    .toLowerCase();
  const spans: SourceMatch[] = [];
  let open: { start: number; level: number } | null = null;
  let at = 0;
  for (const line of text.split('\n')) {
    const found = line.length > 300 ? null : HEADING.exec(line.trimEnd());
    const level = found?.[1]?.length ?? 7;
    const isPlain =
      found === null && line.length <= 300 && line.trim().toLowerCase() === `${wanted}:`;
    const title = found?.[2]?.replace(/:$/, '').trim().toLowerCase();
    if (open !== null && (isPlain || (found !== null && level <= open.level))) {
      spans.push({ start: open.start, end: at });
      open = null;
    }
    if (open === null && (isPlain || title === wanted))
      open = { start: at + line.length + 1, level };
    if (spans.length >= limit) return spans;
    at += line.length + 1;
  }
  if (open !== null && open.start < text.length)
    spans.push({ start: open.start, end: text.length });
  return spans;
}
