import type { Ask } from '../../domain';
import type { RunGates } from '../../code';
import type { FunctionRunner } from '../../evaluators/functions';
import type { AskFor } from '../../llm';
import type { PromptDefaults } from '../../prompts';
import type { Kinds } from '../../verifiers';

/** The dependencies of verification other than storage. */
export interface SubjectDeps {
  readonly prompts: PromptDefaults;
  /** The kinds that this process can run; tests inject their own. */
  readonly kinds: Kinds;
  /** How a project's models are called for one verdict. */
  readonly askFor: (target: AskFor) => Ask;
  /** Runs proof gates in workers; null in a process without a slow lane. */
  readonly gates: RunGates | null;
  /** Runs functions in workers; left out in a process without a slow lane. */
  readonly functions?: FunctionRunner;
}
