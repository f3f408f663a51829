import { readModelSpec } from '../../llm';
import { seatMark } from './trial-input';

/** A project's judges according to its settings. */
export interface Seated {
  /** Null: the cheapest model of another family than the model under judgement. */
  readonly defaultJudge: string | null;
  readonly jury: readonly string[];
}

/** The judges as `JudgeSeats`; '' if none is named. `readSeats` parses it. */
export function seatsText({ defaultJudge, jury }: Seated): string {
  return defaultJudge === null && jury.length === 0
    ? ''
    : [defaultJudge ?? '', ...jury].join(seatMark);
}

export function readSeats(text: string): Seated {
  const [first = '', ...jury] = text.split(seatMark);
  return { defaultJudge: first === '' ? null : first, jury };
}

/** The specs of an option's judge; undefined: the current one. */
export function judgesOf(judge: string | null): readonly string[] | undefined {
  return judge === null ? undefined : judge.split(seatMark);
}

/** Whether the judges of an estimate are the ones of the option. */
export function isSeatedAs(judges: readonly string[], judge: string): boolean {
  const seats = judge.split(seatMark).map((spec) => readModelSpec(spec, []).model);
  return seats.length === judges.length && seats.every((seat, i) => seat === judges[i]);
}
