import { priceOf } from './price';
import { sameFamily, sameModel } from './same-model';

/** The relation of a judge to the model whose work it judges. */
export type CrossModel = 'enforced' | 'unverified' | 'same_family_allowed' | 'self';

export interface JudgeRequest {
  /** The model that produced the output; null if unknown. */
  readonly executor: string | null;
  /** The judge configured for this verification; null to choose one. */
  readonly configured: string | null;
  /** The project's default judge, or null. */
  readonly defaultJudge: string | null;
  /** Judges to prefer, in this order, if the default judge does not qualify. */
  readonly fallbacks?: readonly string[] | undefined;
  /** Specs of all models that can be called. */
  readonly available: readonly string[];
  /** The verifier judges its own work by design and reports it (SOAR's option A). */
  readonly self?: boolean;
}

export type JudgeChoice =
  | {
      readonly state: 'chosen';
      readonly judge: string;
      readonly crossModel: CrossModel;
      readonly warning: string | null;
    }
  /** The configuration is not allowed: the caller refuses with this message (VS-35). */
  | { readonly state: 'refused'; readonly message: string }
  /** No judge is available: inconclusive, never a pass. */
  | {
      readonly state: 'none';
      readonly reason: 'no_provider' | 'no_other_family';
      readonly message: string;
    };

/**
 * Chooses the judge (VS-34 to VS-37). A configured judge may be of the executor's family, with a
 * warning, but not the executor's model. Otherwise the judge is of another family: the default
 * judge if it qualifies, else the first such fallback, else the cheapest model.
 */
export function chooseJudge(wish: JudgeRequest): JudgeChoice {
  const { executor, configured, defaultJudge } = wish;
  if (wish.self === true && executor !== null) {
    return {
      state: 'chosen',
      judge: configured ?? executor,
      crossModel: 'self',
      warning: 'the model judges its own work',
    };
  }
  if (configured !== null) return judgeNamed(configured, executor);
  const candidates = [
    ...new Set([
      ...(defaultJudge === null ? [] : [defaultJudge]),
      ...(wish.fallbacks ?? []),
      ...byPrice(wish.available),
    ]),
  ];
  const [first] = candidates;
  if (first === undefined)
    return { state: 'none', reason: 'no_provider', message: 'no provider configured' };
  if (executor === null) return unverified(first, 'the model of the output is unknown');
  const other = candidates.find(
    (each) => sameFamily(each, executor) === false && !sameModel(each, executor),
  );
  if (other !== undefined) {
    if (sameFamily(other, executor) !== false)
      throw new Error('a judge of the same family was chosen');
    return { state: 'chosen', judge: other, crossModel: 'enforced', warning: null };
  }
  const unknown = candidates.find(
    (each) => sameFamily(each, executor) === null && !sameModel(each, executor),
  );
  if (unknown !== undefined) return unverified(unknown, 'its name does not show its family');
  return {
    state: 'none',
    reason: 'no_other_family',
    message: `no model of another family than ${executor} is available`,
  };
}

/** The relation of a judge that these rules did not choose to the model whose work it judged. */
export function crossModelOf(judge: string, executor: string | null): CrossModel {
  if (executor === null) return 'unverified';
  if (sameModel(judge, executor)) return 'self';
  const related = sameFamily(judge, executor);
  if (related === null) return 'unverified';
  return related ? 'same_family_allowed' : 'enforced';
}

function judgeNamed(judge: string, executor: string | null): JudgeChoice {
  if (executor === null) return unverified(judge, 'the model of the output is unknown');
  if (sameModel(judge, executor)) {
    return {
      state: 'refused',
      message: `${judge} is the model of the output (${executor}): a model does not judge its own work`,
    };
  }
  const related = sameFamily(judge, executor);
  if (related === null) return unverified(judge, 'its name does not show its family');
  if (!related) return { state: 'chosen', judge, crossModel: 'enforced', warning: null };
  return {
    state: 'chosen',
    judge,
    crossModel: 'same_family_allowed',
    warning: `${judge} is of the same family as ${executor}: models prefer the work of their kin`,
  };
}

function unverified(judge: string, why: string): JudgeChoice {
  return {
    state: 'chosen',
    judge,
    crossModel: 'unverified',
    warning: `not verified that the judge is another model: ${why}`,
  };
}

/** Cheapest first, models without a known price last; equal prices keep the given order. */
function byPrice(models: readonly string[]): readonly string[] {
  const cost = (model: string): number => {
    const price = priceOf(model);
    return price === null ? Number.MAX_VALUE : price.inputUsd + price.outputUsd;
  };
  return models
    .map((model, at) => ({ model, at, cost: cost(model) }))
    .sort((a, b) => a.cost - b.cost || a.at - b.at)
    .map(({ model }) => model);
}
