export const periods = [1, 7, 30] as const;
export type Days = (typeof periods)[number];

export function readDays(value: string | string[] | undefined): Days {
  return periods.find((each) => String(each) === value) ?? 7;
}

export const periodName: Record<Days, string> = {
  1: 'Today (UTC)',
  7: 'Last 7 days',
  30: 'Last 30 days',
};

/** The period in a sentence about what happened in it. */
export const pastPeriod: Record<Days, string> = {
  1: 'today',
  7: 'in the last 7 days',
  30: 'in the last 30 days',
};
