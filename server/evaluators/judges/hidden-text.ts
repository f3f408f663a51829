/**
 * Text that people do not see, or see as other text, but that a model reads: it can hide
 * instructions to a judge (S-29). Findings are reported, and shown to the judge in a marked form;
 * none of them decides a verdict.
 */
export type HiddenKind =
  | 'zero_width'
  | 'bidi'
  | 'tag_characters'
  | 'control'
  | 'mixed_script'
  | 'html_comment'
  | 'base64';

export interface HiddenText {
  readonly kind: HiddenKind;
  readonly count: number;
}

/** U+FE0F and joiners belong to emoji and to scripts that join letters; there they hide nothing. */
const ZERO_WIDTH =
  /(?<!\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Modifier}|[\p{Script=Arabic}\p{Script=Devanagari}\p{M}])[\u200C\u200D]|[\u200B\u2060-\u2064\uFEFF\u180E\u00AD\u3164\uFFA0]/gu;
const BIDI = /[\u202A-\u202E\u2066-\u2069]/gu;
/**
 * Tags belong to the flags of a few countries, which begin with a black flag; variation selectors
 * beyond the first 16 to rare characters.
 */
const TAGS =
  /(?<!\u{1F3F4}[\u{E0020}-\u{E007E}]{0,8})[\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]/gu;
const CONTROL = /(?![\t\n\r])\p{Cc}/gu;
const MIXED =
  /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}/gu;
const COMMENT = /<!--/gu;
/** Long enough to carry content: a digest has 44 characters, a token about a hundred. */
const BASE64_RUN = /(?:data:[\w.+-]{1,50}\/[\w.+-]{1,100};base64,)?[A-Za-z0-9+/_-]{200,}={0,2}/gu;

const patterns: readonly (readonly [HiddenKind, RegExp])[] = [
  ['zero_width', ZERO_WIDTH],
  ['bidi', BIDI],
  ['tag_characters', TAGS],
  ['control', CONTROL],
  ['mixed_script', MIXED],
  ['html_comment', COMMENT],
];

/** The hidden text of each kind; absent kinds are omitted. */
export function findHiddenText(text: string): readonly HiddenText[] {
  const counts = patterns.map(
    ([kind, pattern]): HiddenText => ({ kind, count: countOf(text, pattern) }),
  );
  const { runs } = withoutBase64(text);
  return [...counts, { kind: 'base64' as const, count: runs }].filter(({ count }) => count > 0);
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _match of text.matchAll(pattern)) count++;
  return count;
}

/**
 * Replaces runs of base64 with a note of their length. A line of dashes, a long word and a
 * hexadecimal number do not count.
 */
export function withoutBase64(text: string): { readonly text: string; readonly runs: number } {
  let runs = 0;
  const lean = text.replaceAll(BASE64_RUN, (run) => {
    if (!/[A-Z]/.test(run) || !/[a-z]/.test(run) || !/\d/.test(run)) return run;
    runs++;
    return `[base64, ${run.length} characters, left out]`;
  });
  return { text: lean, runs };
}

/** Without invisible characters. */
export function withoutInvisible(text: string): string {
  return text
    .replaceAll(ZERO_WIDTH, '')
    .replaceAll(BIDI, '')
    .replaceAll(TAGS, '')
    .replaceAll(CONTROL, (sign) =>
      sign === '\u000B' || sign === '\u000C' || sign === '\u0085' ? ' ' : '',
    );
}

const names: Record<HiddenKind, string> = {
  zero_width: 'characters without width',
  bidi: 'characters that turn the direction of writing',
  tag_characters: 'invisible tag characters',
  control: 'control characters',
  mixed_script: 'words that mix look-alike scripts',
  html_comment: 'HTML comments',
  base64: 'long base64 runs',
};

/** `3 characters without width, 1 HTML comments`. */
export function describeHidden(found: readonly HiddenText[]): string {
  return found.map(({ kind, count }) => `${count} ${names[kind]}`).join(', ');
}
