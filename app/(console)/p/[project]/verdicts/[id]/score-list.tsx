import type { Score } from '@/server/domain';
import type { VerdictState } from '@/app/_ui/verdict-styles';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';

const stateText = { unscored: 'not measured', failed: 'evaluator failed' } as const;

function stateOf(score: Score): VerdictState {
  if (score.state === 'scored') return score.met ? 'passed' : 'failed';
  return score.state === 'unscored' ? 'skipped' : 'inconclusive';
}

/** "No score" is a state, not a number: only a measured zero is shown as zero. */
export function ScoreList({ scores }: { scores: readonly Score[] }) {
  if (scores.length === 0) return <p className="text-ink-2">No evaluator has a result.</p>;
  return (
    <ul className="grid gap-3">
      {scores.map((score, index) => (
        <li key={index} className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2">
          <span className="pt-[3px]">
            <VerdictIcon state={stateOf(score)} />
          </span>
          <div className="grid min-w-0 gap-0.5">
            <p className="flex flex-wrap items-baseline justify-between gap-x-2">
              <span className="[overflow-wrap:anywhere]">
                <VisibleText text={score.name} />
              </span>
              <span>
                {score.state === 'scored'
                  ? score.value.toFixed(4).replace(/\.?0+$/, '')
                  : stateText[score.state]}
              </span>
            </p>
            <p className="text-12 text-ink-3 [overflow-wrap:anywhere]">
              <code className="font-mono">
                <VisibleText text={score.evaluator} />
              </code>
              {score.must_pass ? ' · must pass' : ''}
              {score.cached ? ' · cached' : ''}
              {score.latency_ms > 0
                ? ` · ${score.latency_ms < 1 ? '<1' : Math.round(score.latency_ms).toLocaleString('en')} ms`
                : ''}
            </p>
            {score.reasoning === null ? null : (
              <p className="text-ink-2 [overflow-wrap:anywhere]">
                <VisibleText text={score.reasoning} />
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
