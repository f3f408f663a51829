import { readModelSpec } from '../../llm';
import { seatMark } from './trial-input';

/** Who a project has judge, as its settings say. */
export interface Seated {
  /** Null: the cheapest model of another family than the one that did the work. */
  readonly defaultJudge: string | null;
  readonly jury: readonly string[];
}

/** As `JudgeSeats` write it; '' where no one is named. `readSeats` reads it back. */
export function seatsText({ defaultJudge, jury }: Seated): string {
  return defaultJudge === null && jury.length === 0
    ? ''
    : [defaultJudge ?? '', ...jury].join(seatMark);
}

export function readSeats(text: string): Seated {
  const [first = '', ...jury] = text.split(seatMark);
  return { defaultJudge: first === '' ? null : first, jury };
}

/** The specs of an option's judge; undefined: whoever would judge now. */
export function judgesOf(judge: string | null): readonly string[] | undefined {
  return judge === null ? undefined : judge.split(seatMark);
}

/** Whether those who would judge, as estimates name them, are the ones that sit there. */
export function isSeatedAs(judges: readonly string[], judge: string): boolean {
  const seats = judge.split(seatMark).map((spec) => readModelSpec(spec, []).model);
  return seats.length === judges.length && seats.every((seat, i) => seat === judges[i]);
}
