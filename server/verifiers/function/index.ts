import type { Kind } from '../kind';
import {
  excerptOfOwn,
  type OwnKind,
  OwnSubject,
  ownReadings,
  rederiveOwn,
  showOwnContent,
} from '../own';
import { checkFunction } from './check';
import { FunctionConfig } from './definition';
import type { FunctionDetail } from './detail';
import { planFunction } from './plan';
import { decideFunction } from './verdict';
import { functionView } from './view';

export { FunctionConfig } from './definition';
export { FunctionDetail } from './detail';

const faultsOf: NonNullable<OwnKind['faultsOf']> = async (definition, run) => {
  const config = FunctionConfig.parse(definition);
  const checked = await checkFunction(run.functions, config, run.example, run.signal);
  return checked.state === 'faulty' ? checked.problems : [];
};

/** The project's own code decides: `evaluate(...)`, run in the sandbox (online.md 3). */
export const functionKind: Kind<OwnSubject, FunctionConfig, FunctionDetail> = {
  ...functionView,
  own: { definition: FunctionConfig, faultsOf },
  sandbox: 'shared',
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
