import type { Source } from '../../server/domain';

/**
 * Tool results and an answer with known figures, from a fixed seed (performance.md 4.5): the
 * expected findings of a scan are known by construction, not by the scanner's own rules.
 */
export interface Corpus {
  readonly sources: readonly Source[];
  readonly answer: string;
  readonly stated: readonly Stated[];
}

/** A figure that the answer states. */
export interface Stated {
  readonly text: string;
  /** Position in the answer in UTF-16 units; the answer has no character outside the BMP. */
  readonly from: number;
  /** A plain decimal with scale words applied, or an ISO date. */
  readonly value: string;
  /** The power of ten of the last digit shown; null for a date. */
  readonly quantum: number | null;
  readonly percent: boolean;
  readonly currency: string | null;
}

export interface Sizes {
  /** The approximate number of characters. */
  readonly sources: number;
  readonly answer: number;
}

const HOSTS = 'web db cache mail proxy queue search batch'.split(' ');
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const SOURCES = 8;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2024, 0, 1);

interface HostRow {
  readonly host: string;
  readonly region: string;
  readonly disk_pct: number;
  readonly share: number;
  readonly free_gb: number;
  readonly requests: number;
  readonly balance: number;
  readonly price_usd: number;
  readonly price_eur: number;
  readonly day: string;
  readonly seen_at: string;
  readonly note: string;
}

/** The same corpus for the same sizes and seed. */
export function makeCorpus(sizes: Sizes, seed: number): Corpus {
  const random = generator(seed);
  const tables: HostRow[][] = [];
  const sources = Array.from({ length: SOURCES }, (_, position): Source => {
    const rows: HostRow[] = [];
    let length = 0;
    while (length < sizes.sources / SOURCES) {
      const row = makeRow(random, rows.length);
      rows.push(row);
      length += JSON.stringify(row).length + 1;
    }
    tables.push(rows);
    return {
      id: `tc${position + 1}`,
      label: 'disk_report',
      format: 'json',
      text: JSON.stringify({ rows }),
    };
  });
  const pieces: string[] = [];
  const stated: Stated[] = [];
  let length = 0;
  while (length < sizes.answer) {
    const rows = tables[Math.floor(random() * tables.length)] ?? [];
    const row = rows[Math.floor(random() * rows.length)];
    if (row === undefined) break;
    const { lead, tail, ...figure } = sentence(row, random);
    stated.push({ ...figure, from: length + lead.length });
    const written = `${lead}${figure.text}${tail}\n`;
    pieces.push(written);
    length += written.length;
  }
  return { sources, answer: pieces.join(''), stated };
}

/** As long as the other answer, and without any figure. */
export function withoutFigures(length: number): string {
  return 'All hosts of the region answer as they should, and nothing has to be done about their disks today.\n'.repeat(
    Math.ceil(length / 100),
  );
}

function makeRow(random: () => number, position: number): HostRow {
  const decimal = (max: number, places: number): number => Number((random() * max).toFixed(places));
  const at = new Date(
    FIRST_DAY + Math.floor(random() * 366) * DAY_MS + Math.floor(random() * DAY_MS),
  );
  return {
    host: `${HOSTS[position % HOSTS.length] ?? 'host'}-${position}`,
    region: random() < 0.5 ? 'north' : 'south',
    disk_pct: decimal(100, 2),
    share: decimal(1, 4),
    free_gb: Math.floor(random() * 900),
    requests: Math.floor(random() * 9_000_000),
    balance: decimal(2_000, 2) - 1_000 > 0 ? decimal(900, 1) : -decimal(900, 1),
    price_usd: decimal(500, 2),
    price_eur: decimal(500, 2),
    day: at.toISOString().slice(0, 10),
    seen_at: `${at.toISOString().slice(0, 19)}Z`,
    note: `restarted after ${Math.floor(random() * 700)} s`,
  };
}

type Sentence = Omit<Stated, 'from'> & { readonly lead: string; readonly tail: string };

/** One line that states one figure: of the row, rounded, rescaled, or unsourced. */
function sentence(row: HostRow, random: () => number): Sentence {
  const plain = { percent: false, currency: null };
  const lead = `Of the hosts, ${row.host} in the ${row.region} is the one to look at, with `;
  const number = (value: number, places: number, tail: string): Sentence => {
    const text = value.toFixed(places);
    return { ...plain, lead, text, value: text, quantum: -places, tail };
  };
  switch (Math.floor(random() * 11)) {
    case 0:
      return number(row.disk_pct, 2, ' of its disk in use.');
    case 1:
      return number(row.disk_pct, 1, ' of its disk in use.');
    case 2:
      return {
        ...number(row.disk_pct, 0, ' of its disk in use.'),
        text: `${row.disk_pct.toFixed(0)}%`,
        percent: true,
      };
    case 3:
      return percentOf(row.share, lead);
    case 4:
      return { ...number(row.requests, 0, ' requests.'), text: grouped(row.requests) };
    case 5:
      return millions(row.requests, lead);
    case 6:
      return {
        ...number(row.price_usd, 2, ' a day.'),
        text: `$${row.price_usd.toFixed(2)}`,
        currency: 'USD',
      };
    case 7:
      return {
        ...number(row.price_eur, 2, ' a day.'),
        text: `€${row.price_eur.toFixed(2)}`,
        currency: 'EUR',
      };
    case 8:
      return date(row.day, lead);
    case 9:
      return number(Math.abs(row.balance), 1, ' in the books.');
    default:
      return number(random() * 9_000_000, 2, ' nowhere to be found.');
  }
}

function percentOf(share: number, lead: string): Sentence {
  const value = (share * 100).toFixed(1);
  return {
    lead,
    text: `${value}%`,
    value,
    quantum: -1,
    percent: true,
    currency: null,
    tail: ' of the load.',
  };
}

function millions(count: number, lead: string): Sentence {
  const value = (count / 1_000_000).toFixed(1);
  const shown = value.replace('.', '');
  return {
    lead,
    text: `${value} million`,
    value: `${Number(shown)}00000`,
    quantum: 5,
    percent: false,
    currency: null,
    tail: ' requests.',
  };
}

function date(day: string, lead: string): Sentence {
  const [year, month, of] = day.split('-');
  const text = `${MONTHS[Number(month) - 1] ?? ''} ${Number(of)}, ${year ?? ''}`;
  return {
    lead,
    text,
    value: day,
    quantum: null,
    percent: false,
    currency: null,
    tail: ' as its last day.',
  };
}

function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/gu, ',');
}

/** mulberry32: small, and identical on every machine. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
