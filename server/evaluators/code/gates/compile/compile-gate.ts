// What a language's folder of commands says of itself: data, and the few words by which its tools name a lack of theirs.
import type { GateLanguage } from '../../../../domain';
import type { CodeFile } from '../gate';
import type { Tool } from '../tools';

/** What goes into the box. */
export interface CompileCall {
  readonly args: readonly string[];
  /** Instead of the files as given: without what would steer the tool, with what it cannot do without. */
  readonly files: readonly CodeFile[];
  readonly env: Readonly<Record<string, string>>;
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
  /**
   * Called when the tool ended by itself with another code than 0.
   * @returns why this is no fault of the code, as a sentence; null when the code is at fault
   */
  environmentFault(output: string, files: readonly CodeFile[]): string | null;
  /** What a tool that ended with 0 says when it did nothing, as a sentence; null when it worked. */
  readonly idle?: (output: string) => string | null;
}

/** @returns the first sentence whose pattern is found */
export function firstFault(output: string, faults: readonly (readonly [RegExp, string])[]): string | null {
  return faults.find(([pattern]) => pattern.test(output))?.[1] ?? null;
}
