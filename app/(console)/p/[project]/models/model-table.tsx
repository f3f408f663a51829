import Link from 'next/link';
import type { ModelRow } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Age } from '@/app/_ui/moment';
import { minSampleSize, measuredText } from '@/app/_ui/rate';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { filterQuery } from '../verdicts/filters';
import { costText } from '../traces/amounts';
import { scoreText, waitText } from './spread-words';
import { kindViews } from '@/server/verifiers/view';

interface ModelTableProps {
  project: string;
  models: readonly ModelRow[];
}

const heads = [
  'Model',
  'Verifier, tier',
  'Pass rate',
  'Score: mean; p50, p95 of 30 days',
  'Last results, newest right',
  'Failed in a row',
  'Cost',
  'Wait: p50, p95 of 30 days',
  'Age',
];

/**
 * The tier is next to the rate: a small model and a large one have different thresholds (QEL-51).
 */
export function ModelTable({ project, models }: ModelTableProps) {
  return (
    <DataTable label="Results by model" heads={heads}>
      {models.map((each) => (
        <Row key={`${each.model} ${each.verifier} ${each.tier}`}>
          <NameCell>
            <Link
              href={`/p/${project}/verdicts${filterQuery({ model: each.model, verifier: each.verifier })}`}
              title={plainText(each.model)}
              className="text-12 font-mono font-semibold underline"
            >
              <VisibleText text={each.model} />
            </Link>
          </NameCell>
          <Cell>
            <span className="inline-grid">
              <code className="text-12 font-mono">
                <VisibleText text={each.verifier} />
              </code>
              {each.tier === null ? null : <span className="text-12 text-ink-2">{each.tier}</span>}
            </span>
          </Cell>
          <Cell>
            <PassRate rate={each.passRate} />
          </Cell>
          <Cell>
            <span className="inline-grid">
              <Average model={each} />
              <SpreadText spread={each.score} text={scoreText} />
            </span>
          </Cell>
          <Cell>
            <OutcomeStrip outcomes={each.outcomes} />
          </Cell>
          <Cell>{each.consecutiveFailures}</Cell>
          <Cell>
            <Cost work={each.workCostUsd} judging={each.judgingCostUsd} />
          </Cell>
          <Cell>
            <SpreadText spread={each.wait} text={waitText} />
          </Cell>
          <Cell>
            <Age at={each.lastAt} />
          </Cell>
        </Row>
      ))}
    </DataTable>
  );
}

function PassRate({ rate: measured }: { rate: ModelRow['passRate'] }) {
  const { rate, interval, counts } = measuredText(measured);
  if (rate === null) return <span className="text-ink-3">{counts}</span>;
  return (
    <span className="inline-grid">
      <span>
        {rate} ({interval})
      </span>
      <span className="text-12 text-ink-2">{counts}</span>
    </span>
  );
}

/**
 * Code in points of 100; others on the verifier's own scale. The mean and the percentiles cover
 * different results: each has its own n.
 */
function Average({ model: { averagePoints, scored, verifier } }: { model: ModelRow }) {
  if (averagePoints === null) return <span className="text-ink-3">none</span>;
  const scoreMax = kindViews.get(verifier)?.scoreMax ?? 1;
  return (
    <span>
      {scoreMax > 1 ? `${averagePoints.toFixed(1)} of ${scoreMax}` : scoreText(averagePoints)}
      <span className="text-12 text-ink-3"> n {scored.toLocaleString('en')}</span>
    </span>
  );
}

/** Percentiles with their n; none when n is under 20. */
function SpreadText({
  spread: { n, p50, p95 },
  text,
}: {
  spread: ModelRow['wait'];
  text: (value: number) => string;
}) {
  if (n === 0 || p50 === null || p95 === null) return <span className="text-12 text-ink-3">–</span>;
  return (
    <span className="text-12 text-ink-2 whitespace-nowrap">
      {n < minSampleSize ? null : `${text(p50)}, ${text(p95)} `}
      <span className="text-ink-3">n {n.toLocaleString('en')}</span>
    </span>
  );
}

function Cost({ work, judging }: { work: number | null; judging: number }) {
  return (
    <span className="inline-grid">
      <span>{work === null ? <span className="text-ink-3">unknown</span> : costText(work)}</span>
      {judging > 0 ? <span className="text-12 text-ink-2">judging {costText(judging)}</span> : null}
    </span>
  );
}

const [height, low] = [16, 6];
/** Many marks are drawn thinner, to leave room for the other columns. */
const barSize = (count: number) => (count > 50 ? { width: 1.2, gap: 0.4 } : { width: 3, gap: 1 });

/**
 * One mark per result, oldest first: high and in the colour of a pass, or low and in that of a
 * failure. Also available as text.
 */
function OutcomeStrip({ outcomes }: { outcomes: ModelRow['outcomes'] }) {
  const { width, gap } = barSize(outcomes.length);
  const passed = outcomes.filter((outcome) => outcome === 'passed').length;
  return (
    <svg
      role="img"
      aria-label={`${passed} of ${outcomes.length} passed, one mark each`}
      width={outcomes.length * (width + gap)}
      height={height}
      className="block"
    >
      {outcomes.toReversed().map((outcome, index) => (
        <rect
          key={index}
          x={index * (width + gap)}
          y={outcome === 'passed' ? 0 : height - low}
          width={width}
          height={outcome === 'passed' ? height : low}
          className={outcome === 'passed' ? 'fill-pass' : 'fill-fail'}
        />
      ))}
    </svg>
  );
}
