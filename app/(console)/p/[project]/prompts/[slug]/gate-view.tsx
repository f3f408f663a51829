import type { GateFindings, GatePart, PromotionCheck } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { pText } from '@/app/_ui/rate';
import { plainText } from '@/app/_ui/visible-text';
import { MeasureText } from '../../calibration/measure-text';
import { costText } from '../../traces/amounts';
import { plural } from './trial-words';

export type Findings = PromotionCheck['findings'];

/** The gate's finding, in two or three words. */
export const findingText: Record<Findings['verdict'], string> = {
  better: 'Better',
  not_worse: 'Not worse',
  worse: 'Worse',
  insufficient: 'Too few labels',
  could_not_run: 'Could not run',
  not_tried: 'No trial on held-out labels',
};

interface GateViewProps {
  findings: Findings;
  /** Column headings: the candidate, and the current version. */
  names: { readonly candidate: string; readonly other: string };
  /** Number of finished trials of the two versions: among many, one wins by chance. */
  trials?: number;
}

/**
 * Both options compared by catch rate and false rejections, with their intervals, p, slices and
 * cost.
 */
export function GateView({ findings, names, trials = 1 }: GateViewProps) {
  return (
    <section aria-label="Gate finding" className="grid min-w-0 gap-2">
      <p className="flex flex-wrap items-baseline gap-2">
        <span className="font-semibold">{findingText[findings.verdict]}</span>
        {trials > 1 ? (
          <span className="text-12 text-ink-2">
            the latest of {plural(trials, 'trial')}; among many, one wins by chance
          </span>
        ) : null}
      </p>
      {findings.verdict === 'not_tried' || findings.verdict === 'could_not_run' ? null : (
        <GateTable findings={findings} names={names} />
      )}
      <ul className="text-ink-2 text-12 grid max-w-[90ch] gap-1 [overflow-wrap:anywhere]">
        {findings.reasons.map((reason) => (
          <li key={reason}>{plainText(reason)}</li>
        ))}
      </ul>
    </section>
  );
}

function GateTable({ findings, names }: { findings: GateFindings; names: GateViewProps['names'] }) {
  const { catchRate, falseRejectionRate, slices, cost, latency } = findings;
  const parts: readonly (readonly [string, string, GatePart])[] = [
    ['Catch rate', 'bad', catchRate],
    ['False rejections', 'good', falseRejectionRate],
  ];
  return (
    <>
      <DataTable
        label="Paired comparison"
        heads={['Measure', names.candidate, names.other, 'Only one is right', 'p']}
      >
        {parts.map(([name, truth, part]) => (
          <Row key={name}>
            <NameCell>
              {name} <span className="text-ink-3">of {plural(part.items, `${truth} subject`)}</span>
            </NameCell>
            <Cell>
              <MeasureText
                name={`${name}, ${names.candidate}`}
                measure={part.tried}
                numeratorHref={null}
                denominatorHref={null}
                stacked
              />
            </Cell>
            <Cell>
              <MeasureText
                name={`${name}, ${names.other}`}
                measure={part.other}
                numeratorHref={null}
                denominatorHref={null}
                stacked
              />
            </Cell>
            <Cell>
              {part.better.toLocaleString('en')} against {part.worse.toLocaleString('en')}
            </Cell>
            <Cell>{pairText(part.midP)}</Cell>
          </Row>
        ))}
        <Row>
          <NameCell>Cost of one subject</NameCell>
          <Cell>{cost.tried === null ? 'not known' : costText(cost.tried)}</Cell>
          <Cell>{cost.other === null ? 'not known' : costText(cost.other)}</Cell>
          <Cell>{cost.ratio === null ? '' : `${cost.ratio.toFixed(2)} times`}</Cell>
          <Cell>{''}</Cell>
        </Row>
        <Row>
          <NameCell>Time of one subject</NameCell>
          <Cell>{timeText(latency.tried)}</Cell>
          <Cell>{timeText(latency.other)}</Cell>
          <Cell>{''}</Cell>
          <Cell>{''}</Cell>
        </Row>
      </DataTable>
      {slices.length === 0 ? null : <SliceTable slices={slices} />}
    </>
  );
}

function SliceTable({ slices }: { slices: GateFindings['slices'] }) {
  return (
    <DataTable
      label="Slices"
      heads={['Slice', 'Subjects', 'Only one is right', 'p, adjusted', 'Veto']}
    >
      {slices.map(({ by, value, items, better, worse, adjustedP, isLost, isRequired }) => (
        <Row key={`${by} ${value}`}>
          <NameCell>
            {by} {plainText(value)}
            {isRequired ? <span className="text-ink-3"> required</span> : null}
          </NameCell>
          <Cell>{items.toLocaleString('en')}</Cell>
          <Cell>
            {better.toLocaleString('en')} against {worse.toLocaleString('en')}
          </Cell>
          <Cell>{pairText(adjustedP)}</Cell>
          <Cell>{isLost ? <span className="font-semibold">lost</span> : 'no'}</Cell>
        </Row>
      ))}
    </DataTable>
  );
}

const pairText = (p: number | null): string => (p === null ? 'no pair differs' : pText(p));

function timeText(ms: number | null): string {
  if (ms === null) return 'not known';
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
