import { describe, expect, test } from 'vitest';
import { ClueWord, clueWordsIn } from './clue-words';

const hedges =
  'over|more than|above|at least|exceeds|exceeding|upwards of|greater than|higher than|surpassed|beyond|under|below|less than|fewer than|lower than|nearly|almost|up to|close to|at most|just short of|about|around|approximately|approx.|roughly|some|circa|ca.|near|hovering|in the region of|~';
const extremes =
  'high|highest|max|maximum|peaked|largest|greatest|warmest|hottest|strongest|record|low|lowest|min|minimum|smallest|coldest|coolest|bottomed|ranged|between|varies|varying|fluctuated|oscillating|biggest|longest|tallest|deepest|heaviest|shortest|lightest|fewest|weakest|cheapest|runs|ran';
const days = 'first day|day 2|Sundays|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday';

describe('INT-2 no clue is passed over', () => {
  test.each(
    (
      [
        [hedges, ClueWord.hedge],
        [extremes, ClueWord.extreme],
        [days, ClueWord.day],
      ] as const
    ).flatMap(([words, clue]) => words.split('|').map((word) => [word, clue] as const)),
  )('%s', (word, clue) => {
    for (const text of [`It is ${word} 7.`, `IT IS ${word.toUpperCase()} 7.`, `é${word} 7`])
      expect(clueWordsIn(text) & clue).toBe(clue);
  });

  test('other words give none', () => {
    expect(
      clueWordsIn('Of the hosts, web-12 in the north is the one, with 45.7 of its disk in use'),
    ).toBe(0);
  });
});
