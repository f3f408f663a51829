import type { Notice } from './store-notice';

/**
 * A notice as people read it in a chat or a mail (S-63). What it says may quote traces, and whoever
 * wrote those is no friend: nothing of it becomes markup, a mention or a link. The only link is our
 * own, to the page that tells more.
 */
export interface NoticeText extends Pick<Notice, 'subject' | 'text'> {
  /**
   * The short of it, a line each, for where a document cannot be read; null where the text is short
   * itself.
   */
  readonly short: readonly string[] | null;
  /** Of this installation's console; null where there is none. */
  readonly url: string | null;
}

/** Chats cut longer texts, or refuse them. */
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
 * A stored notice for people; `data` is its own. Reports alone are markdown: a backslash in an
 * alert is its own.
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

/** What `data.summary` says in short; null where it is no list of lines. */
function shortOf({ summary }: Readonly<Record<string, unknown>>): readonly string[] | null {
  return Array.isArray(summary) &&
    summary.length > 0 &&
    summary.every((line) => typeof line === 'string')
    ? summary
    : null;
}

/**
 * CommonMark as people read it where no one renders it: without the backslashes before signs, which
 * in code stand before strokes alone.
 */
function withoutEscapes(markdown: string): string {
  return markdown.replace(
    /(`+)(?!`).*?[^`]\1(?!`)|\\([!-/:-@[-`{-~])/g,
    (found: string, fence?: string, sign?: string) =>
      fence === undefined ? (sign ?? found) : found.replaceAll('\\|', '|'),
  );
}

/** One line without control characters, and short: what a header may hold. */
export function oneLine(text: string, most = subjectChars): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > most ? `${cut(line, most - 1)}…` : line;
}

/** No half of a pair of surrogates is left at the end. */
const cut = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');

/**
 * Mail programs and chats make links of what looks like one: they are shown so that no one can
 * follow them.
 */
const unlinked = (text: string): string =>
  text
    .replace(/:\/\//g, '[:]//')
    .replace(/\bwww\./gi, 'www[.]')
    .replace(/\bmailto:/gi, 'mailto[:]');

/** Slack's own escapes: without "<" there is no mention, no channel and no link. */
const slackEscaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Body of an incoming webhook, as Slack has it and others took over: plain lines, since its markup
 * knows no headings, tables or backslashes.
 */
export function slackBody({ subject, text: full, short, url }: NoticeText): string {
  const text =
    short === null ? full : short.map((line) => `• ${oneLine(line, slackChars)}`).join('\n');
  const body = text.length > slackChars ? `${cut(text, slackChars)}\n…` : text;
  const link = url === null ? '' : `\n<${slackEscaped(url)}|Open in Assay>`;
  const shown = slackEscaped(unlinked(`${oneLine(subject)}\n${body}`)).replaceAll('@', '@\u200B');
  return JSON.stringify({ text: `${shown}${link}`, unfurl_links: false, unfurl_media: false });
}

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
