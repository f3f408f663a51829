import type { ExperimentComparison } from '@/app/_trpc/outputs';
import { Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { isActive, stateWords } from '../experiment-words';
import { answerOf, byClarity } from './answer';

/** Further comparisons are in the table. */
const shownMax = 6;

/** The answer first: one sentence for each verifier and run. */
export function AnswerPanel({ data }: { data: ExperimentComparison }) {
  const { runs, comparisons } = data;
  const names = new Map(runs.map(({ id, name }) => [id, name]));
  const hasSeveral = runs.length > 2;
  const sorted = byClarity(comparisons);
  const [answer, ...others] = sorted.slice(0, shownMax);
  const sentenceOf = (each: (typeof sorted)[number]): string =>
    answerOf(each, hasSeveral ? (names.get(each.experiment) ?? null) : null);
  const unfinished = runs.filter(({ state }) => state !== 'done');
  const isMixed = new Set(runs.map((run) => run.datasetVersion)).size > 1;
  return (
    <Panel title="Answer">
      <div className="grid max-w-[100ch] gap-2 p-4 [overflow-wrap:anywhere]">
        {answer === undefined ? (
          <p className="text-16">These experiments have no verifier.</p>
        ) : (
          <p className="text-16">
            <VisibleText text={sentenceOf(answer)} />
          </p>
        )}
        {others.map((each) => (
          <p key={`${each.verifier} ${each.experiment}`}>
            <VisibleText text={sentenceOf(each)} />
          </p>
        ))}
        {sorted.length > shownMax ? (
          <p className="text-ink-3">{sorted.length - shownMax} more comparisons in the table.</p>
        ) : null}
        {unfinished.map(({ id, name, state }) => (
          <p key={id} className="text-ink-2">
            <VisibleText text={name} />: {stateWords[state].toLowerCase()}.{' '}
            {isActive(state) ? 'The numbers will change.' : 'Some items may have no result.'}
          </p>
        ))}
        {isMixed ? (
          <p className="text-ink-2">The experiments used different versions of the dataset.</p>
        ) : null}
      </div>
    </Panel>
  );
}
