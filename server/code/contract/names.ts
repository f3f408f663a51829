import type { NounHit } from './keywords';
import {
  describing,
  grammarWords,
  listedOnly,
  noClassNames,
  noNames,
  sentenceWords,
} from './name-words';

/** A name in a request for a requested thing. */
export interface GivenName {
  readonly name: string;
  /** Position in the request, in UTF-16 code units. */
  readonly at: number;
  readonly of: 'class' | 'function' | 'field';
}

const CALLED = 'called|named|namens|nommée?s?|appelée?s?|llamad[oa]s?';

/** After a noun: "called", and the marks before a name. */
const naming = new RegExp(
  String.raw`(?:[ \t]{0,4}:?[ \t]{1,4}(${CALLED})(?=\s)|[ \t]{0,4}:)?[ \t]{0,4}([\u0060"'*]{0,3})(?=[A-Za-z_$])`,
  'iy',
);
/** Farther after a class: "a class for orders called ExpressOrder". */
const calledLater = new RegExp(
  String.raw`\s[^.\n]{1,60}?\b(?:${CALLED})\s{1,4}[\u0060"'*]{0,3}(?=[A-Z])`,
  'y',
);
/** "a function in utils.js called `slugify`". */
const namedLater = new RegExp(
  String.raw`\s[^\n,;]{1,60}?\s(?:${CALLED})\s{1,4}[\u0060"'*]{0,3}(?=[A-Za-z_$][\w$]{1,80}(?!\.\w))`,
  'iy',
);
/** `{ title: string, done: boolean }` after "takes" or "arguments". */
const argumentObject = /\s{0,4}:?\s{1,4}`\{([^`}]{1,300})\}?`/y;
const member = /(?:^|[,;{])\s{0,20}([A-Za-z_$][\w$]{0,80})\??\s{0,4}:/g;
/** Signatures in code of the request, and calls at the start of list items: "- add(a, b)". */
export const signatures =
  /\b(?:function|def|fn|func)\s{1,4}([A-Za-z_$][\w$]{1,80})\s{0,4}[(<]|\b(?:const|let)\s{1,4}([A-Za-z_$][\w$]{1,80})\s{0,4}=\s{0,4}(?:async\s{0,4})?\(|\bexport\s{1,4}const\s{1,4}([A-Za-z_$][\w$]{1,80})\s{0,4}=|\n[ \t]{0,12}(?:[-*•]|\d{1,2}[.)])[ \t]{1,4}[`*]{0,3}([A-Za-z_$][\w$]{1,80})\(/g;

const identifier = /[A-Za-z_$][\w$]{0,80}/y;
const joint =
  /[`"'*]{0,3}(?:\([^()\n]{0,80}\))?[`"'*]{0,3}\s{0,4}(?:,\s{0,4}(?:and\s{1,4}|or\s{1,4}|und\s{1,4})?|\s(?:and|or|und|et|y)\s{1,4}|[、和]\s{0,2})(?:an?\s{1,4})?[`"'*]{0,3}/y;

const NAMES_MAX = 60;
const LISTED_MAX = 20;
const SIGNATURES_MAX = 200;

type Take = (name: string, at: number, of: GivenName['of']) => void;

/**
 * Names of classes, functions and fields in a request (QEL-10), each once, in the order of the
 * text.
 */
export function findNames(request: string, nouns: readonly NounHit[]): GivenName[] {
  const found = new Map<string, GivenName>();
  const take: Take = (name, at, of) => {
    if (grammarWords.has(name)) return;
    if (found.size < NAMES_MAX && !found.has(name) && name.length > 1)
      found.set(name, { name, at, of });
  };
  for (const hit of nouns) {
    if (hit.kind === 'class') takeClasses(request, hit, take);
    else if (hit.kind === 'model' || hit.kind === 'part') takeModels(request, hit, take);
    else if (hit.kind === 'function' || hit.kind === 'field') takeListed(request, hit, take);
    if (hit.kind === 'field' || hit.kind === 'takes') takeMembers(request, hit, take);
  }
  let hits = 0;
  for (const { 1: name, 2: constant, 3: exported, 4: item, index } of request.matchAll(
    signatures,
  )) {
    if (++hits > SIGNATURES_MAX) break;
    if (!/^(?:__\w{1,40}__|main|test|Page|App)$/.test(name ?? ''))
      take(name ?? constant ?? exported ?? item ?? '', index, 'function');
  }
  return [...found.values()].sort((a, b) => a.at - b.at);
}

/** "class Stack", "classes A and B", "the class called `Stack`", "a Task class". */
function takeClasses(request: string, { at, end }: NounHit, take: Take): void {
  const start = endOf(naming, request, end) ?? -1;
  const behind =
    start > end || request.charCodeAt(end - 1) > 0x4e00 ? capitals(request, start) : [];
  for (const name of behind) take(name, at, 'class');
  if (behind.length > 0) return;
  const before = capitalsBefore(request, at);
  for (const name of before) take(name, at, 'class');
  if (before.length > 0) return;
  const later = endOf(calledLater, request, end);
  if (later !== null) for (const name of capitals(request, later)) take(name, at, 'class');
}

/**
 * "a Task class", "Task, User and Tag classes": reads backwards while each name is joined to the
 * next.
 */
function capitalsBefore(request: string, at: number): string[] {
  const names: string[] = [];
  let text = request.slice(Math.max(0, at - 90), at);
  for (let joint = /\s{1,4}$/; ; joint = /(?:,\s{0,4}|\s{1,4}and\s{1,4}|,\s{1,4}and\s{1,4})$/) {
    const end = joint.exec(text)?.index;
    const match =
      end === undefined
        ? null
        : /(?:^|[^\w.#-])([A-Z]\w{1,80})[`"'*]{0,3}$/.exec(
            text.slice(0, end).replace(/[`"'*]+$/, ''),
          );
    const name = match?.[1];
    if (match === null || name === undefined || noClassNames.has(name.toLowerCase()))
      return names.reverse();
    // The first word of a sentence is capitalized anyway.
    if (/(?:^|[\n.!?>])[\s*#-]*$/.test(text.slice(0, match.index + 1)) && !/[a-z][A-Z]/.test(name))
      return names.reverse();
    names.push(name);
    text = text.slice(0, text.lastIndexOf(name)).replace(/[`"'*]+$/, '');
  }
}

/**
 * "models Task and User", "a controller named OrderController", "the component called `Card`": a
 * component may be a function.
 */
function takeModels(request: string, { kind, word, at, end }: NounHit, take: Take): void {
  naming.lastIndex = end;
  const match = naming.exec(request);
  if (match === null || (kind === 'part' && match[1] === undefined)) return;
  const isView = /^(?:comp|komp)/.test(word);
  for (const name of capitals(request, end + match[0].length))
    if (/[a-z]/.test(name)) take(name, at, isView ? 'function' : 'class');
}

function capitals(request: string, start: number): string[] {
  const code = request.charCodeAt(start);
  if (!(code >= 65 && code <= 90)) return [];
  const names = listed(request, start);
  const stop = names.findIndex(
    (name) => !/^[A-Z]/.test(name) || sentenceWords.has(name.toLowerCase()),
  );
  return stop < 0 ? names : names.slice(0, stop);
}

/**
 * "functions add, subtract and multiply", "a mutation named `save`", "the fields id, title and
 * done". A single unmarked word may be any word: it is a name if it is written like one, ends its
 * clause, or is in a list.
 */
function takeListed(request: string, { kind, word, at, end }: NounHit, take: Take): void {
  // A docstring's `:param fields:` names the parameter itself.
  if (request.endsWith(':param ', at)) return;
  naming.lastIndex = end;
  const match = naming.exec(request);
  if (match === null || (match[0] === '' && request.charCodeAt(end - 1) < 0x4e00)) {
    takeBefore(request, { kind, at }, take);
    return;
  }
  const start = end + match[0].length;
  const marked = match[1] !== undefined || match[2] !== '';
  // In running text this is the next word of the sentence: most nouns end here.
  const first = wordAt(request, start);
  if (!marked && noNames.has(first.toLowerCase())) {
    const later = /^(?:in|inside|at)$/i.test(first) ? endOf(namedLater, request, end) : null;
    if (later !== null) take(wordAt(request, later), at, kind === 'field' ? 'field' : 'function');
    takeBefore(request, { kind, at }, take);
    return;
  }
  // "The column data and …" continues with something else, "the columns data and time" with the
  // next name.
  const names =
    marked || /[sn]$/.test(word) || word.charCodeAt(0) > 0x4e00 ? listed(request, start) : [first];
  if (!marked && names.every((name) => listedOnly.has(name.toLowerCase()))) return;
  if (
    !marked &&
    names.length === 1 &&
    !isCompleteName(first, request.slice(start + first.length, start + first.length + 8))
  )
    return;
  for (const name of names) take(name, at, kind === 'field' ? 'field' : 'function');
}

/** "the `useRouter` hook", "the `embed()` function": marked, and right before the noun. */
function takeBefore(request: string, { kind, at }: Pick<NounHit, 'kind' | 'at'>, take: Take): void {
  if (request.charCodeAt(at - 2) !== 96) {
    for (const name of joinedBefore(request, at))
      take(name, at, kind === 'field' ? 'field' : 'function');
    return;
  }
  const name = /`([A-Za-z_$][\w$]{0,80})(?:\(\))?` $/.exec(
    request.slice(Math.max(0, at - 90), at),
  )?.[1];
  if (name !== undefined) take(name, at, kind === 'field' ? 'field' : 'function');
}

/**
 * "get and put methods", "title, author and isbn fields": at least two joined words, none of them
 * descriptive.
 */
function joinedBefore(request: string, at: number): string[] {
  const list =
    /\b(?:with|has|have|having|provid\w{1,3}|expos\w{1,3}|offer\w{0,3}|support\w{0,3}|implement\w{0,3}|defin\w{1,3}|its)\s(?:the\s|an?\s)?((?:[a-z_$][\w$]{1,40},\s){0,8}[a-z_$][\w$]{1,40},?\sand\s[a-z_$][\w$]{1,40})\s$/.exec(
      request.slice(Math.max(0, at - 160), at),
    )?.[1];
  const names = list?.split(/,?\sand\s|,\s/) ?? [];
  return names.some((name) => noNames.has(name) || describing.has(name)) ? [] : names;
}

function isCompleteName(name: string, after: string): boolean {
  return /[a-z][A-Z]|_/.test(name) || /^(?:[(.,;:?!]|$)/.test(after);
}

function takeMembers(request: string, { at, end }: NounHit, take: Take): void {
  if (!request.slice(end, end + 10).includes('`{')) return;
  argumentObject.lastIndex = end;
  const members = argumentObject.exec(request)?.[1] ?? '';
  for (const [, name = ''] of members.matchAll(member)) take(name, at, 'field');
}

/** Identifiers of a list that begins here, up to the first one that is not joined. */
function listed(request: string, start: number): string[] {
  const names: string[] = [];
  let at = start;
  while (names.length < LISTED_MAX) {
    const name = wordAt(request, at);
    if (name === '' || (names.length > 0 && noNames.has(name.toLowerCase()))) break;
    names.push(name);
    const joined = endOf(joint, request, at + name.length);
    if (joined === null) break;
    at = joined;
  }
  return names;
}

function wordAt(request: string, at: number): string {
  identifier.lastIndex = at;
  return identifier.exec(request)?.[0] ?? '';
}

/** The end of a sticky pattern that begins here; null if it does not match. */
function endOf(pattern: RegExp, request: string, at: number): number | null {
  pattern.lastIndex = at;
  const text = pattern.exec(request)?.[0];
  return text === undefined ? null : at + text.length;
}
