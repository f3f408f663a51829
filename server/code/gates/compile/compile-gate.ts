// What a language's file of commands says of itself: what goes into the box, which diagnostics of
// its tools the environment alone can cause, and which files the tool left out.
import type { GateLanguage } from '../../../domain';
import type { CodeFile } from '../gate';
import type { NewerSyntax } from '../../structure';
import type { Tool } from '../tools';

/** What goes into the box. */
export interface CompileCall {
  readonly args: readonly string[];
  /**
   * Instead of the files as given: without what would steer the tool, with what it cannot do
   * without.
   */
  readonly files: readonly (CodeFile & { readonly locked?: boolean })[];
  readonly env: Readonly<Record<string, string>>;
  readonly tools?: readonly { readonly path: string; readonly content: string }[];
  /**
   * Shell commands that ask the tool what it did, each after the end it is named for. What they
   * print is the report.
   */
  readonly ask?: { readonly whenPassed?: string; readonly whenFailed?: string };
}

/** What the tool said, and what it was given. */
export interface CompileEnd {
  readonly stdout: string;
  readonly stderr: string;
  /** What `ask` printed; the tool itself has no access to it. */
  readonly report: string;
  readonly files: readonly CodeFile[];
  /**
   * First line of what the tool says of its version; null where it says nothing, and where it
   * passed.
   */
  readonly version: string | null;
  /**
   * Syntax that the files use and that their language gained late; empty unless the gate asks for
   * it.
   */
  readonly newer: readonly NewerSyntax[];
}

export interface CompileGate {
  readonly language: GateLanguage;
  /** As QEL-27 writes it. */
  readonly command: string;
  /** Looked up for each run: a toolchain may be installed while Assay runs. */
  find(): Tool | null;
  /** A sentence for people, where the tool is not there. */
  readonly missing: string;
  prepare(files: readonly CodeFile[]): CompileCall;
  /** Whether `environmentFault` needs to know of syntax that the language gained late. */
  readonly readsNewer?: true;
  /**
   * Called when the tool ended by itself with another code than 0.
   * @returns why no diagnostic of the run is a fault of the code, as a sentence; null when one is,
   * or when there is none
   */
  environmentFault(end: CompileEnd): string | null;
  /**
   * Called when the tool ended with 0.
   * @returns the given files of the language that it did not compile, each with the reason where it
   * is known
   */
  leftOut(end: CompileEnd): readonly LeftOut[];
  /** Takes from the output what only the gate asked for. */
  readonly shown?: (output: string) => string;
  /** @returns why a success of the tool proves nothing, as a sentence; null when it does */
  readonly unproven?: (files: readonly CodeFile[]) => string | null;
}

export interface LeftOut {
  readonly path: string;
  readonly why: string;
}

/** How a tool's diagnostics are recognised: by their own format, from the beginning of a line. */
export interface Environmental {
  /** Finds the first line of each diagnostic. */
  readonly diagnostic: RegExp;
  /** Summaries, which repeat what diagnostics have said. */
  readonly summary?: RegExp;
  /** @returns why the environment alone causes this one, as a sentence; null when the code does */
  readonly explain: (text: string) => string | null;
}

/**
 * Every diagnostic must be environmental, and there must be one: text that the code brings can add
 * a diagnostic, never take one away.
 * @returns the sentence of the first; null when one is a fault of the code
 */
export function onlyEnvironmental(
  output: string,
  { diagnostic, summary, explain }: Environmental,
): string | null {
  let first: string | null = null;
  for (const text of diagnosticsOf(output, diagnostic)) {
    if (summary?.test(text) === true) continue;
    const reason = explain(text);
    if (reason === null) return null;
    first ??= reason;
  }
  return first;
}

/** @returns each diagnostic with the lines that belong to it */
export function diagnosticsOf(output: string, diagnostic: RegExp): readonly string[] {
  const found: string[][] = [];
  for (const line of output.split('\n')) {
    if (diagnostic.test(line)) found.push([line]);
    else found.at(-1)?.push(line);
  }
  return found.map((lines) => lines.join('\n'));
}

/** Compilers look at the exact ending: a file that ends in capitals is none of theirs. */
export function otherEndings(
  files: readonly CodeFile[],
  language: RegExp,
  taken: RegExp,
): readonly LeftOut[] {
  return files
    .filter(({ path }) => language.test(path) && !taken.test(path))
    .map(({ path }) => ({ path, why: 'the compiler does not take files with this ending' }));
}
