import type { FlagOptions, Flags } from './arguments';
import type { Terminal } from './terminal';

/** A command of `assay` that calls the HTTP API. */
export interface Command {
  readonly help: string;
  readonly options: FlagOptions;
  /** Exit code of a failure, if it is not 1. */
  failureCode?(args: readonly string[]): number;
  /** Resolves with the exit code. @throws CliFailure */
  run(
    flags: Flags,
    terminal: Terminal,
    env: Readonly<Record<string, string | undefined>>,
  ): Promise<number>;
}
