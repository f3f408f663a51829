import { minSampleSize, quantityText } from '../domain';
import { bullets, inlineCode, paragraphs, plain, table } from './markdown-text';
import type { Report, ReportedVerifier } from './report-content';
import {
  alertEventText,
  alertText,
  ceilingText,
  changeText,
  costText,
  countsText,
  decisionText,
  findingsOf,
  correlationText,
  kappaText,
  measureText,
  methodText,
  moneyText,
  noFindingsText,
  outsideText,
  periodText,
  reportedActionText,
  shareText,
  summarySentences,
  trustWords,
} from './report-words';

const integerText = (n: number): string => n.toLocaleString('en');
const moment = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;

/** Formats a report as Markdown tables. Escapes all text except the product's own words. Pure. */
export function reportMarkdown(title: string, report: Report): string {
  return `${paragraphs([
    `# ${plain(title)}: ${periodText(report)}`,
    findingsPart(report),
    headOf(report),
    `## Summary\n\n${bullets(summarySentences(report).map(plain))}`,
    earlierPart(report),
    verifiersPart(report),
    ...report.verifiers.map(verifierPart),
    costsPart(report),
    modelsPart(report),
    debtPart(report),
    decisionsPart(report),
    alertsPart(report),
    changesPart(report),
  ])}\n`;
}

function findingsPart(report: Report): string {
  const findings = findingsOf(report);
  return paragraphs([
    '## Findings',
    findings.length === 0 ? noFindingsText : null,
    bullets(
      findings.map(
        ({ title, severity, since, message, advice, hasEnded }) =>
          `**${plain(title)}** (${plain(severity)}, ${hasEnded ? 'ended, began' : 'since'} ${moment(since)}): ${plain(message)}${advice === null ? '' : ` ${plain(advice)}`}`,
      ),
    ),
  ]);
}

function headOf({ from, to, before_from: before, made_at: madeAt }: Report): string {
  const period = `${moment(from)} to ${moment(to)}, whole UTC days, compared with the equally long period from ${moment(before)}. Created ${moment(madeAt)}.`;
  const notes = `Intervals are 95%. Fewer than ${minSampleSize} cases have counts only; without cases there is no data. A missed failure is a bad subject that passed, a false rejection is a good subject that was flagged.`;
  return paragraphs([period, notes]);
}

function earlierPart({ earlier, differences }: Report): string | null {
  const [newest] = earlier;
  if (newest === undefined) return null;
  return paragraphs([
    '## Earlier reports',
    `${quantityText(earlier.length, 'earlier report')} of this period ${earlier.length === 1 ? 'stays as it is' : 'stay as they are'}, the newest made ${moment(newest.made_at)} (${inlineCode(newest.id)}). ${
      differences.length === 0 ? 'Its counts are the same.' : 'Later data changed:'
    }`,
    bullets(differences.map(plain)),
  ]);
}

function verifiersPart({ verifiers }: Report): string {
  if (verifiers.length === 0) return '## Verifiers\n\nNo verifier decided anything in this period.';
  return `## Verifiers\n\n${table(
    [
      'Verifier',
      'Trust',
      'Pass rate',
      'Corrected',
      'Catch rate',
      'False rejections',
      'Retry success',
      'Cost per caught defect',
    ],
    verifiers.map(({ verifier, trust, rates, cost, caught_cost: caught }) => [
      inlineCode(verifier),
      trustWords[trust.state],
      measureText(rates.pass_rate),
      measureText(rates.corrected_pass_rate),
      measureText(rates.catch_rate),
      measureText(rates.false_rejection_rate),
      measureText(rates.retry_success),
      caught.usd === null ? 'no data' : moneyText(caught.usd, cost.unpriced),
    ]),
  )}`;
}

function verifierPart(reported: ReportedVerifier): string {
  const { verifier, matrix, rates, corrected, trust } = reported;
  const outside = outsideText(reported);
  const method = methodText(corrected.shown);
  return paragraphs([
    `### ${inlineCode(verifier)}`,
    table(
      ['', 'Bad', 'Good'],
      [
        [
          'Flagged',
          `${integerText(matrix.caught)} caught`,
          `${integerText(matrix.false_rejections)} false rejections`,
        ],
        [
          'Passed',
          `${integerText(matrix.missed)} missed failures`,
          `${integerText(matrix.right_passes)} correct passes`,
        ],
      ],
    ),
    outside === null ? null : `Outside of every rate: ${outside}.`,
    bullets([
      `Trust: ${trustWords[trust.state]}${trust.version === null ? '' : `, ${inlineCode(`${verifier}@${trust.version}`)}`}${trust.judge === null ? '' : `, judged by ${inlineCode(trust.judge)}`}.`,
      ...trust.gaps.map(({ text }) => `Missing: ${plain(text)}`),
      `Corrected pass rate${method === null ? '' : `, ${method}`}: ${plain(corrected.why)}`,
      ...(corrected.disagree
        ? [
            'The two corrections differ by more than their joint error: check how items were selected for labels.',
          ]
        : []),
      `Kappa with people: ${kappaText(rates.kappa)}. ${ceilingText(reported)}`,
      `Correlation of scores with labels: ${correlationText(rates.correlation)}.`,
      `False rejections of all with truth: ${measureText(rates.false_positive_rate)}. Overruled by people: ${measureText(rates.override_rate)}.`,
      costText(reported),
    ]),
    beforePart(reported),
    driftPart(reported),
    outweighingPart(reported),
  ]);
}

function beforePart({ before, rates }: ReportedVerifier): string {
  const rows = [
    ['Pass rate', rates.pass_rate, before.pass_rate],
    ['Catch rate', rates.catch_rate, before.catch_rate],
    ['False rejections', rates.false_rejection_rate, before.false_rejection_rate],
  ] as const;
  return table(
    ['Against the period before', 'Now', 'Before', 'Change'],
    rows
      .filter(([, now, old]) => now.denominator + old.denominator > 0)
      .map(([name, now, old]) => [
        name,
        measureText(now),
        countsText(old),
        changeText(old.difference),
      ]),
  );
}

function driftPart({ drift }: ReportedVerifier): string | null {
  if (drift === null) return null;
  const { set, before, after, flips, better, worse, p } = drift;
  const part = (name: string, { value, low, high }: typeof drift.headline): string[] => [
    name,
    value === null || low === null || high === null ? 'no data' : changeText({ value, low, high }),
  ];
  return paragraphs([
    `Drift on the anchor set ${plain(set.name)} (${quantityText(set.items, 'item')}), from ${moment(before.at)} (${inlineCode(before.verifier)}) to ${moment(after.at)} (${inlineCode(after.verifier)}): ${measureText(flips)} decided otherwise, ${integerText(better)} became right, ${integerText(worse)} became wrong${p === null ? '' : ` (p ${p.toFixed(4)})`}.`,
    table(
      ['Change of the pass rate', 'By how much'],
      [
        part('In production', drift.headline),
        part("The judge's part", drift.judge_part),
        part("The system's part", drift.system_part),
      ],
    ),
  ]);
}

function outweighingPart({ outweighing }: ReportedVerifier): string | null {
  if (outweighing.length === 0) return null;
  return paragraphs([
    'Not counted, because one account would outvote all others and disagrees with them:',
    table(
      ['Account', 'Rulings', 'Overruled', 'Counted', 'Of all others', 'They overruled'],
      outweighing.map((each) => [
        inlineCode(each.by),
        integerText(each.rulings),
        integerText(each.overruled),
        integerText(each.counted),
        integerText(each.others),
        integerText(each.others_overruled),
      ]),
    ),
  ]);
}

function costsPart({ costs, verifiers }: Report): string {
  return paragraphs([
    '## Verification cost and generation cost',
    `Budget: ${shareText(costs.budget_share)} of the cost of the verified work. ${quantityText(costs.over_budget, 'verdict')} exceeded it.`,
    table(
      [
        'Verifier',
        'Verdicts',
        'Verification cost',
        'Of it, work with known cost',
        'Cost of that work',
        'Share',
        'Over budget',
      ],
      [
        ...verifiers
          .filter(({ cost }) => cost.verdicts > 0)
          .map(({ verifier, cost }) => costRow(inlineCode(verifier), cost)),
        costRow('All, each subject once', costs),
      ],
    ),
  ]);
}

function costRow(name: string, cost: ReportedVerifier['cost']): string[] {
  return [
    name,
    integerText(cost.verdicts),
    moneyText(cost.verifying_usd, cost.unpriced),
    moneyText(cost.verifying_costed_usd),
    cost.costed === 0 ? 'no data' : moneyText(cost.work_usd),
    shareText(cost.share),
    integerText(cost.over_budget),
  ];
}

function modelsPart({ models, models_left_out: leftOut }: Report): string | null {
  if (models.length === 0) return null;
  return paragraphs([
    '## Models',
    table(
      ['Model', 'Verifier', 'Pass rate', 'Before', 'Change'],
      models.map(({ model, verifier, pass_rate: rate, before }) => [
        model === null ? 'not named' : inlineCode(model),
        inlineCode(verifier),
        measureText(rate),
        countsText(before),
        changeText(before.difference),
      ]),
    ),
    leftOutText(leftOut, 'row', 'fewer verdicts'),
  ]);
}

const leftOutText = (n: number, noun: string, why: string): string | null =>
  n === 0 ? null : `${quantityText(n, noun)} with ${why} left out.`;

function debtPart({ label_debt: debt }: Report): string {
  const oldest = debt.oldest_at === null ? '' : `, the oldest since ${moment(debt.oldest_at)}`;
  return paragraphs([
    '## Label debt',
    `${quantityText(debt.open_items, 'item')} in the review queue${oldest}.`,
    table(
      ['Verifier', 'Open items', 'Of the random sample'],
      debt.by_verifier.map(({ verifier, open, audit }) => [
        inlineCode(verifier),
        integerText(open),
        integerText(audit),
      ]),
    ),
    table(
      ['Verifier', 'Missing for the next trust state'],
      debt.missing.map(({ verifier, text }) => [inlineCode(verifier), plain(text)]),
    ),
  ]);
}

function decisionsPart({ decisions, outcomes }: Report): string {
  return paragraphs([
    '## Decisions not run',
    `${quantityText(decisions.run, 'decision')} led to a verification, ${integerText(decisions.not_run)} did not.`,
    table(
      ['Rule', 'Reason', 'Decisions'],
      decisions.reasons.map(({ rule, state, count }) => [
        inlineCode(rule),
        plain(decisionText(state)),
        integerText(count),
      ]),
    ),
    table(
      ['Verifier', 'Passed', 'Failed', 'Need review', 'Steered', 'Inconclusive', 'Skipped'],
      outcomes.map((each) => [
        inlineCode(each.verifier),
        ...[
          each.passed,
          each.failed,
          each.needs_review,
          each.steered,
          each.inconclusive,
          each.skipped,
        ].map(integerText),
      ]),
    ),
  ]);
}

function alertsPart({ alerts: { events, events_left_out: leftOut } }: Report): string {
  return paragraphs([
    '## Alerts',
    events.length === 0 ? 'No alert began or ended in the period.' : null,
    table(
      ['At', 'Alert', 'Event', 'Found', 'What'],
      events.map(({ at, event, found, message, ...alert }) => [
        moment(at),
        plain(alertText(alert)),
        plain(alertEventText(event)),
        integerText(found),
        plain(message),
      ]),
    ),
    leftOut === 0 ? null : `${quantityText(leftOut, 'older event')} left out.`,
  ]);
}

function changesPart({ changes, changes_left_out: leftOut }: Report): string {
  return paragraphs([
    '## Changes of settings, prompts and thresholds',
    changes.length === 0 ? 'None in the period.' : null,
    table(
      ['At', 'Change', 'Of', 'By', 'Detail'],
      changes.map(({ at, action, target, by, detail }) => [
        moment(at),
        plain(reportedActionText(action)),
        target === null ? '' : inlineCode(target),
        plain(by),
        plain(detail),
      ]),
    ),
    leftOut === 0 ? null : `${quantityText(leftOut, 'older change')} left out.`,
  ]);
}
