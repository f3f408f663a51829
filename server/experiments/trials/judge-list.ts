import { readModelSpec } from '../../llm';
import { judgeSeparator } from './trial-input';

/** A project's judges according to its settings. */
export interface ProjectJudges {
  /** Null means the cheapest model of another family than that of the judged model. */
  readonly defaultJudge: string | null;
  readonly jury: readonly string[];
}

/** The judges as `JudgeList`; '' if none is named. `readJudgeList` parses it. */
export function judgeListText({ defaultJudge, jury }: ProjectJudges): string {
  return defaultJudge === null && jury.length === 0
    ? ''
    : [defaultJudge ?? '', ...jury].join(judgeSeparator);
}

export function readJudgeList(text: string): ProjectJudges {
  const [first = '', ...jury] = text.split(judgeSeparator);
  return { defaultJudge: first === '' ? null : first, jury };
}

/** The model specs of an option's judge; undefined for the current judge. */
export function judgesOf(judge: string | null): readonly string[] | undefined {
  return judge === null ? undefined : judge.split(judgeSeparator);
}

/** Whether the judges of an estimate are those of the option. */
export function areJudges(judges: readonly string[], judge: string): boolean {
  const models = judge.split(judgeSeparator).map((spec) => readModelSpec(spec, []).model);
  return models.length === judges.length && models.every((model, i) => model === judges[i]);
}
