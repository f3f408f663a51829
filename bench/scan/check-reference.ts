import { scanFigures, SourceIndex, traceFigures } from '../../server/figures';
import type { Corpus } from './corpus';
import { Reference } from './reference';

/**
 * Compares every figure of a corpus, and every position of its value, with the slow reference.
 * @returns the number of compared positions
 * @throws Error at the first difference, which voids the run
 */
export function checkAgainstReference({ sources, answer, stated }: Corpus): number {
  const reference = new Reference(sources);
  const index = new SourceIndex(sources);
  const figures = scanFigures(answer);
  const traces = traceFigures(figures, answer, index);
  let compared = 0;
  for (const [i, expected] of stated.entries()) {
    const figure = figures[i];
    if (figure === undefined || figure.text !== expected.text || figure.start !== expected.from) {
      throw new Error(
        `figure ${i} is "${expected.text}" at ${expected.from}, scanned as "${figure?.text}" at ${figure?.start}`,
      );
    }
    const places = reference.places(expected);
    const found = (index.find(figure.reading)?.items ?? []).map((item) => {
      const { id, path } = index.placeOf(item);
      return `${id} ${path}`;
    });
    if (places.join() !== [...found].sort().join()) {
      throw new Error(
        `"${expected.text}" occurs at ${places.length} places (${places[0] ?? '-'}), found at ${found.length} (${found[0] ?? '-'})`,
      );
    }
    const item = traces[i]?.item ?? null;
    if ((item === null) !== (places.length === 0))
      throw new Error(`"${expected.text}" is traced to ${item === null ? 'nowhere' : 'a place'}`);
    compared += places.length;
  }
  if (figures.length !== stated.length)
    throw new Error(`${stated.length} figures are stated, ${figures.length} were scanned`);
  return compared;
}
