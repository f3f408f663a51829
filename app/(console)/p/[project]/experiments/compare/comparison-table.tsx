import Link from 'next/link';
import type { ExperimentComparison, VerifierComparison } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Panel } from '@/app/_ui/panel';
import { minSampleSize, pText } from '@/app/_ui/rate';
import { VisibleText } from '@/app/_ui/visible-text';
import { experimentHref, countText } from '../experiment-words';
import { CorrectedRateText, PassRateText } from '../rate-cells';
import { pairsOf, pointsText, stateOfAnswer } from './answer';

/** Every verifier in every run. */
export function ComparisonPanel({
  project,
  data: { runs, comparisons },
}: {
  project: string;
  data: ExperimentComparison;
}) {
  const names = new Map(runs.map(({ id, name }) => [id, name]));
  const verifiers = [...new Set(comparisons.map(({ verifier }) => verifier))];
  return (
    <Panel
      title="Results by verifier"
      aside={
        <span className="text-12 text-ink-3">
          p is adjusted over all verifiers, runs and slices (Holm). Intervals cover 95%.
        </span>
      }
    >
      <DataTable
        label="Results by verifier"
        heads={[
          'Verifier',
          'Run',
          'Pass rate',
          'Corrected pass rate',
          'Difference, points',
          'p, adjusted',
          'Improved',
          'Regressed',
          'Same',
          'Unpaired',
        ]}
      >
        {verifiers.flatMap((verifier) => {
          const verifierComparisons = comparisons.filter((each) => each.verifier === verifier);
          const baseline = verifierComparisons[0]?.rates[0];
          return [
            baseline === undefined ? null : (
              <Row key={`${verifier} baseline`}>
                <NameCell>{verifier}</NameCell>
                <RunCell project={project} id={baseline.experiment} names={names} isBaseline />
                <Cell>
                  <PassRateText measure={baseline.passRate} />
                </Cell>
                <Cell>
                  <CorrectedRateText measure={baseline.correctedPassRate} />
                </Cell>
                <td colSpan={6} className="text-ink-3 px-4">
                  baseline
                </td>
              </Row>
            ),
            ...verifierComparisons.map((each) => (
              <Row key={`${verifier} ${each.experiment}`}>
                <NameCell>{verifier}</NameCell>
                <RunCell project={project} id={each.experiment} names={names} />
                <RateCells comparison={each} />
                <DifferenceCells comparison={each} />
              </Row>
            )),
          ];
        })}
      </DataTable>
    </Panel>
  );
}

function RunCell({
  project,
  id,
  names,
  isBaseline = false,
}: {
  project: string;
  id: string;
  names: ReadonlyMap<string, string>;
  isBaseline?: boolean;
}) {
  return (
    <td className="max-w-64 truncate px-4 whitespace-nowrap">
      <Link href={experimentHref(project, id)} prefetch={false} className="underline">
        <VisibleText text={names.get(id) ?? id} />
      </Link>
      {isBaseline ? <span className="sr-only">, baseline</span> : null}
    </td>
  );
}

/** The rates of the compared run. */
export function RateCells({ comparison }: { comparison: VerifierComparison }) {
  const comparedRate = comparison.rates.at(-1);
  if (comparedRate === undefined) return <td colSpan={2} />;
  return (
    <>
      <Cell>
        <PassRateText measure={comparedRate.passRate} />
      </Cell>
      <Cell>
        <CorrectedRateText measure={comparedRate.correctedPassRate} />
      </Cell>
    </>
  );
}

/** The difference from the baseline: under 20 pairs, only counts. */
export function DifferenceCells({ comparison }: { comparison: VerifierComparison }) {
  const { difference, pAdjusted, items } = comparison;
  const state = stateOfAnswer(comparison);
  const isClear = state === 'better' || state === 'worse';
  const isFew = pairsOf(items) < minSampleSize;
  return (
    <>
      <Cell>
        {difference === null ? (
          <span className="text-ink-3">no pairs</span>
        ) : isFew ? (
          <span className="text-ink-3">{countText(pairsOf(items))} pairs</span>
        ) : (
          <>
            <span className={isClear ? 'font-semibold' : ''}>{signed(difference.value)}</span>
            {difference.low === null || difference.high === null
              ? null
              : ` (${pointsText(difference.low)} to ${pointsText(difference.high)})`}
          </>
        )}
      </Cell>
      <Cell>
        {pAdjusted === null ? (
          <span className="text-ink-3">no test</span>
        ) : (
          <span className={isClear ? 'font-semibold' : ''}>
            {pText(pAdjusted)}
            {isClear ? ` ${state}` : ''}
          </span>
        )}
      </Cell>
      <Cell>{countText(items.improved)}</Cell>
      <Cell>{countText(items.regressed)}</Cell>
      <Cell>{countText(items.same)}</Cell>
      <Cell>{countText(items.unpaired)}</Cell>
    </>
  );
}

const signed = (value: number): string =>
  `${value > 0 && Number((value * 100).toFixed(1)) > 0 ? '+' : ''}${pointsText(value)}`;
