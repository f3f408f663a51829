// The description of a language's compile gate: its input in the sandbox, the diagnostics that only
// the environment can cause, and the files that the tool skipped.
import type { GateLanguage } from '../../../domain';
import type { GateFile } from '../gate';
import type { NewerSyntax } from '../../structure';
import type { Tool } from '../tools';

/** The files in the sandbox. */
export interface CompileCall {
  readonly args: readonly string[];
  /**
   * Replaces the given files: removes files that would configure the tool, adds files that it
   * needs.
   */
  readonly files: readonly (GateFile & { readonly locked?: boolean })[];
  readonly env: Readonly<Record<string, string>>;
  readonly tools?: readonly { readonly path: string; readonly content: string }[];
  /**
   * Shell commands that query the tool's actions, after a pass and after a failure. Their output is
   * the report.
   */
  readonly ask?: { readonly whenPassed?: string; readonly whenFailed?: string };
}

/** The tool's output, and its input. */
export interface CompileEnd {
  readonly stdout: string;
  readonly stderr: string;
  /** The output of `ask`; the tool itself has no access to it. */
  readonly report: string;
  readonly files: readonly GateFile[];
  /** First line of the tool's version output; null if it has none, and after a pass. */
  readonly version: string | null;
  /**
   * Syntax in the files from later versions of their language; empty unless the gate requests it.
   */
  readonly newer: readonly NewerSyntax[];
}

export interface CompileGate {
  readonly language: GateLanguage;
  /** As in QEL-27. */
  readonly command: string;
  /** Looked up for each run: a toolchain may be installed while Assay runs. */
  find(): Tool | null;
  /** A sentence for people if the tool is missing. */
  readonly missing: string;
  prepare(files: readonly GateFile[]): CompileCall;
  /** Whether `environmentFault` needs to know the syntax from later versions of the language. */
  readonly readsNewer?: true;
  /**
   * Called when the tool exited with a code other than 0.
   * @returns why no diagnostic of the run is a fault of the code, as a sentence; null if one is, or
   * there is none
   */
  environmentFault(end: CompileEnd): string | null;
  /**
   * Called when the tool exited with 0.
   * @returns the given files of the language that it did not compile, each with the reason if known
   */
  leftOut(end: CompileEnd): readonly LeftOut[];
  /** Removes output that only the gate requested. */
  readonly shown?: (output: string) => string;
  /** @returns why a success of the tool proves nothing, as a sentence; null if it does */
  readonly unproven?: (files: readonly GateFile[]) => string | null;
}

export interface LeftOut {
  readonly path: string;
  readonly why: string;
}

/** Recognizes a tool's diagnostics by their own format, from the beginning of a line. */
export interface Environmental {
  /** Finds the first line of each diagnostic. */
  readonly diagnostic: RegExp;
  /** Summaries that repeat diagnostics. */
  readonly summary?: RegExp;
  /** @returns why the environment alone causes this one, as a sentence; null if the code does */
  readonly explain: (text: string) => string | null;
}

/**
 * Every diagnostic must be environmental, and there must be one: text in the code can add a
 * diagnostic, but never remove one.
 * @returns the sentence of the first; null if one is a fault of the code
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

/** @returns each diagnostic with its lines */
export function diagnosticsOf(output: string, diagnostic: RegExp): readonly string[] {
  const found: string[][] = [];
  for (const line of output.split('\n')) {
    if (diagnostic.test(line)) found.push([line]);
    else found.at(-1)?.push(line);
  }
  return found.map((lines) => lines.join('\n'));
}

/** Compilers compare the exact ending: a file with an ending in capitals is ignored. */
export function otherEndings(
  files: readonly GateFile[],
  language: RegExp,
  taken: RegExp,
): readonly LeftOut[] {
  return files
    .filter(({ path }) => language.test(path) && !taken.test(path))
    .map(({ path }) => ({ path, why: 'the compiler does not take files with this ending' }));
}
