import Link from 'next/link';
import type { ModelPerformance } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Moment } from '@/app/_ui/moment';
import { rateText } from '@/app/_ui/rate';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { filterQuery } from '../verdicts/filters';
import { OutcomeStrip } from './outcome-strip';

interface ModelTableProps {
  project: string;
  models: readonly ModelPerformance[];
}

/** The tier stands beside the rate: a pass of a small model and one of a large model are not the same bar (QEL-51). */
export function ModelTable({ project, models }: ModelTableProps) {
  return (
    <DataTable
      label="Code by model"
      heads={['Model', 'Tier', 'Pass rate', 'Average', 'Last results, newest right', 'Failed in a row', 'Cost', 'Last']}
    >
      {models.map((each) => (
        <Row key={`${each.model} ${each.tier}`}>
          <NameCell>
            <Link
              href={`/p/${project}/verdicts${filterQuery({ model: each.model, verifier: 'code' })}`}
              title={plainText(each.model)}
              className="text-12 font-mono font-semibold underline"
            >
              <VisibleText text={each.model} />
            </Link>
          </NameCell>
          <Cell>{each.tier ?? <span className="text-ink-3">not told</span>}</Cell>
          <Cell>
            <PassRate rate={each.passRate} />
          </Cell>
          <Cell>{each.averagePoints === null ? <span className="text-ink-3">none</span> : `${each.averagePoints.toFixed(1)} of 100`}</Cell>
          <Cell>
            <OutcomeStrip outcomes={each.outcomes} />
          </Cell>
          <Cell>{each.consecutiveFailures}</Cell>
          <Cell>
            <Cost work={each.workCostUsd} judging={each.judgingCostUsd} />
          </Cell>
          <Cell>
            <Moment at={each.lastAt} />
          </Cell>
        </Row>
      ))}
    </DataTable>
  );
}

function PassRate({ rate: { numerator, denominator } }: { rate: ModelPerformance['passRate'] }) {
  const { rate, interval, counts } = rateText(numerator, denominator);
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

function Cost({ work, judging }: { work: number | null; judging: number }) {
  const dollars = (value: number): string => `$${value.toFixed(value < 1 ? 4 : 2)}`;
  return (
    <span className="inline-grid">
      <span>{work === null ? <span className="text-ink-3">not told</span> : dollars(work)}</span>
      {judging > 0 ? <span className="text-12 text-ink-2">judging {dollars(judging)}</span> : null}
    </span>
  );
}
