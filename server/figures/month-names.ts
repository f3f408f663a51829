/** How to interpret a month's name. */
export interface MonthName {
  readonly month: number;
  readonly english: boolean;
  /**
   * The condition for a name that is also a word: a capital, small letters, or a year or linking
   * word ("de") next to it.
   */
  readonly only: 'capital' | 'small' | 'linked' | null;
}

const ENGLISH =
  'january february march april may june july august september october november december';
/** One language per line; several names of one month are joined by a slash. */
const OTHER_LANGUAGES: readonly string[] = [
  'januar/jänner februar märz/maerz april mai juni juli august september oktober november dezember',
  'janvier février/fevrier mars avril mai juin juillet août/aout septembre octobre novembre décembre/decembre',
  'enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  'janeiro fevereiro março/marco abril maio junho julho agosto setembro outubro novembro dezembro',
  'januari februari maart april mei juni juli augustus september oktober november december',
  'januari/januar februari/februar mars/marts april maj juni juli augusti/august september oktober november december/desember',
  'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia',
  'января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
];
const CAPITAL = new Set(['may', 'march', 'mar']);
const SMALL = new Set(['mars', 'mei']);
const LINKED = new Set(['mayo', 'marco', 'marca', 'maja', 'maart']);

/** Names of months and English short forms, lower case. A map, since keys come from answers. */
export const monthNames: ReadonlyMap<string, MonthName> = namesOf();

function namesOf(): ReadonlyMap<string, MonthName> {
  const found = new Map<string, MonthName>();
  const add = (name: string, i: number, english: boolean): void => {
    const only = CAPITAL.has(name)
      ? 'capital'
      : SMALL.has(name)
        ? 'small'
        : LINKED.has(name)
          ? 'linked'
          : null;
    if (!found.has(name)) found.set(name, { month: i + 1, english, only });
  };
  for (const [i, name] of ENGLISH.split(' ').entries()) {
    add(name, i, true);
    add(name.slice(0, 3), i, true);
  }
  add('sept', 8, true);
  for (const line of OTHER_LANGUAGES)
    for (const [i, names] of line.split(' ').entries())
      for (const name of names.split('/')) add(name, i, false);
  return found;
}

/** The month of a name as written, or null. `linked`: a year or a linking word is next to it. */
export function monthOf(name: string, linked: boolean): number | null {
  const lower = name.toLowerCase();
  const known = monthNames.get(lower);
  if (known === undefined) return null;
  const { month, only } = known;
  const small = name[0] === lower[0];
  if (
    (only === 'capital' && small) ||
    (only === 'small' && !small) ||
    (only === 'linked' && !linked)
  )
    return null;
  return month;
}
