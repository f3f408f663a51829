import { z } from 'zod';
import { type Document, isNode, parseDocument } from 'yaml';
import { exampleLimits, PromptExample } from '../domain';

/**
 * Front matter of a prompt: YAML 1.2 between two lines `---` at the very start of the file, then
 * the text that a model is sent. It is written by people and read strictly: no aliases, no doubled
 * keys, no key that is not known, at most 32 KiB, of which examples are the most.
 */

/**
 * What a judge that asks with this prompt reads from the reply; `message`: the text is said to a
 * model, and no reply to it is read.
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
]);
export type PromptOutput = z.infer<typeof PromptOutput>;

const Variable = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be a name of lower-case letters, digits and underscores');

const PromptFront = z.strictObject({
  title: z.string().trim().min(1).max(100),
  description: z.string().trim().min(1).max(500),
  /** Each stands in the text as `{{name}}`. */
  variables: z.array(Variable).max(20).default([]),
  /** Each may stand in it. */
  optional: z.array(Variable).max(20).default([]),
  output: PromptOutput,
  /**
   * Without a text below the front matter nothing is said, which is a choice and no fault (QV-22).
   */
  may_be_empty: z.boolean().optional(),
  /**
   * What the judge is shown next to the text (SOAR-35). Only prompts about decompositions take any.
   */
  examples: z.array(PromptExample).max(exampleLimits.count).default([]),
});
export type PromptFront = z.infer<typeof PromptFront>;

/** What is wrong with a prompt, in words for its author. */
export interface PromptIssue {
  /** Of the whole file, from 1; null where no line is to blame. */
  readonly line: number | null;
  readonly message: string;
}

export interface FrontRead {
  /** Null where there are issues. */
  readonly front: PromptFront | null;
  readonly issues: readonly PromptIssue[];
  /** How many lines of the file it takes, its two marks included. */
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
    // Maps, so that no key of an author's can be a key of ours.
    value = document.toJS({ mapAsMap: true, maxAliasCount: 0 });
  } catch {
    return failed(
      1,
      'the front matter is not YAML that is read here: aliases and deep nesting are not taken',
    );
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
 * Maps in lists and maps as objects, so that a schema can say what is wrong with them. `__proto__`
 * becomes a member like any other.
 */
function plain(value: unknown): unknown {
  if (value instanceof Map)
    return Object.fromEntries(Array.from(value, ([key, member]) => [String(key), plain(member)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

/**
 * Of the innermost part of a place that stands in the text; a member that is missing has the line
 * of what it is missing from.
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

/** Line in the file, of which the first is the opening mark. */
function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length + 1;
}

function lineOfKey(source: string, key: string): number {
  const index = source.split('\n').findIndex((line) => line.startsWith(`${key}:`));
  return index === -1 ? 1 : index + 2;
}
