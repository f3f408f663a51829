interface Pace {
  readonly done: number;
  /** Null when unknown. */
  readonly total: number | null;
  readonly sinceMs: number;
}

/** `, 420 a second, 12 s left`; empty until the pace is known. */
export function paceText({ done, total, sinceMs }: Pace): string {
  const rate = done / (sinceMs / 1000);
  if (done === 0 || sinceMs <= 0) return '';
  const rateText = `, ${(rate >= 10 ? Math.round(rate) : Number(rate.toFixed(1))).toLocaleString('en')} a second`;
  if (total === null || total <= done) return rateText;
  return `${rateText}, ${timeText((total - done) / rate)} left`;
}

function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.ceil(seconds / 3600)} h`;
}
