import type { Experiment } from '@/app/_trpc/outputs';
import { Panel } from '@/app/_ui/panel';
import { ProgressBar, ratioOf } from '@/app/_ui/progress-bar';
import { VisibleText } from '@/app/_ui/visible-text';
import { costText, durationText } from '../../traces/amounts';
import { ExperimentMark } from '../experiment-state';
import { plural, speedText, countText } from '../experiment-words';

/** The experiment's progress, failures and cost. */
export function ProgressPanel({ experiment }: { experiment: Experiment }) {
  const { state, reason, counts, progress, costUsd, latencyMs } = experiment;
  const speed = speedText(progress);
  return (
    <Panel title="Progress" aside={<ExperimentMark state={state} />}>
      <div className="grid gap-3 p-4">
        <ProgressBar label="Rows with a result" ratio={ratioOf(progress.done, progress.total)} />
        <p className="text-ink-2">
          {countText(progress.done)} of {plural(progress.total, 'row')} done
          {speed === null ? '' : `; ${speed}`}. {countText(counts.verdicts)} of{' '}
          {plural(counts.verdictsExpected, 'verdict')}.
        </p>
        {state === 'open' ? (
          <p className="text-ink-2">
            Send outputs to{' '}
            <code className="text-12 font-mono">POST /v1/experiments/{'{id}'}/outputs</code>, then
            call <code className="text-12 font-mono">/finish</code>.
          </p>
        ) : null}
        {reason === null ? null : (
          <p className="[overflow-wrap:anywhere]">
            <VisibleText text={reason} />
          </p>
        )}
        <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-3">
          <Fact name="Failed rows">{countText(counts.failed)}</Fact>
          <Fact name="Lost rows">{countText(counts.lost)}</Fact>
          <Fact name="Verdicts without a score">{countText(counts.unscored)}</Fact>
          <Fact name="Cost of the target">{costText(costUsd.target)}</Fact>
          <Fact name="Cost of judges">{costText(costUsd.judges)}</Fact>
          <Fact name="Latency p50, p95">
            {latencyMs.p50 === null || latencyMs.p95 === null
              ? 'not measured'
              : `${durationText(latencyMs.p50)}, ${durationText(latencyMs.p95)}`}
          </Fact>
        </dl>
        {costUsd.unknown > 0 ? (
          <p className="text-12 text-ink-3">
            The price of {countText(costUsd.unknown)} answers or verdicts is unknown: the costs are
            lower bounds.
          </p>
        ) : null}
        {counts.failed + counts.lost > 0 ? (
          <p className="text-12 text-ink-3">
            Failed rows have no output and are in no rate. Lost rows were in progress when their
            worker stopped; they are not repeated unless you request it.
          </p>
        ) : null}
      </div>
    </Panel>
  );
}

export function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-12 text-ink-3">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
