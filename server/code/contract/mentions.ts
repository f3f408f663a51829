import { codeExtensions, dataExtensions, libraryNames, markupExtensions } from './extensions';

/** A file that a request names, deliverable or not. */
export interface FileMention {
  /** With forward slashes, without a leading `./`. */
  readonly path: string;
  /** Range in the request, in UTF-16 code units, end exclusive. */
  readonly at: number;
  readonly end: number;
  /** Whether people write the file for machines to run; false for data that a program reads. */
  readonly code: boolean;
  /** Whether it may contain functions, classes or routes. */
  readonly program: boolean;
}

/**
 * An extension at the end of a name. Matched first, since dots are rare; the name before it is then
 * read backwards.
 */
export const fileEnds = new RegExp(
  String.raw`\.(?:${[...codeExtensions, ...dataExtensions].sort((a, b) => b.length - a.length).join('|')})(?![\w(]|\.\w|-\w)`,
  'gi',
);
/** Files without an extension. */
export const bareFiles =
  /\b(?:Dockerfile|Makefile|Procfile|Gemfile|Jenkinsfile|Vagrantfile|Rakefile)(?![\w(]|\.\w)|\.(?:env(?:\.\w{1,20})?|gitignore|dockerignore|prettierrc|editorconfig|npmrc|nvmrc|eslintrc)(?![\w(]|\.\w)/g;

const systemRoot = /^\/(?:var|etc|usr|tmp|home|opt|dev|proc|bin|sbin|root|mnt|sys|Users)\//;
const domain = /^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|app|edu|gov|co|de|fr)\//i;

const PATH_CHARS = 200;
const MENTIONS_MAX = 400;

/**
 * Files in a text, in its order. Linear: reading backwards stops at the end of the previous name.
 */
export function findMentions(text: string): FileMention[] {
  const found: FileMention[] = [];
  let last = 0;
  for (const { 0: ending, index } of text.matchAll(fileEnds)) {
    const end = index + ending.length;
    const from = startOfPath(text, index, last);
    last = end;
    const mention = readMention(text, from, end, ending.slice(1).toLowerCase());
    if (mention !== null) found.push(mention);
    if (found.length >= MENTIONS_MAX) break;
  }
  for (const { 0: name, index } of text.matchAll(bareFiles)) {
    if (found.length >= MENTIONS_MAX) break;
    if (name.startsWith('.') && /[\w/.)\]]/.test(text[index - 1] ?? ' ')) continue;
    const from = text[index - 1] === '/' ? startOfPath(text, index, 0) : index;
    found.push({
      path: text.slice(from, index) + name,
      at: from,
      end: index + name.length,
      code: true,
      program: false,
    });
  }
  return found.sort((a, b) => a.at - b.at);
}

/** Whether a file may contain functions, classes or routes, by its path alone. */
export function isProgram(path: string): boolean {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return codeExtensions.has(extension) && !markupExtensions.has(extension);
}

/** Whether a text contains a file's name. */
export function looksLikeFile(text: string): boolean {
  return text.includes('.')
    ? findMentions(text).length > 0
    : /^(?:Dockerfile|Makefile|Procfile|Gemfile|Jenkinsfile|Rakefile)$/.test(text);
}

function readMention(
  text: string,
  from: number,
  end: number,
  extension: string,
): FileMention | null {
  const start = from + openBracketsIn(text.slice(from, end));
  const written = text.slice(start, end);
  if (
    written.includes('//') ||
    systemRoot.test(written) ||
    domain.test(written) ||
    written.includes('..')
  )
    return null;
  const path = written.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  const stem = name.slice(0, -extension.length - 1);
  // `.py` alone is a kind of file; `a.b.c` is not a C file.
  if (stem === '' || (extension.length === 1 && (stem.includes('.') || stem.length < 2)))
    return null;
  // An index in code (`rows[0].h`), or a call before it.
  if (/[)\]]$/.test(stem) || /^\d+$/.test(stem)) return null;
  if (
    extension === 'js' &&
    path === name &&
    libraryNames.has(stem.toLowerCase()) &&
    !isMarked(text, start, end)
  )
    return null;
  return {
    path,
    at: start,
    end,
    code: codeExtensions.has(extension) || name.startsWith('.'),
    program: isProgram(path),
  };
}

/** Quoted, or called a file: then `chart.js` is a file, and Chart.js is not. */
function isMarked(text: string, start: number, end: number): boolean {
  if (text[start - 1] === '`' && text[end] === '`') return /^[a-z]/.test(text.slice(start));
  return /\b(?:file|script|called|named|into|datei|fichier|archivo)\s+["']?$/i.test(
    text.slice(Math.max(0, start - 12), start),
  );
}

function startOfPath(text: string, from: number, min: number): number {
  const stop = Math.max(min, from - PATH_CHARS);
  let at = from;
  while (at > stop && isPathChar(text.charCodeAt(at - 1))) at--;
  return at;
}

/**
 * Letters of Latin scripts, digits, and `_ - . / \ @ + $ ~ ( ) [ ]`; Chinese text has no blanks, so
 * it ends a path.
 */
function isPathChar(code: number): boolean {
  if ((code >= 97 && code <= 122) || (code >= 64 && code <= 93) || (code >= 45 && code <= 57))
    return true;
  return (
    code === 95 ||
    code === 36 ||
    code === 40 ||
    code === 41 ||
    code === 43 ||
    code === 126 ||
    (code >= 192 && code <= 591)
  );
}

/**
 * The length of a path before its last unclosed bracket: in `(scraper.py` the path begins after it.
 */
function openBracketsIn(path: string): number {
  let cut = 0;
  for (const [open, close] of ['()', '[]']) {
    const at = path.lastIndexOf(open ?? '');
    if (at >= 0 && path.indexOf(close ?? '', at) < 0) cut = Math.max(cut, at + 1);
  }
  const closed = /^[)\]]+/.exec(path.slice(cut));
  return cut + (closed?.[0].length ?? 0);
}
