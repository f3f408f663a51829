import { readQuintd } from './data';
import { type Judged, measure } from './measure';
import { numberTokens, overlaps } from './numbers';
import { allClues, type Clue, scanFigures, SourceIndex, traceFigures } from '../../server/figures';

/** The maximum false-positive rate of a choice of clues on each set on which it is tuned. */
const FALSE_ALARMS_MAX = 0.15;
const SETS = ['openweather', 'owid'] as const;
/** Clues that may be omitted; the others decide too few figures for a choice. */
const OPTIONAL: readonly Clue[] = ['label', 'carried', 'extreme', 'span', 'peak'];

export interface Fold {
  readonly tunedOn: 'even' | 'odd';
  readonly left: readonly Clue[];
  /** Net rate of each set on the half that was tuned on, and on the other. */
  readonly lines: readonly string[];
}

/**
 * Two-fold selection of the clues around a figure: the set of clues with the highest catch rate
 * minus false-positive rate on one half of the sources, measured on the other half. The product
 * uses all clues.
 */
export function tuneClues(): readonly Fold[] {
  const choices = subsets(OPTIONAL).map((left) => ({
    left,
    judged: SETS.map((set) =>
      judge(set, new Set([...allClues].filter((clue) => !left.includes(clue)))),
    ),
  }));
  return (['even', 'odd'] as const).map((tunedOn) => {
    const other = tunedOn === 'even' ? 'odd' : 'even';
    let best = choices[0];
    let bestGain = -Infinity;
    for (const choice of choices) {
      const measured = choice.judged.map((each) => measure(each, 'assay', tunedOn));
      const over = measured.reduce(
        (sum, { falseAlarms }) => sum + Math.max(0, falseAlarms.rate - FALSE_ALARMS_MAX),
        0,
      );
      const net = measured.reduce((sum, each) => sum + each.net.value, 0) - 10 * over;
      if (net > bestGain) [best, bestGain] = [choice, net];
    }
    const lines = SETS.map((set, i) => {
      const judged = best?.judged[i] ?? [];
      const [tuned, heldOut] = [measure(judged, 'assay', tunedOn), measure(judged, 'assay', other)];
      return `${set}: ${tunedOn} ${tuned.net.value.toFixed(3)} (fpr ${tuned.falseAlarms.rate.toFixed(3)}), held out ${other} ${heldOut.net.value.toFixed(3)} (fpr ${heldOut.falseAlarms.rate.toFixed(3)})`;
    });
    return { tunedOn, left: best?.left ?? [], lines };
  });
}

function judge(set: string, clues: ReadonlySet<Clue>): readonly Judged[] {
  return readQuintd(set).flatMap(({ position, text, sources, human }) => {
    const traces = traceFigures(scanFigures(text), text, new SourceIndex(sources), clues);
    const flagged = traces
      .filter(({ item, misattribution: elsewhere }) => item === null || elsewhere !== null)
      .map(({ figure }) => figure);
    return numberTokens(text).map((token) => ({
      position,
      wrong: overlaps(token, human),
      flagged: new Set(overlaps(token, flagged) ? (['assay'] as const) : []),
    }));
  });
}

function subsets(clues: readonly Clue[]): readonly (readonly Clue[])[] {
  return clues.reduce<readonly (readonly Clue[])[]>(
    (all, clue) => [...all, ...all.map((each) => [...each, clue])],
    [[]],
  );
}
