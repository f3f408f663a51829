import { commentRulesOf } from './comment-rules';
import { type CodeElement, readTree, type CodeRange, type TreeReading } from './elements';
import { extensionOf, isDeclaration, type ParsedLanguage, parsedLanguageOf } from './languages';
import { lexComments } from './lex-comments';
import { parseCode } from './parsers';

/** A written file, prepared for scoring. */
export interface CodeFile {
  readonly path: string;
  /** As received. */
  readonly text: string;
  /** With comments blanked and every other character in place (QEL-15). */
  readonly code: string;
  readonly language: ParsedLanguage | null;
  /**
   * `parsed`: its elements are known. `too_large`: not parsed because of its size; its comments
   * were found by a table of the language.
   */
  readonly reading: 'parsed' | 'too_large' | 'not_parsed';
  readonly elements: readonly CodeElement[];
  /** First line with a syntax error; null if there is none or the file was not parsed. */
  readonly errorLine: number | null;
  /** It imports, and neither exports nor runs anything; false if unknown. */
  readonly isIdle: boolean;
}

export interface WrittenFile {
  readonly path: string;
  readonly content: string;
}

/** Limits of reading the files of one subject. */
export interface ReadLimits {
  /** UTF-16 units of one file, and of all. */
  readonly fileChars: number;
  readonly allChars: number;
  /** For parsing one file, and all, in milliseconds. */
  readonly fileMs: number;
  readonly allMs: number;
}

const standard: ReadLimits = {
  fileChars: 1_000_000,
  allChars: 4_000_000,
  fileMs: 1_000,
  allMs: 5_000,
};

/**
 * Reads written files in sequence, yielding between them. @throws Error if a grammar is not
 * installed
 */
export async function readCode(
  files: readonly WrittenFile[],
  limits: ReadLimits = standard,
): Promise<readonly CodeFile[]> {
  const began = performance.now();
  const read: CodeFile[] = [];
  let chars = 0;
  for (const { path, content } of files) {
    const language = parsedLanguageOf(path);
    const now = performance.now();
    const deadline = Math.min(now + limits.fileMs, began + limits.allMs);
    const fits =
      content.length <= limits.fileChars &&
      chars + content.length <= limits.allChars &&
      now < deadline;
    const reading =
      language !== null && fits ? await readParsed(language, content, deadline) : null;
    if (reading !== null) chars += content.length;
    read.push(fileOf(path, content, language, reading));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return read;
}

/**
 * The text with its comments blanked: the same length, and every line in place.
 * @internal Only tests call it.
 */
export async function stripComments(path: string, text: string): Promise<string> {
  const [file] = await readCode([{ path, content: text }]);
  return file?.code ?? text;
}

async function readParsed(
  language: ParsedLanguage,
  content: string,
  deadline: number,
): Promise<TreeReading | null> {
  const tree = await parseCode(language, content, deadline);
  if (tree === null) return null;
  try {
    return readTree(tree, content, language, deadline);
  } finally {
    tree.delete();
  }
}

function fileOf(
  path: string,
  text: string,
  language: ParsedLanguage | null,
  reading: TreeReading | null,
): CodeFile {
  if (reading !== null) {
    const isTypes = isDeclaration(path);
    const elements = isTypes ? [] : reading.elements;
    const isIdle = reading.isIdle && reading.errorLine === null && !isTypes;
    return {
      path,
      text,
      code: blanked(text, reading.comments),
      language,
      reading: 'parsed',
      elements,
      errorLine: reading.errorLine,
      isIdle,
    };
  }
  const rules = commentRulesOf(extensionOf(path));
  const code = rules === null ? text : blanked(text, lexComments(text, rules));
  return {
    path,
    text,
    code,
    language,
    reading: language === null ? 'not_parsed' : 'too_large',
    elements: [],
    errorLine: null,
    isIdle: false,
  };
}

function blanked(text: string, comments: readonly CodeRange[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to } of comments) {
    if (from < at) continue;
    parts.push(
      text.slice(at, from),
      text.slice(from, to).replace(/[^\n\r]/gu, (character) => ' '.repeat(character.length)),
    );
    at = to;
  }
  parts.push(text.slice(at));
  return parts.join('');
}
