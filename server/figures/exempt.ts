import { isSpace } from './characters';
import { addCitationMarks } from './citation-marks';
import { addCodeLines } from './code-lines';
import { addNumbering } from './numbering';
import { addCodeNumbers } from './code-numbers';
import { addStandards, type SourceText } from './standards';

/**
 * Ranges whose digits are not figures (INT-21): code, URLs, e-mail addresses, link targets, HTML
 * tags and entities, list and heading numbering. Every pass moves forward only, so time is linear
 * . Indented code is not exempt: four blanks would otherwise hide figures in a list.
 */
export interface Region {
  readonly from: number;
  readonly to: number;
}

export interface ExemptOptions {
  /**
   * Read as markdown: code, links, tags. True for an answer; a source has figures inside code too.
   */
  readonly markdown: boolean;
  /** `1.` or `2)` at the start of a line numbers a list. */
  readonly numbering: boolean;
  /** Sources that may contradict a standard in the answer. */
  readonly sources?: readonly SourceText[];
}

const FENCE =
  /^[ \t]{0,12}(?:>[ \t]{0,3}){0,8}(?:(?:[-*+]|\d{1,3}[.)])[ \t]{1,4})?(`{3,1000}|~{3,1000})([^\n]*)$/gm;
const TAG = /<\/?[a-zA-Z][a-zA-Z0-9-]{0,30}(?:\s[^<>\n]{0,2000})?\/?>/g;
const ENTITY = /&#(?:\d{1,7}|[xX][0-9a-fA-F]{1,6});/g;
const DEFINITION =
  /^[ \t]{0,3}\[([^\]^\n]{1,60})\]:[ \t]{0,4}\S{1,2000}(?=[ \t]{0,8}(?:["'(]|$))/gm;
const SLASH_PATH = /(?:^|[\s("'])(?:~|\.{1,2})?\/[A-Za-z._][^\s"'`<>|,;()]{0,2000}/g;
const NONE: readonly Region[] = [];

/**
 * A digit in a box (1️⃣), which models use to number lists: a picture, not a figure; a ⚠️ mark
 * inside would break it.
 */
const KEYCAP = /[0-9#*]\ufe0f?\u20e3/g;

/** Exempt ranges of a text, in order, not overlapping. */
export function exemptRegions(
  text: string,
  { markdown, numbering, sources = [] }: ExemptOptions,
): readonly Region[] {
  if (
    !markdown &&
    !numbering &&
    !(text.includes('/') || text.includes('www.') || text.includes('@'))
  )
    return NONE;
  const regions: Region[] = [];
  if (markdown) addMarkdown(text, sources, regions);
  if (text.includes('://')) addUrls(text, '://', regions);
  if (text.includes('www.')) addUrls(text, 'www.', regions);
  if (text.includes('@')) addEmails(text, regions);
  if (numbering) addNumbering(text, regions, markdown);
  if (text.includes('\u20e3')) addMatches(text, KEYCAP, regions);
  return regions.length < 2 ? regions : merge(regions);
}

function merge(regions: Region[]): readonly Region[] {
  regions.sort((a, b) => a.from - b.from || b.to - a.to);
  const merged: Region[] = [];
  for (const region of regions) {
    const last = merged.at(-1);
    if (last === undefined || region.from >= last.to) merged.push(region);
    else if (region.to > last.to) merged[merged.length - 1] = { from: last.from, to: region.to };
  }
  return merged;
}

function addMarkdown(text: string, sources: readonly SourceText[], regions: Region[]): void {
  if (text.includes('```') || text.includes('~~~')) addFences(text, regions);
  if (text.includes('`')) addCodeSpans(text, regions);
  if (text.includes('](')) addLinkTargets(text, regions);
  if (text.includes('<'))
    addMatches(text, TAG, regions, (tag) => !/\s[^]*\d/u.test(tag) || tag.includes('='));
  if (text.includes('&#')) addMatches(text, ENTITY, regions);
  if (text.includes(']:')) addDefinitions(text, regions);
  if (text.includes('/')) addMatches(text, SLASH_PATH, regions);
  addCitationMarks(text, regions);
  addStandards(text, sources, regions);
  addCodeNumbers(text, sources, regions);
  addCodeLines(text, regions);
}

function addMatches(
  text: string,
  pattern: RegExp,
  regions: Region[],
  counts: (match: string) => boolean = () => true,
): void {
  for (const match of text.matchAll(pattern)) {
    if (counts(match[0])) regions.push({ from: match.index, to: match.index + match[0].length });
  }
}

/** An unclosed fence extends to the end, as in CommonMark. */
function addFences(text: string, regions: Region[]): void {
  let open: { from: number; mark: string } | null = null;
  for (const match of text.matchAll(FENCE)) {
    const mark = match[1] ?? '';
    const info = match[2] ?? '';
    if (open === null) {
      if (mark.startsWith('~') || !info.includes('`')) open = { from: match.index, mark };
    } else if (mark[0] === open.mark[0] && mark.length >= open.mark.length && info.trim() === '') {
      regions.push({ from: open.from, to: match.index + match[0].length });
      open = null;
    }
  }
  if (open !== null) regions.push({ from: open.from, to: text.length });
}

/** Runs of backticks close at the next run of the same length in the same paragraph. */
function addCodeSpans(text: string, regions: Region[]): void {
  const fences = [...regions];
  let paragraph: Region[] = [];
  let fence = 0;
  let end = -1;
  for (const match of text.matchAll(/`+|\n[ \t]*(?=\n)/gu)) {
    while (fence < fences.length && (fences[fence]?.to ?? 0) <= match.index) fence++;
    const inFence = (fences[fence]?.from ?? Infinity) <= match.index;
    if (match[0].startsWith('`')) {
      if (!inFence) paragraph.push({ from: match.index, to: match.index + match[0].length });
      continue;
    }
    end = closeSpans(paragraph, end, regions);
    paragraph = [];
  }
  closeSpans(paragraph, end, regions);
}

function closeSpans(runs: readonly Region[], end: number, regions: Region[]): number {
  const nextSame: (Region | undefined)[] = [];
  const seen = new Map<number, Region>();
  for (const run of [...runs].reverse()) {
    nextSame.push(seen.get(run.to - run.from));
    seen.set(run.to - run.from, run);
  }
  nextSame.reverse();
  let last = end;
  runs.forEach((run, i) => {
    const close = nextSame[i];
    if (run.from < last || close === undefined) return;
    regions.push({ from: run.from, to: close.to });
    last = close.to;
  });
  return last;
}

/** `](target "title")`; a bracket with other words in it is text and stays text. */
function addLinkTargets(text: string, regions: Region[]): void {
  let at = text.indexOf('](');
  while (at !== -1) {
    const next = text.indexOf('](', at + 2);
    const close = closingBracket(text, at + 2, next === -1 ? text.length : next);
    if (close !== -1) {
      const target = text.slice(at + 2, close).trim();
      if (/^(?:<[^<>\n]*>|\S*)(?:\s+["'(][^\n]*)?$/u.test(target))
        regions.push({ from: at + 2, to: close });
    }
    at = next;
  }
}

function closingBracket(text: string, from: number, to: number): number {
  let depth = 0;
  for (let i = from; i < to; i++) {
    const char = text[i];
    if (char === '\n') return -1;
    if (char === '(') depth++;
    else if (char === ')' && depth-- === 0) return i;
  }
  return -1;
}

/** `[1]: target` and the `[1]` that refer to it. */
function addDefinitions(text: string, regions: Region[]): void {
  const labels = new Set<string>();
  addMatches(text, DEFINITION, regions);
  for (const match of text.matchAll(DEFINITION)) labels.add(match[1] ?? '');
  if (labels.size > 0)
    addMatches(text, /\[\d{1,4}\]/gu, regions, (match) => labels.has(match.slice(1, -1)));
}

const URL_END = new Set('<>"`|{}^\\');
const TRAILING = new Set(".,;:!?'*_~]");

function addUrls(text: string, mark: string, regions: Region[]): void {
  let floor = 0;
  let at = text.indexOf(mark);
  while (at !== -1) {
    let from = at;
    if (mark === '://')
      while (from > floor && at - from < 20 && /[a-z0-9+.-]/iu.test(text.charAt(from - 1))) from--;
    let to = at + mark.length;
    while (to < text.length && !isSpace(text.charCodeAt(to)) && !URL_END.has(text.charAt(to))) to++;
    floor = to;
    to = withoutTrailing(text, from, to);
    regions.push({ from, to });
    at = text.indexOf(mark, floor);
  }
}

/**
 * Punctuation after a URL belongs to the sentence; so does a closing bracket, unless the URL opened
 * one.
 */
function withoutTrailing(text: string, from: number, to: number): number {
  let open = 0;
  for (let i = from; i < to; i++) open += text[i] === '(' ? 1 : text[i] === ')' ? -1 : 0;
  let end = to;
  for (; end > from; end--) {
    const last = text.charAt(end - 1);
    if (last === ')' && open < 0) open++;
    else if (!TRAILING.has(last)) break;
  }
  return end;
}

function addEmails(text: string, regions: Region[]): void {
  let floor = 0;
  let at = text.indexOf('@');
  while (at !== -1) {
    let from = at;
    while (from > floor && at - from < 64 && /[\w.+-]/u.test(text.charAt(from - 1))) from--;
    let to = at + 1;
    while (to < text.length && to - at < 255 && /[\w.-]/u.test(text.charAt(to))) to++;
    if (from < at && /[a-z]/iu.test(text.slice(at + 1, to)))
      regions.push({ from, to: withoutTrailing(text, from, to) });
    floor = to;
    at = text.indexOf('@', to);
  }
}
