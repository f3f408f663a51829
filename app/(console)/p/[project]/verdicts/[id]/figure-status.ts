import type { Figure, FigureStatus } from '@/server/domain';

/** The status of a figure; verdicts stored before statuses existed have only two. */
export function statusOf({ status, sourced }: Figure): FigureStatus {
  return status ?? (sourced ? 'sourced' : 'unsourced');
}

const reasons: Record<NonNullable<Figure['reason']>, string> = {
  not_in_sources: 'This value is in no source of the turn.',
  wrong_path: 'The envelope cites a place that holds another value.',
  unknown_source: 'The envelope cites a source that the turn does not have.',
  misattributed: 'The value is in the sources, but not where the sentence points.',
  derived: 'It is calculated from values of the sources; no source states it.',
};

/** Why a figure was not accepted, or null. If its sentence was the reason, the explanation. */
export function reasonOf({ reason, explanation }: Figure): string | null {
  if (reason === null) return null;
  const detail = reason === 'misattributed' || reason === 'derived' ? (explanation ?? '') : '';
  return detail === '' ? reasons[reason] : `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
}
