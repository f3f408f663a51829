import Link from 'next/link';
import type { Experiment } from '@/app/_trpc/outputs';
import { CopyText } from '@/app/_ui/copy-text';
import { Moment } from '@/app/_ui/moment';
import { Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { datasetHref, experimentHref, countText } from '../experiment-words';
import { TargetText } from '../target-text';
import { Fact } from './progress-panel';

/** The settings that the experiment was started with. */
export function AboutPanel({ project, experiment }: { project: string; experiment: Experiment }) {
  const { datasetSlug, datasetVersion, split, repetitions, target, branch, commit } = experiment;
  return (
    <Panel title="Settings">
      <div className="grid gap-3 p-4">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-3">
          <Fact name="Dataset">
            <Link
              href={datasetHref(project, datasetSlug, datasetVersion)}
              className="text-12 font-mono underline"
            >
              {datasetSlug}@{datasetVersion}
            </Link>
          </Fact>
          <Fact name="Split">
            {split === null ? 'all but held_out' : <VisibleText text={split} />}
          </Fact>
          <Fact name="Repetitions">{countText(repetitions)}</Fact>
          <Fact name="Branch">
            <Code text={branch} />
          </Fact>
          <Fact name="Commit">
            <Code text={commit} />
          </Fact>
          <Fact name="Baseline">
            {experiment.baselineId === null ? (
              'none'
            ) : (
              <Link href={experimentHref(project, experiment.baselineId)} className="underline">
                Open baseline
              </Link>
            )}
          </Fact>
          <Fact name="Started">
            <Moment at={experiment.createdAt} />
          </Fact>
          <Fact name="Started by">
            <VisibleText text={experiment.createdBy} />
          </Fact>
          <Fact name="Ended">
            {experiment.finishedAt === null ? 'not yet' : <Moment at={experiment.finishedAt} />}
          </Fact>
          <Fact name="Target">
            <TargetText project={project} target={target} />
          </Fact>
        </dl>
        {target.type === 'outputs' ? null : (
          <details>
            <summary className="text-ink-2">Target in full</summary>
            <pre
              // Scrolls, so it must be reachable by keyboard.
              tabIndex={0}
              aria-label="Target in full"
              className="text-12 bg-sunken rounded-4 mt-2 max-h-80 overflow-auto p-3 font-mono whitespace-pre-wrap [overflow-wrap:anywhere]"
            >
              <VisibleText text={JSON.stringify(target, null, 2)} />
            </pre>
          </details>
        )}
        <CopyText label="Id of the experiment" text={experiment.id} />
      </div>
    </Panel>
  );
}

function Code({ text }: { text: string | null }) {
  if (text === null) return <span className="text-ink-3">none</span>;
  return (
    <code className="text-12 font-mono">
      <VisibleText text={text} />
    </code>
  );
}
