import { z } from 'zod';
import { type Document, isNode, parseDocument } from 'yaml';
import { exampleLimits, PromptExample, subjectLimits } from '../domain';

/**
 * Front matter of a prompt: YAML 1.2 between two lines `---` at the very start of the file, then
 * the text sent to a model. People write it, so it is parsed strictly: no aliases, no duplicate
 * keys, no unknown keys, at most 32 KiB (mostly for examples).
 */

/**
 * The format in which the judge's reply is parsed; `message`: the text is sent to a model, and its
 * reply is not parsed, as in all prompts of applications; `judge`: the output that the definition
 * of a custom judge names.
 */
export const PromptOutput = z.enum([
  'rubric',
  'binary',
  'criteria_match',
  'pair',
  'summary',
  'decomposition',
  'claims',
  'steering',
  'message',
  'judge',
]);
export type PromptOutput = z.infer<typeof PromptOutput>;

const Variable = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be a name of lower-case letters, digits and underscores');

const PromptFront = z.strictObject({
  title: z.string().trim().min(1).max(100),
  description: z.string().trim().min(1).max(500),
  /** Each must occur in the text as `{{name}}`. */
  variables: z.array(Variable).max(20).default([]),
  /** Each may occur in it; those of a custom judge are the variables of its mapping. */
  optional: z.array(Variable).max(subjectLimits.mappedVariables).default([]),
  output: PromptOutput,
  /** Allows an empty text below the front matter: then nothing is sent (QV-22). */
  may_be_empty: z.boolean().optional(),
  /**
   * Examples shown to the judge next to the text (SOAR-35). Only decomposition prompts may have
   * any.
   */
  examples: z.array(PromptExample).max(exampleLimits.count).default([]),
});
export type PromptFront = z.infer<typeof PromptFront>;

/** A fault of a prompt, in words for its author. */
export interface PromptIssue {
  /** Of the whole file, from 1; null if no line is at fault. */
  readonly line: number | null;
  readonly message: string;
}

export interface FrontRead {
  /** Null if there are issues. */
  readonly front: PromptFront | null;
  readonly issues: readonly PromptIssue[];
  /** The number of its lines in the file, including the two `---` lines. */
  readonly lineCount: number;
}

const maxChars = 32 * 1024;

/** Reads the front matter of a file given as its lines. Never throws. */
export function readFrontMatter(lines: readonly string[]): FrontRead {
  const failed = (line: number | null, message: string, lineCount = 0): FrontRead => ({
    front: null,
    issues: [{ line, message }],
    lineCount,
  });
  if (lines[0]?.trimEnd() !== '---')
    return failed(1, 'the first line must be ---, and open the front matter');
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end === -1) return failed(1, 'the front matter has no closing line ---');
  const source = lines.slice(1, end).join('\n');
  if (source.length > maxChars)
    return failed(
      1,
      `the front matter has ${source.length} characters; at most ${maxChars} are allowed`,
      end + 1,
    );
  return { ...readYaml(source), lineCount: end + 1 };
}

function readYaml(source: string): Pick<FrontRead, 'front' | 'issues'> {
  const failed = (line: number | null, message: string) => ({
    front: null,
    issues: [{ line, message }],
  });
  let document: Document.Parsed;
  let value: unknown;
  try {
    document = parseDocument(source, {
      version: '1.2',
      schema: 'core',
      uniqueKeys: true,
      prettyErrors: false,
    });
    const [error] = [...document.errors, ...document.warnings];
    if (error !== undefined)
      return failed(lineAt(source, error.pos[0]), `the front matter is not YAML: ${error.message}`);
    // Maps, so that no key of an author can collide with one of ours.
    value = document.toJS({ mapAsMap: true, maxAliasCount: 0 });
  } catch {
    return failed(1, 'the front matter uses YAML that is not supported: aliases or deep nesting');
  }
  if (!(value instanceof Map))
    return failed(
      1,
      'the front matter must be keys with values: title, description, variables, optional, output',
    );
  const known: ReadonlySet<string> = new Set(PromptFront.keyof().options);
  const strange = [...value.keys()].find((key) => typeof key !== 'string' || !known.has(key));
  if (strange !== undefined) {
    return failed(
      lineOfKey(source, String(strange)),
      `the front matter has no key "${String(strange)}": it has ${[...known].join(', ')}`,
    );
  }
  const parsed = PromptFront.safeParse(
    Object.fromEntries([...value].map(([key, member]) => [key, plain(member)])),
  );
  if (parsed.success) return { front: parsed.data, issues: [] };
  const issues = parsed.error.issues.map(({ path, message }) => ({
    line: lineOfPlace(source, document, path),
    message: `${path.join('.')}: ${message}`,
  }));
  return { front: null, issues };
}

/**
 * Maps inside lists and maps become objects, so that a schema can report their faults. `__proto__`
 * becomes an ordinary member.
 */
function plain(value: unknown): unknown {
  if (value instanceof Map)
    return Object.fromEntries(Array.from(value, ([key, member]) => [String(key), plain(member)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

/**
 * The line of the innermost part of a path that exists in the text; for a missing member, the line
 * of its parent.
 */
function lineOfPlace(
  source: string,
  document: Document.Parsed,
  path: readonly PropertyKey[],
): number {
  for (let length = path.length; length > 1; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range != null) return lineAt(source, node.range[0]);
  }
  return lineOfKey(source, String(path[0] ?? ''));
}

/** Line in the file; line 1 is the opening `---`. */
function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length + 1;
}

function lineOfKey(source: string, key: string): number {
  const index = source.split('\n').findIndex((line) => line.startsWith(`${key}:`));
  return index === -1 ? 1 : index + 2;
}
