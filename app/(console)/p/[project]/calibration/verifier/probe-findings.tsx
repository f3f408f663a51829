import type { ReactNode } from 'react';
import type { Measure, ProbeRun } from '@/app/_trpc/outputs';
import { pText } from '@/app/_ui/rate';
import { IntervalBar } from '../interval-bar';
import { MeasureText } from '../measure-text';
import { EstimateRow, FactRow, FactsTable } from './facts-table';
import { excludedText, probeName } from './probe-words';

type Findings = NonNullable<ProbeRun['findings']>;
type FindingsOf<P extends Findings['probe']> = Extract<Findings, { probe: P }>;

/** Every figure of a probe with its interval, its counts and its meaning. */
export function ProbeFacts({ findings }: { findings: Findings }) {
  const excluded = excludedText(findings);
  return (
    <>
      <FactsTable label={probeName[findings.probe]}>
        <Facts findings={findings} />
      </FactsTable>
      {excluded === null ? null : (
        <p className="text-12 text-ink-2 px-4 pb-2">Excluded: {excluded}.</p>
      )}
    </>
  );
}

function Facts({ findings }: { findings: Findings }) {
  switch (findings.probe) {
    case 'repeatability':
      return <RepeatabilityFacts findings={findings} />;
    case 'order':
      return <OrderFacts findings={findings} />;
    case 'length':
      return <LengthFacts findings={findings} />;
    case 'self_preference':
      return <FamilyFacts findings={findings} />;
    case 'canaries':
      return <CanaryFacts findings={findings} />;
  }
}

function RepeatabilityFacts({
  findings: { flips, agreement, moved, deviation, icc },
}: {
  findings: FindingsOf<'repeatability'>;
}) {
  return (
    <>
      <EstimateRow
        name="flip rate"
        meaning="verdicts that differ from the majority of their subject; mean over subjects"
        estimate={flips}
        scale="share"
        of="subjects"
        strong
      />
      <EstimateRow
        name="agreement with itself"
        meaning="pairs of equal verdicts on one subject"
        estimate={agreement}
        scale="share"
        of="subjects"
      />
      <ShareRow
        name="inconsistent subjects"
        meaning="not judged the same each time"
        share={moved}
      />
      <FactRow
        name="spread of scores"
        meaning="standard deviation within a subject, on the verifier’s own scale"
        bar={null}
      >
        <Figure value={deviation} />
      </FactRow>
      <FactRow
        name="ICC(2,k)"
        meaning="reliability of the mean over all repetitions; 1 is perfect"
        bar={null}
      >
        <span>
          <Figure value={icc.value} />{' '}
          <span className="text-12 text-ink-2">
            n {icc.n.toLocaleString('en')} subjects, k {icc.k.toLocaleString('en')}
          </span>
        </span>
      </FactRow>
    </>
  );
}

function OrderFacts({
  findings: { consistent, onlyAsGiven, onlyReordered, p, parts },
}: {
  findings: FindingsOf<'order'>;
}) {
  return (
    <>
      <ShareRow
        name="consistent"
        meaning="subjects with the same outcome in both orders; the others count as ties"
        share={consistent}
        strong
      />
      <CountsRow
        name="passed in one order only"
        meaning="in the original order, and in the reversed one; exact binomial"
        counts={[onlyAsGiven, onlyReordered]}
        p={p}
      />
      {parts === null ? null : (
        <CountsRow
          name="criteria met in one position only"
          meaning={`nearer to the front, and nearer to the end, of ${parts.n.toLocaleString('en')} that changed places; exact binomial`}
          counts={[parts.first, parts.second]}
          p={parts.p}
        />
      )}
    </>
  );
}

function LengthFacts({
  findings: { flips, toPassed, fromPassed, p, slope },
}: {
  findings: FindingsOf<'length'>;
}) {
  return (
    <>
      <ShareRow
        name="changed outcome"
        meaning="subjects whose outcome changed when lengthened"
        share={flips}
        strong
      />
      <CountsRow
        name="passed in one length only"
        meaning="only the lengthened form, and only the original; exact binomial"
        counts={[toPassed, fromPassed]}
        p={p}
      />
      <EstimateRow
        name="error by length"
        meaning="change of the signed error with the logarithm of the length, over labelled verdicts of this version; below 0 longer work passes too easily (HC3)"
        estimate={slope}
        scale="signed"
        of="verdicts"
      />
    </>
  );
}

function FamilyFacts({
  findings: { own, others, difference, slope },
}: {
  findings: FindingsOf<'self_preference'>;
}) {
  return (
    <>
      <EstimateRow
        name="difference of the error rates"
        meaning="own family minus others; Newcombe’s interval"
        estimate={difference}
        scale="signed"
        of="in the smaller group"
        strong
      />
      <ShareRow
        name="wrong about its own family"
        meaning="of labelled verdicts on its work"
        share={own}
      />
      <ShareRow
        name="wrong about others"
        meaning="of labelled verdicts on their work"
        share={others}
      />
      <EstimateRow
        name="error by family"
        meaning="change of the signed error where the family is its own; below 0 it passes its own too easily (HC3)"
        estimate={slope}
        scale="signed"
        of="in the smaller group"
      />
    </>
  );
}

function CanaryFacts({ findings: { rate, named } }: { findings: FindingsOf<'canaries'> }) {
  return (
    <>
      <ShareRow
        name="passed"
        meaning="of all decisions on known-bad work; must be 0"
        share={rate}
        strong
      />
      {named.map(({ name, what, times }) => (
        <FactRow key={name} name={what} meaning="wrongly passed" bar={null}>
          <span className="font-semibold">
            {times === 1 ? 'once' : `${times.toLocaleString('en')} times`}
          </span>
        </FactRow>
      ))}
    </>
  );
}

/** The counts are shown even when they are too few for a rate. */
function ShareRow({
  name,
  meaning,
  share,
  strong = false,
}: {
  name: string;
  meaning: string;
  share: Measure;
  strong?: boolean;
}) {
  return (
    <FactRow
      name={name}
      meaning={meaning}
      strong={strong}
      bar={
        <IntervalBar
          value={share.value}
          low={share.low}
          high={share.high}
          few={share.state === 'insufficient'}
        />
      }
    >
      <MeasureText
        stacked
        name={name}
        measure={share}
        numeratorHref={null}
        denominatorHref={null}
      />
    </FactRow>
  );
}

function CountsRow({
  name,
  meaning,
  counts,
  p,
}: {
  name: string;
  meaning: ReactNode;
  counts: readonly [number, number];
  p: number | null;
}) {
  return (
    <FactRow name={name} meaning={meaning} bar={null}>
      <span>
        {counts[0].toLocaleString('en')} and {counts[1].toLocaleString('en')}
        {p === null ? '' : `, p ${pText(p)}`}
      </span>
    </FactRow>
  );
}

function Figure({ value }: { value: number | null }) {
  return value === null ? (
    <span className="text-ink-3">not enough data</span>
  ) : (
    <span>{value.toFixed(3)}</span>
  );
}
