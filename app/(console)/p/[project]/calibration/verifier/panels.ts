import type {
  CalibrationReport,
  CaughtCosts,
  ScoreHistogram,
  VerifierDetail,
} from '@/app/_trpc/outputs';
import { type VerifierTab, verifierTabs } from '../addresses';

/** The data of the page; null while loading or after an error. */
export interface PageData {
  /** The part that matrix and measures show: the whole verifier, or a policy or slice of it. */
  readonly shown: VerifierDetail | CalibrationReport | null;
  readonly detail: VerifierDetail | null;
  readonly report: CalibrationReport | null;
  readonly scores: ScoreHistogram | null;
  readonly costs: CaughtCosts | null;
}

/** `whole`: only for all work of a verifier; `own`: for parts of it too; `any`: also imported. */
type Extent = 'whole' | 'own' | 'any';

interface PanelRule {
  readonly tab: VerifierTab;
  readonly name: string;
  readonly for: Extent;
  /** Why there is nothing to show; null if there is, or if it is still loading. */
  readonly missing: (data: PageData) => string | null;
}

const noLabels = 'no label in this period';
const labels = (shown: PageData['shown']): number => shown?.rates.agreement.denominator ?? 0;
const isEmpty = (report: CalibrationReport | null): boolean =>
  report !== null && labels(report) === 0;

/** Anchor sets and probes are always shown: they begin with a button. */
const rules = {
  matrix: {
    tab: 'rates',
    name: 'confusion matrix',
    for: 'any',
    missing: ({ shown }) =>
      shown === null || labels(shown) + shown.counts.undecided + shown.counts.unparseable > 0
        ? null
        : noLabels,
  },
  measures: {
    tab: 'rates',
    name: 'measures',
    for: 'any',
    missing: ({ shown }) =>
      shown === null || Object.values(shown.rates).some(({ denominator }) => denominator > 0)
        ? null
        : 'no pass or fail in this period',
  },
  steps: {
    tab: 'rates',
    name: 'rates over time',
    for: 'any',
    missing: ({ detail }) => (detail === null || detail.steps.length > 0 ? null : noLabels),
  },
  corrected: {
    tab: 'rates',
    name: 'corrected pass rate',
    for: 'own',
    missing: ({ report }) =>
      report === null || report.corrected.decided > 0 ? null : 'nothing decided in this period',
  },
  summary: {
    tab: 'rates',
    name: 'summary figures',
    for: 'own',
    missing: ({ report }) => (isEmpty(report) ? noLabels : null),
  },
  scores: {
    tab: 'scores',
    name: 'scores',
    for: 'whole',
    missing: ({ scores }) =>
      scores === null || scores.spread.n > 0 ? null : 'no verdict with a score in this period',
  },
  curves: {
    tab: 'scores',
    name: 'thresholds',
    for: 'own',
    missing: ({ report }) =>
      report === null || (report.curves?.points.length ?? 0) > 0
        ? null
        : 'no labelled verdict with a score',
  },
  reliability: {
    tab: 'scores',
    name: 'reliability',
    for: 'own',
    missing: ({ report }) =>
      report === null || report.reliability?.bins.some(({ n }) => n > 0) === true
        ? null
        : 'no labelled verdict with a confidence',
  },
  correlation: {
    tab: 'scores',
    name: 'score and truth',
    for: 'own',
    missing: ({ report }) =>
      report === null || report.correlation.pearson.n > 0
        ? null
        : 'no labelled verdict with a score',
  },
  agreement: {
    tab: 'people',
    name: 'agreement with people',
    for: 'own',
    missing: ({ report }) => (isEmpty(report) ? noLabels : null),
  },
  slices: {
    tab: 'slices',
    name: 'slices',
    for: 'own',
    missing: ({ report }) =>
      report === null || report.slices.some(({ rows }) => rows.length > 0) ? null : noLabels,
  },
  drift: {
    tab: 'stability',
    name: 'drift',
    for: 'own',
    missing: ({ report }) =>
      report === null || report.drift !== null ? null : 'no anchor set was judged twice',
  },
  cost: {
    tab: 'cost',
    name: 'cost of judging',
    for: 'whole',
    missing: ({ costs }) =>
      costs === null || costs.steps.length > 0
        ? null
        : 'nothing was judged by a model or flagged in this period',
  },
} as const satisfies Record<string, PanelRule>;

export type PanelKey = keyof typeof rules;

interface ChosenPanels {
  /** Panels with data, or still loading. */
  readonly shown: ReadonlySet<PanelKey>;
  readonly tabs: readonly VerifierTab[];
  /** The missing measurements and the reasons; null if there are none. */
  readonly missing: string | null;
}

/**
 * The panels and tabs of a verifier's page: without data a panel is omitted and named in one line,
 * grouped by reason. Pure.
 */
export function choosePanels(
  data: PageData,
  { isOwn, isPart, isSeries }: { isOwn: boolean; isPart: boolean; isSeries: boolean },
): ChosenPanels {
  const shown = new Set<PanelKey>();
  const tabs = new Set<VerifierTab>();
  const reasons = new Map<string, string[]>();
  for (const key of Object.keys(rules) as PanelKey[]) {
    const rule: PanelRule = rules[key];
    if (rule.for !== 'any' && !isOwn) continue;
    if (rule.for === 'whole' && !isSeries) continue;
    if (key === 'steps' && isPart) continue;
    const reason = rule.missing(data);
    if (reason === null) {
      shown.add(key);
      tabs.add(rule.tab);
    } else reasons.set(reason, [...(reasons.get(reason) ?? []), rule.name]);
  }
  if (isOwn) tabs.add('stability');
  return { shown, tabs: verifierTabs.filter((tab) => tabs.has(tab)), missing: textOf(reasons) };
}

function textOf(reasons: ReadonlyMap<string, readonly string[]>): string | null {
  if (reasons.size === 0) return null;
  const parts = [...reasons].map(([reason, names]) => `${names.join(', ')} (${reason})`);
  return `Not measured: ${parts.join('; ')}.`;
}
