/** Keys of one page, or one kind of page. */
export interface KeyGroup {
  readonly where: string;
  readonly keys: readonly (readonly [string, string])[];
  /** Matches the path below `/p/<project>`; null means everywhere. */
  readonly at: RegExp | null;
}

const everywhere: KeyGroup = {
  where: 'Everywhere',
  at: null,
  keys: [
    ['Ctrl K or ⌘ K', 'Search and commands'],
    ['?', 'These shortcuts'],
    ['Escape', 'Close, or return to the list'],
  ],
};

const rows = [
  ['j, k', 'Next, previous row'],
  ['Enter', 'Open the row'],
] as const;
const filter = ['/', 'Filter by text'] as const;

/** In display order; a path may match several. */
const groups: readonly KeyGroup[] = [
  {
    where: 'Verdicts',
    at: /^\/verdicts$/,
    keys: [
      ...rows,
      filter,
      ['Space', 'Peek at the row, and close the panel'],
      ['Escape', 'Close the panel'],
    ],
  },
  { where: 'Traces, sessions', at: /^\/(traces|sessions)$/, keys: [...rows, filter] },
  {
    where: 'Other lists',
    at: /^\/(checkpoints|gateway|prompts|verifiers|thresholds|thresholds\/flips)$/,
    keys: rows,
  },
  { where: 'Calls', at: /^\/gateway\/calls$/, keys: [...rows, ['Escape', 'To the gateway']] },
  {
    where: 'Charts',
    at: /^(|\/models|\/checkpoints|\/gateway|\/calibration\/verifier|\/thresholds)$/,
    keys: [['t', 'Chart or table']],
  },
  {
    where: 'Verdict',
    at: /^\/verdicts\/./,
    keys: [
      ['j, k', 'Next, previous verdict of the list'],
      ['n, p', 'Next, previous figure or passage'],
      ['Enter', 'From a figure to its source, and back'],
      ['Ctrl Shift E', 'Code panel'],
      ['Escape', 'To the list'],
    ],
  },
  {
    where: 'Review',
    at: /^\/review$/,
    keys: [
      ['1, 2, 3', 'Pass, fail, cannot tell'],
      ['g, then 1–5', 'Grade'],
      ['r', 'Reason; Enter sends or saves it'],
      ['s', 'Select all similar items, or none'],
      ['c', 'Show or hide request and context'],
      ['u', 'Undo the last ruling'],
      ['j, k', 'Next, previous item'],
      ['n, p', 'Next, previous figure or passage'],
      ['Enter', 'Open the verdict'],
    ],
  },
  { where: 'Policy', at: /^\/review\/policy$/, keys: [['Ctrl S or ⌘ S', 'Save']] },
  {
    where: 'Trace',
    at: /^\/traces\/./,
    keys: [
      ['j, k or ↓, ↑', 'Next, previous span'],
      ['←, →', 'Fold, open'],
      ['Enter', 'Into the content; Escape back'],
      ['Escape', 'To the list'],
    ],
  },
  {
    where: 'Session',
    at: /^\/sessions\/./,
    keys: [
      ['j, k', 'Next, previous turn'],
      ['Ctrl Shift E', 'Code panel'],
      ['Escape', 'To the list'],
    ],
  },
  {
    where: 'Gateway session',
    at: /^\/gateway\/sessions\/./,
    keys: [
      ['j, k', 'Next, previous call'],
      ['Escape', 'To the gateway'],
    ],
  },
  { where: 'Turn', at: /^\/turns\/./, keys: [['Escape', 'Back']] },
  { where: 'Pipeline', at: /^\/checkpoints\/./, keys: [['Escape', 'To the list']] },
  {
    where: 'Prompt',
    at: /^\/prompts\/./,
    keys: [
      ['j, k', 'Next, previous version'],
      ['e', 'Into the text; Escape back'],
      ['Ctrl S or ⌘ S', 'Save'],
    ],
  },
];

/** The keys of this page and of all pages; then the rest. */
export function shortcutsAt(pathname: string): {
  readonly here: readonly KeyGroup[];
  readonly otherPages: readonly KeyGroup[];
} {
  const below = /^\/p\/[^/]+(.*?)\/?$/.exec(pathname)?.[1] ?? null;
  const isHere = ({ at }: KeyGroup) => below !== null && at !== null && at.test(below);
  return {
    here: [...groups.filter(isHere), everywhere],
    otherPages: groups.filter((group) => !isHere(group)),
  };
}
