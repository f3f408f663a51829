import type { Kind } from '../kind';
import { excerptOfOwn, type OwnProgram, OwnSubject, ownReadings, rederiveOwn, showOwnContent } from '../own';
import { FunctionConfig } from './definition';
import type { FunctionDetail } from './detail';
import { planFunction } from './plan';
import { decideFunction } from './verdict';
import { functionView } from './view';

export { knownParameters } from './arguments';
export { checkFunction, type FunctionCheck, type FunctionProblem } from './check';
export { FunctionConfig, FunctionDefinition, functionLimits } from './definition';
export { FunctionDetail } from './detail';

function programOf(definition: unknown): OwnProgram {
  const { function: program, mapping } = FunctionConfig.parse(definition);
  const { language, source, timeout_ms: timeoutMs } = program;
  return { language, source, timeoutMs, variables: Object.keys(mapping) };
}

/** The project's own code decides: `evaluate(...)`, run in the sandbox (online.md 3). */
export const functionKind: Kind<OwnSubject, FunctionConfig, FunctionDetail> = {
  ...functionView,
  own: { definition: FunctionConfig, programOf },
  config: FunctionConfig,
  fields: [],
  subject: OwnSubject,
  readings: ownReadings,
  excerptOf: excerptOfOwn,
  showContent: showOwnContent,
  promptSlugs: () => [],
  estimate: () => ({ inputTokens: 0, outputTokens: 0 }),
  // A function may depend on more than its arguments, such as the time.
  cacheKey: () => null,
  plan: planFunction,
  rederive: rederiveOwn,
  decide: decideFunction,
};
