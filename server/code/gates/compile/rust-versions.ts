// Features added to Rust after the installed version: an older compiler reports most of them by
// name.
import type { GateFile } from '../gate';

const place = /\n\s*--> ([^\n]+?):(\d+):\d+/;
/** Since 1.0 the compiler has one code for unstable features, and one for nightly switches. */
const unstable = /^error\[E0(?:658|554)\]: /;
const forms: readonly RegExp[] = [
  /^error\[E0706\]: functions in traits cannot be declared `async`/,
  /^error\[E0562\]: `impl Trait` (?:only|is not) allowed in [^\n]*(?:trait|`impl`) method return/,
  /^error: let chains are only allowed in Rust 2024 or later/,
  /^error: prefix `cr?` is unknown/,
  /^error: extern block cannot be declared unsafe/,
];
/** Errors that the word `unsafe` in an attribute causes, by the line that the compiler shows. */
const unsafeAttribute =
  /^error: (?:expected identifier, found keyword `unsafe`|cannot find attribute `r#unsafe`)[^]*?\n\s*\d+\s*\|\s*#!?\[unsafe\(/;
/** Names of the standard library, with their first stable version. */
const names: ReadonlyMap<string, string> = new Map(
  [
    ['1.65', 'Backtrace'],
    ['1.68', 'pin'],
    ['1.70', 'OnceLock OnceCell IsTerminal is_terminal is_some_and is_ok_and is_err_and'],
    ['1.74', 'other'],
    ['1.76', 'inspect_err unwrap_or_clone'],
    ['1.77', 'first_chunk last_chunk split_first_chunk split_last_chunk split_inclusive_mut'],
    ['1.79', 'NonZero absolute split_at_checked trim_ascii'],
    ['1.80', 'LazyLock LazyCell take_if'],
    ['1.82', 'repeat_n is_none_or is_sorted is_sorted_by_key'],
    ['1.84', 'isqrt checked_isqrt'],
    ['1.86', 'get_disjoint_mut pop_if'],
    ['1.87', 'pipe extract_if midpoint'],
    ['1.88', 'as_chunks'],
  ].flatMap(([version = '', list = '']) =>
    list.split(' ').map((name): [string, string] => [name, version]),
  ),
);
const notFound =
  /^error\[E0(?:432|433|412|425|405|599)\]: (?:unresolved import `(?:std|core|alloc)::[\w:]*?(\w+)`|no (?:method|function or associated item) named `(\w+)` found for (?:(?:struct|enum|union) `(\w+)[^\n]*|[^\n]*))/;

/** @returns the lines with newer features: other errors there may follow from them */
export function unstableLines(output: readonly string[]): ReadonlySet<string> {
  return new Set(
    output
      .filter((text) => unstable.test(text) || forms.some((form) => form.test(text)))
      .map(placeOf),
  );
}

/**
 * @returns the sentence with the Rust version that a diagnostic needs; null if the version is not
 * the cause
 */
export function newerRust(
  text: string,
  unstableAt: ReadonlySet<string>,
  files: readonly GateFile[],
): string | null {
  const first = text.split('\n')[0] ?? '';
  if (unstable.test(first))
    return `The installed Rust does not have this as stable: ${first.replace(unstable, '').slice(0, 120)}.`;
  if (
    forms.some((form) => form.test(first)) ||
    unsafeAttribute.test(text) ||
    unstableAt.has(placeOf(text))
  )
    return 'The code is written for a newer Rust than the installed one.';
  const [, imported, method, owner] = notFound.exec(text) ?? [];
  if (
    owner !== undefined &&
    files.some(({ content }) => new RegExp(`\\b(?:struct|enum|union)\\s+${owner}\\b`).test(content))
  )
    return null;
  const since = names.get(imported ?? method ?? '');
  return since === undefined
    ? null
    : `The code needs Rust ${since}, which is newer than the installed one.`;
}

function placeOf(text: string): string {
  const [, path, line] = place.exec(text) ?? [];
  return path === undefined ? '' : `${path}:${line}`;
}

/** Chains of `let` need the edition 2024; a generated manifest requests it if the code has any. */
export const asksFor2024 = (code: string): boolean =>
  /\b(?:if|while)\s+(?:let\b[^{;]*&&|[^{;]*&&\s*let\b)/.test(code);
