/**
 * The syntax of comments and strings in a language without a grammar here, or for files too large
 * for one.
 */
export interface CommentRules {
  /** Starts a comment to the end of the line. */
  readonly line: readonly string[];
  /** The same, but only at the beginning of a line or after a blank: `a#b` is a word of a shell. */
  readonly wordLine: readonly string[];
  readonly blocks: readonly (readonly [open: string, close: string])[];
  readonly strings: readonly StringRule[];
  /** A slash may begin a regular expression (JavaScript). */
  readonly regexes: boolean;
}

export interface StringRule {
  readonly open: string;
  readonly close: string;
  readonly escape: 'backslash' | 'doubled' | 'none';
  readonly lines: boolean;
  /** A string that is a whole statement is a comment, like a docstring (QEL-15). */
  readonly remark?: boolean;
}

const quoted = (quote: string, lines = false): StringRule => ({
  open: quote,
  close: quote,
  escape: 'backslash',
  lines,
});
const doubled = (quote: string): StringRule => ({
  open: quote,
  close: quote,
  escape: 'doubled',
  lines: true,
});
const slashes: readonly (readonly [string, string])[] = [['/*', '*/']];
const none = { line: [], wordLine: [], blocks: [], strings: [], regexes: false } as const;

const c: CommentRules = {
  ...none,
  line: ['//'],
  blocks: slashes,
  strings: [quoted('"'), quoted("'")],
};
const textBlocks: CommentRules = { ...c, strings: [quoted('"""', true), ...c.strings] };
const csharp: CommentRules = {
  ...c,
  strings: [
    quoted('"""', true),
    { ...doubled('"'), open: '@"', close: '"' },
    { ...doubled('"'), open: '$@"', close: '"' },
    ...c.strings,
  ],
};
const javascript: CommentRules = {
  ...c,
  strings: [quoted('`', true), ...c.strings],
  regexes: true,
};
const go: CommentRules = {
  ...c,
  strings: [{ open: '`', close: '`', escape: 'none', lines: true }, ...c.strings],
};
/** `'a` is a lifetime as often as the beginning of a character literal. */
const rust: CommentRules = {
  ...c,
  strings: [{ open: 'r#"', close: '"#', escape: 'none', lines: true }, quoted('"', true)],
};
const python: CommentRules = {
  ...none,
  line: ['#'],
  strings: [
    { ...quoted('"""', true), remark: true },
    { ...quoted("'''", true), remark: true },
    quoted('"'),
    quoted("'"),
  ],
};
const php: CommentRules = {
  ...c,
  line: ['//', '#'],
  strings: [quoted('"', true), quoted("'", true)],
};
const css: CommentRules = { ...none, blocks: slashes, strings: c.strings };
/** `//` after a colon is an address. */
const scss: CommentRules = { ...css, wordLine: ['//'] };
const sql: CommentRules = {
  ...none,
  line: ['--'],
  blocks: slashes,
  strings: [doubled("'"), doubled('"')],
};
const ruby: CommentRules = {
  ...none,
  line: ['#'],
  blocks: [['\n=begin', '\n=end']],
  strings: [quoted('"', true), quoted("'", true), quoted('`', true)],
};
const yaml: CommentRules = { ...none, wordLine: ['#'], strings: [quoted('"', true), doubled("'")] };
const shell: CommentRules = {
  ...none,
  wordLine: ['#'],
  strings: [quoted('"', true), { ...quoted("'", true), escape: 'none' }],
};
const settings: CommentRules = { ...none, wordLine: ['#', ';'], strings: [] };
const toml: CommentRules = {
  ...none,
  line: ['#'],
  strings: [
    quoted('"""', true),
    { ...quoted("'''", true), escape: 'none' },
    quoted('"'),
    { ...quoted("'"), escape: 'none' },
  ],
};
const lua: CommentRules = {
  ...none,
  line: ['--'],
  blocks: [['--[[', ']]']],
  strings: [quoted('"'), quoted("'")],
};
const markup: CommentRules = { ...none, blocks: [['<!--', '-->']] };

const tables: readonly (readonly [extensions: string, rules: CommentRules])[] = [
  ['ts mts cts tsx js mjs cjs jsx', javascript],
  ['py pyi', python],
  ['go', go],
  ['rs', rust],
  ['java kt kts scala swift dart groovy gradle', textBlocks],
  ['cs', csharp],
  ['c h cc cpp cxx hpp m mm proto prisma zig jsonc json5 graphqls', c],
  ['php', php],
  ['css', css],
  ['scss sass less', scss],
  ['sql', sql],
  ['rb rake gemspec', ruby],
  ['yaml yml', yaml],
  ['sh bash zsh fish pl r ex exs env dockerfile makefile mk tf graphql gql', shell],
  ['ini cfg conf properties', settings],
  ['toml', toml],
  ['lua', lua],
  ['html htm xml svg vue svelte xhtml', markup],
];

const byExtension: ReadonlyMap<string, CommentRules> = new Map(
  tables.flatMap(([extensions, rules]) =>
    extensions.split(' ').map((extension) => [extension, rules] as const),
  ),
);

/**
 * Null for formats without comments, such as JSON, and for unknown formats: the text is used
 * unchanged.
 */
export function commentRulesOf(extension: string): CommentRules | null {
  return byExtension.get(extension) ?? null;
}

/** The content between tags of these names is in another language. */
export const embeddedLanguages: readonly (readonly [tag: string, rules: CommentRules])[] = [
  ['script', javascript],
  ['style', scss],
];
export const embedding = markup;
