import { slackBlocks, type SlackButtons } from './slack/buttons';
import type { Notice } from './store-notice';

/**
 * A notice for people in a chat or an email (S-63). It may quote traces from untrusted authors:
 * nothing in it may become markup, a mention or a link. The only link is our own, to the page with
 * the details.
 */
export interface NoticeText extends Pick<Notice, 'subject' | 'text'> {
  /**
   * A summary in lines, for channels in which a document is unreadable; null if the text itself is
   * short.
   */
  readonly short: readonly string[] | null;
  /** Page of this installation's console; null if there is none. */
  readonly url: string | null;
}

/** Chats truncate or refuse longer texts. */
const slackChars = 3_000;
const subjectChars = 180;

/** The page that `data.url` names, if it is one of ours. */
export function ownUrl(webUrl: string, data: Readonly<Record<string, unknown>>): string | null {
  const { url } = data;
  return typeof url === 'string' && url.startsWith(`${webUrl}/`) && !/[\s<>|"]/.test(url)
    ? url
    : null;
}

/**
 * A stored notice for people, with its own `data`. Only reports are Markdown: a backslash in an
 * alert is literal.
 */
export function noticeText(
  webUrl: string,
  {
    kind,
    subject,
    text,
  }: { readonly kind: string; readonly subject: string; readonly text: string },
  data: Readonly<Record<string, unknown>>,
): NoticeText {
  return {
    subject,
    text: kind === 'report' ? withoutEscapes(text) : text,
    short: shortOf(data),
    url: ownUrl(webUrl, data),
  };
}

/** The short form from `data.summary`; null if it is not a list of lines. */
function shortOf({ summary }: Readonly<Record<string, unknown>>): readonly string[] | null {
  return Array.isArray(summary) &&
    summary.length > 0 &&
    summary.every((line) => typeof line === 'string')
    ? summary
    : null;
}

/**
 * Makes CommonMark readable without rendering: removes the backslashes before punctuation, which
 * within code precede only vertical bars.
 */
function withoutEscapes(markdown: string): string {
  return markdown.replace(
    /(`+)(?!`).*?[^`]\1(?!`)|\\([!-/:-@[-`{-~])/g,
    (found: string, fence?: string, sign?: string) =>
      fence === undefined ? (sign ?? found) : found.replaceAll('\\|', '|'),
  );
}

/** One short line without control characters, as allowed in a header. */
export function oneLine(text: string, maxChars = subjectChars): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > maxChars ? `${cut(line, maxChars - 1)}…` : line;
}

/** Never leaves half of a surrogate pair at the end. */
const cut = (text: string, maxChars: number): string =>
  text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '');

/**
 * Email clients and chats turn anything that resembles a link into one: addresses are shown in a
 * form that no one can follow.
 */
const unlinked = (text: string): string =>
  text
    .replace(/:\/\//g, '[:]//')
    .replace(/\bwww\./gi, 'www[.]')
    .replace(/\bmailto:/gi, 'mailto[:]');

/** Slack's own escapes: a text without "<" cannot contain mentions, channels or links. */
const slackEscaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Body of an incoming webhook as defined by Slack and adopted by others: plain lines, because its
 * markup has no headings, tables or backslashes.
 */
export function slackBody(
  { subject, text: full, short, url }: NoticeText,
  buttons: SlackButtons | null = null,
): string {
  const text =
    short === null ? full : short.map((line) => `• ${oneLine(line, slackChars)}`).join('\n');
  const body = text.length > slackChars ? `${cut(text, slackChars)}\n…` : text;
  const link = url === null ? '' : `\n<${slackEscaped(url)}|Open in Assay>`;
  const shown = slackText(`${oneLine(subject)}\n${body}`);
  const blocks = buttons === null ? null : slackBlocks({ text: shown, link }, buttons);
  return JSON.stringify({
    text: `${shown}${link}`,
    ...(blocks !== null && { blocks }),
    unfurl_links: false,
    unfurl_media: false,
  });
}

/** Text of other authors for Slack, without mentions, links or markup. */
export const slackText = (text: string): string =>
  slackEscaped(unlinked(text)).replaceAll('@', '@\u200B');

export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function mailText({ subject, text, url }: NoticeText): MailText {
  const shown = unlinked(text.replace(/\r\n?/g, '\n'));
  const link = url === null ? '' : `<p><a href="${htmlEscaped(url)}">Open in Assay</a></p>\n`;
  return {
    subject: unlinked(oneLine(subject)),
    text: `${shown}\n${url === null ? '' : `\n${url}\n`}`,
    html: `<!doctype html>\n<html lang="en"><body>\n<pre style="font:14px/1.5 sans-serif;white-space:pre-wrap">${htmlEscaped(shown)}</pre>\n${link}</body></html>\n`,
  };
}

const htmlEscaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
