import Link from 'next/link';
import type { Simulation } from '@/app/_trpc/outputs';
import { Empty, Panel } from '@/app/_ui/panel';
import { MeasureText } from '../calibration/measure-text';
import { plainNumber } from '../verdicts/[id]/subject/words';
import { FlipTable } from './flip-table';

interface FlipPanelProps {
  project: string;
  simulation: Simulation;
  /** The numbers are still those of the previous value. */
  isBehind: boolean;
  /** The page of all of them; null while no candidate is selected. */
  allHref: string | null;
}

/** Answers the first question: which verdicts would change, with a sample of them. */
export function FlipPanel({ project, simulation, isBehind, allHref }: FlipPanelProps) {
  const { candidates, current, labelled, looked } = simulation;
  const [candidate] = candidates;
  if (candidate === undefined || candidate.fault !== null || candidate.value === current) {
    return (
      <Panel title="Verdicts that would flip">
        <Empty
          title={
            candidate?.fault ??
            `None: ${plainNumber(current)} is the current value. Move it to see which verdicts would flip.`
          }
        />
      </Panel>
    );
  }
  const { flips, flipsOfAll } = candidate;
  const { total, sample } = flips;
  return (
    <Panel
      title="Verdicts that would flip"
      aside={
        allHref === null || total === 0 ? null : (
          <Link href={allHref} className="text-12 underline">
            All {total.toLocaleString('en')}
          </Link>
        )
      }
    >
      <div aria-busy={isBehind}>
        <dl
          aria-label={`At ${plainNumber(candidate.value)}`}
          className="flex flex-wrap gap-x-8 gap-y-2 px-4 py-3"
        >
          <Count name={`would flip, of ${labelled.toLocaleString('en')} labelled`} value={total} />
          <Count name="to passed" value={flips.toPassed} />
          <Count name="to failed" value={flips.toFailed} />
          <Count name="to review" value={flips.toReview} />
          <Count name="become right" value={flips.better} />
          <Count name="become wrong" value={flips.worse} />
          <div>
            <dt className="text-12 text-ink-3">
              of the latest {looked.toLocaleString('en')}, labelled or not
            </dt>
            <dd>
              <MeasureText
                name="flips of all"
                measure={flipsOfAll}
                numeratorHref={null}
                denominatorHref={null}
              />
            </dd>
          </div>
        </dl>
        {total === 0 ? (
          <p className="text-ink-2 border-line border-t px-4 py-3">
            No labelled verdict would change.
          </p>
        ) : (
          <div className="border-line border-t">
            <FlipTable label="Verdicts that would flip" project={project} flips={sample} />
            {sample.length < total ? (
              <p className="text-12 text-ink-3 px-4 py-2">
                The newest {sample.length} of {total.toLocaleString('en')}.
              </p>
            ) : null}
          </div>
        )}
      </div>
    </Panel>
  );
}

function Count({ name, value }: { name: string; value: number }) {
  return (
    <div>
      <dt className="text-12 text-ink-3">{name}</dt>
      <dd className="text-16 font-semibold">{value.toLocaleString('en')}</dd>
    </div>
  );
}
