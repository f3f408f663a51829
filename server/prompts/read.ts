import {
  exampleWarnings,
  hasInput,
  hasUnstorableText,
  itemPlaceholders,
  judgePlaceholders,
  promptMessages,
  subjectMembers,
} from '../domain';
import { type PromptFront, type PromptIssue, readFrontMatter } from './front-matter';

/** Limit of the whole markdown, including front matter, UTF-8. */
export const maxPromptBytes = 64 * 1024;

/**
 * The part of a prompt that its judges rely on: an edited version may change its text but not this.
 */
export type PromptContract = Pick<PromptFront, 'output' | 'variables' | 'optional'> &
  Partial<Pick<PromptFront, 'may_be_empty'>>;

export type PromptRead =
  | {
      readonly state: 'valid';
      readonly front: PromptFront;
      readonly text: string;
      /** Warnings for its author, which prevent nothing. */
      readonly warnings: readonly PromptIssue[];
    }
  | { readonly state: 'empty' | 'invalid'; readonly issues: readonly PromptIssue[] };

/** The outputs whose judges are shown examples. */
const withExamples: ReadonlySet<PromptFront['output']> = new Set(['decomposition'] as const);

/**
 * Anything that looks like a placeholder, valid or not: without a check, `{{ task }}` and `{{#if
 * x}}` would be sent literally.
 */
const likePlaceholder = /\{\{([^{}\n]{0,200})\}\}/g;

/**
 * Parses a prompt's Markdown and validates everything that its author can get wrong. Linear in its
 * length; never throws.
 * @param contract the contract of the default prompt; null for a default itself, which defines its
 * own
 * @param outputs the outputs that a prompt of the project may have, where `message` is that of an
 * application; null for a prompt of the release
 */
export function readPrompt(
  body: string,
  contract: PromptContract | null,
  outputs: readonly PromptFront['output'][] | null = null,
): PromptRead {
  if (body.trim() === '')
    return { state: 'empty', issues: [{ line: null, message: 'the prompt is empty' }] };
  const bytes = Buffer.byteLength(body);
  if (bytes > maxPromptBytes)
    return invalid([
      {
        line: null,
        message: `the prompt has ${bytes} bytes; at most ${maxPromptBytes} are allowed`,
      },
    ]);
  const lines = body.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const hidden = lines.findIndex(hasUnstorableText);
  if (hidden !== -1)
    return invalid([
      { line: hidden + 1, message: 'the line has a NUL character or half a surrogate pair' },
    ]);
  const { front, issues, lineCount } = readFrontMatter(lines);
  if (front === null) return invalid(issues);
  if (outputs?.includes(front.output) === false)
    return invalid([
      { line: 1, message: `output: must be ${outputs.join(' or ')} in a prompt of the project` },
    ]);
  const text = lines.slice(lineCount).join('\n').trim();
  if (text === '' && (contract ?? front).may_be_empty !== true)
    return {
      state: 'empty',
      issues: [{ line: lineCount, message: 'the prompt has no text below its front matter' }],
    };
  const isApplication = outputs !== null && front.output === 'message';
  const wrong = [
    ...contractIssues(front, contract),
    ...placeholderIssues(lines, lineCount, contract ?? front, isApplication),
    ...(isApplication ? applicationIssues(front, lines, lineCount) : []),
  ];
  return wrong.length > 0
    ? invalid(wrong)
    : { state: 'valid', front, text, warnings: warningsOf(front, lines) };
}

/** SOAR-35: a set of examples should show every band, and more than one complexity. */
function warningsOf(
  { output, examples }: PromptFront,
  lines: readonly string[],
): readonly PromptIssue[] {
  if (!withExamples.has(output)) return [];
  const line = lines.findIndex((each) => each.startsWith('examples:')) + 1;
  return exampleWarnings(examples).map((message) => ({ line: line === 0 ? null : line, message }));
}

function invalid(issues: readonly PromptIssue[]): PromptRead {
  return { state: 'invalid', issues };
}

function contractIssues(front: PromptFront, contract: PromptContract | null): PromptIssue[] {
  const twice = [...front.variables, ...front.optional].find(
    (name, index, all) => all.indexOf(name) !== index,
  );
  if (twice !== undefined)
    return [{ line: 1, message: `"${twice}" is named twice in the front matter` }];
  if (front.examples.length > 0 && !withExamples.has(front.output))
    return [{ line: 1, message: `examples: a prompt whose output is ${front.output} shows none` }];
  if (contract === null) return [];
  const issues: PromptIssue[] = [];
  if (front.output !== contract.output)
    issues.push({
      line: 1,
      message: `output: must stay ${contract.output}, which the judge reads`,
    });
  const mayBeEmpty = contract.may_be_empty === true;
  if ((front.may_be_empty === true) !== mayBeEmpty)
    issues.push({
      line: 1,
      message: `may_be_empty: must stay ${String(mayBeEmpty)}, which the judge relies on`,
    });
  for (const name of ['variables', 'optional'] as const) {
    const wanted = contract[name];
    if (wanted.length !== front[name].length || !wanted.every((each) => front[name].includes(each)))
      issues.push({
        line: 1,
        message: `${name}: must stay [${wanted.join(', ')}], which the judge fills in`,
      });
  }
  return issues;
}

/** Faults of the messages of a prompt of an application (`promptMessages`). */
function applicationIssues(
  front: PromptFront,
  lines: readonly string[],
  from: number,
): PromptIssue[] {
  if (front.may_be_empty !== undefined)
    return [{ line: 1, message: 'may_be_empty: a prompt of an application has a text; remove it' }];
  const text = lines.slice(from).join('\n');
  const first = from + text.slice(0, text.length - text.trimStart().length).split('\n').length;
  const messages = promptMessages(text.trim());
  const empty = messages
    .filter(({ content }) => content === '')
    .map(({ role, line }) => ({
      line: first + line,
      message: `the section "## ${role}" is empty: write its text or remove the line`,
    }));
  const hasRequest = messages.some(({ role }) => role === 'user') || !hasInput(text);
  return hasRequest
    ? empty
    : [
        ...empty,
        {
          line: first,
          message: 'no section has the role user: put {{input}} below a line "## user"',
        },
      ];
}

function placeholderIssues(
  lines: readonly string[],
  from: number,
  { variables, optional, output }: PromptContract,
  isApplication: boolean,
): PromptIssue[] {
  const ofSubject = new Set([
    ...variables,
    ...optional,
    ...(output === 'judge' ? subjectNames : []),
    ...(isApplication ? itemPlaceholders : []),
  ]);
  const fix = isApplication ? '; add a member of the metadata to `optional`' : '';
  const known = new Set([...ofSubject, ...(output === 'judge' ? judgePlaceholders : [])]);
  const seen = new Set<string>();
  const issues: PromptIssue[] = [];
  for (const [index, line] of lines.entries()) {
    if (index < from) continue;
    for (const [whole, name = ''] of line.matchAll(likePlaceholder)) {
      if (known.has(name)) seen.add(name);
      else if (issues.length < 20)
        issues.push({
          line: index + 1,
          message: `${whole} is not a placeholder of this prompt; it has ${braced(known)}${fix}`,
        });
    }
  }
  const missing = variables.filter((name) => !seen.has(name));
  if (missing.length > 0) issues.push({ line: null, message: `the text lacks ${braced(missing)}` });
  if (output === 'judge' && issues.length === 0 && ![...ofSubject].some((name) => seen.has(name)))
    issues.push({
      line: null,
      message:
        'the text shows nothing of the subject to the judge: add a placeholder such as {{output}} or {{input}}',
    });
  return issues;
}

/** Variables that a prompt of a custom judge may use without a mapping: subject members. */
export const subjectNames: readonly string[] = [
  ...new Set([...Object.values(subjectMembers).flat(), 'subject']),
];

function braced(names: Iterable<string>): string {
  const all = [...names].map((name) => `{{${name}}}`);
  return all.length === 0 ? 'none' : all.join(', ');
}
