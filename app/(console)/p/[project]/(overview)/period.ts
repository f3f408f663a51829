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
