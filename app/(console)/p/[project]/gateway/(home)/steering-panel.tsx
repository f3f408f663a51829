import Link from 'next/link';
import type { GatewayRoute, SteeringMeasure } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Empty, Panel } from '@/app/_ui/panel';
import { minSampleSize } from '@/app/_ui/rate';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { RateWords } from '../../checkpoints/(list)/split-panel';
import { costText, durationText } from '../../traces/amounts';
import { filterQuery } from '../filters';
import { differenceText, efficacyWords, steerNames } from '../gateway-words';

interface SteeringPanelProps {
  project: string;
  measure: SteeringMeasure;
  routes: readonly GatewayRoute[];
}

const outcomes = ['fixed', 'not_fixed', 'worse'] as const;

/**
 * The effect of steering: steered answers compared with those whose note was withheld, each
 * rechecked.
 */
export function SteeringPanel({ project, measure, routes }: SteeringPanelProps) {
  const { applied, control, notApplied, from } = measure;
  const rows = `/p/${project}/gateway/calls`;
  const steers =
    applied.steers + control.steers + notApplied.reduce((sum, { steers: count }) => sum + count, 0);
  return (
    <Panel
      title="Effect of steering"
      aside={
        steers === 0 ? null : (
          <Link
            href={rows + filterQuery({ steer: ['applied'], from })}
            prefetch={false}
            className="text-ink-2 hover:text-ink underline"
          >
            Steered answers
          </Link>
        )
      }
    >
      {steers === 0 ? (
        <NoSteer routes={routes} />
      ) : (
        <>
          <DataTable
            label="Effect of steering"
            heads={[
              'Recheck',
              ...outcomes.map((outcome) => efficacyWords[outcome].word),
              'Not known',
              'Answers',
            ]}
          >
            <SideRow
              name="Steered"
              side={applied}
              href={rows + filterQuery({ steer: ['applied'], from })}
            />
            <SideRow
              name="Note withheld"
              side={control}
              href={rows + filterQuery({ steer: ['control'], from })}
            />
          </DataTable>
          <div className="border-line text-ink-2 grid gap-1 border-t px-4 py-3">
            <p>{differenceSentence(measure)}</p>
            <p>{costSentence(measure)}</p>
            {notApplied.length === 0 ? null : (
              <p>
                Not delivered:{' '}
                {notApplied.map(({ state, steers: count }, index) => (
                  <span key={state}>
                    {index === 0 ? '' : ', '}
                    <Link
                      href={rows + filterQuery({ steer: [state], from })}
                      prefetch={false}
                      className="underline"
                    >
                      {steerNames[state]}
                    </Link>{' '}
                    {count.toLocaleString('en')}
                  </span>
                ))}
              </p>
            )}
            {measure.isCut ? <p className="text-ink-3">Of the newest 10,000 notes.</p> : null}
          </div>
        </>
      )}
    </Panel>
  );
}

function SideRow({
  name,
  side,
  href,
}: {
  name: string;
  side: SteeringMeasure['applied'];
  href: string;
}) {
  const checked = side.counts.fixed + side.counts.not_fixed + side.counts.worse;
  return (
    <Row>
      <NameCell>{name}</NameCell>
      {outcomes.map((outcome) => (
        <Cell key={outcome}>
          <span className="inline-flex items-center gap-1.5">
            {side.counts[outcome] === 0 ? null : (
              <VerdictIcon state={efficacyWords[outcome].state} size={12} />
            )}
            <span>
              <RateWords k={side.counts[outcome]} n={checked} />
            </span>
          </span>
        </Cell>
      ))}
      <Cell>{side.counts.unknown.toLocaleString('en')}</Cell>
      <Cell>
        {side.steers === 0 ? (
          <span className="text-ink-3">0</span>
        ) : (
          <Link
            href={href}
            prefetch={false}
            aria-label={`${side.steers.toLocaleString('en')} answers: ${name.toLowerCase()}`}
            className="underline"
          >
            {side.steers.toLocaleString('en')}
          </Link>
        )}
      </Cell>
    </Row>
  );
}

function differenceSentence({ difference, applied, control }: SteeringMeasure): string {
  if (difference !== null) {
    const conclusion =
      difference.low > 0
        ? ''
        : difference.high < 0
          ? ' Steering does harm.'
          : ' The interval contains 0: no difference is shown yet.';
    return `Fixed where steered, against note withheld: ${differenceText(difference)}.${conclusion}`;
  }
  const [one, other] = [applied.fixed.denominator, control.fixed.denominator];
  return `A difference needs ${minSampleSize} rechecks on each side; there are ${one} and ${other}.`;
}

function costSentence({ recall, cost }: SteeringMeasure): string {
  const retryText =
    recall.p50 === null || recall.p95 === null
      ? 'No answer was retried yet'
      : `Retries added ${durationText(recall.p50)} (median), ${durationText(recall.p95)} (95%), n ${recall.n.toLocaleString('en')}`;
  const costs =
    cost.usd === null
      ? 'the cost of a steer is unknown'
      : `a steer costs ${costText(cost.usd)} on average, n ${cost.priced.toLocaleString('en')}`;
  return `${retryText}; ${costs}.`;
}

/**
 * States which part did not run, and the setting that explains it. Shown if nothing was measured.
 */
function NoSteer({ routes }: { routes: readonly GatewayRoute[] }) {
  const isOff = routes.every(({ settings }) => settings.quality_verifier.model === null);
  return (
    <Empty title="Not measured: no answer was steered in this period.">
      <p>
        {isOff
          ? 'No route has a verifier model. Set one on a route: the gateway then verifies answers at an interval, and retries with a note if the verifier objects.'
          : 'The verifier passed every answer that it checked, or no check was due yet.'}
      </p>
    </Empty>
  );
}
