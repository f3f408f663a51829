import type { Kind } from '../kind';
import {
  excerptOfCustom,
  type CustomKind,
  CustomSubject,
  customReadings,
  rederiveCustom,
  showCustomContent,
} from '../custom';
import { checkFunction } from './check';
import { FunctionConfig } from './definition';
import type { FunctionDetail } from './detail';
import { planFunction } from './plan';
import { decideFunction } from './verdict';
import { functionView } from './view';

export { FunctionConfig } from './definition';
export { FunctionDetail } from './detail';

const faultsOf: NonNullable<CustomKind['faultsOf']> = async (definition, run) => {
  const config = FunctionConfig.parse(definition);
  const checked = await checkFunction(run.functions, config, run.example, run.signal);
  return checked.state === 'faulty' ? checked.problems : [];
};

/** The project's own code decides: `evaluate(...)`, run in the sandbox (online.md 3). */
export const functionKind: Kind<CustomSubject, FunctionConfig, FunctionDetail> = {
  ...functionView,
  custom: { definition: FunctionConfig, faultsOf },
  sandbox: 'shared',
  config: FunctionConfig,
  fields: [],
  subject: CustomSubject,
  readings: customReadings,
  excerptOf: excerptOfCustom,
  showContent: showCustomContent,
  promptSlugs: () => [],
  estimate: () => ({ inputTokens: 0, outputTokens: 0 }),
  // A function may depend on more than its arguments, such as the time.
  cacheKey: () => null,
  plan: planFunction,
  rederive: rederiveCustom,
  decide: decideFunction,
};
