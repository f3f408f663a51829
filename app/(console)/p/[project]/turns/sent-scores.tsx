import type { SentScore } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';

/** Scores of other tools. Not Assay's verdicts, so they have no mark. */
export function SentScores({ scores }: { scores: readonly SentScore[] }) {
  return (
    <ul className="grid gap-2">
      {scores.map((score) => (
        <li key={score.id} className="min-w-0">
          <p className="flex flex-wrap items-baseline justify-between gap-x-2">
            <span className="[overflow-wrap:anywhere]">
              <VisibleText text={score.name} />
            </span>
            <span>
              {score.value === null ? 'no value' : Number(score.value.toFixed(4))}
              {score.label === null ? null : (
                <>
                  {' '}
                  <VisibleText text={score.label} />
                </>
              )}
            </span>
          </p>
          <p className="text-12 text-ink-3 [overflow-wrap:anywhere]">
            sent by {score.source === 'otlp' ? 'OpenTelemetry' : score.source}
            {score.model === null ? null : <VisibleText text={`, judged by ${score.model}`} />}
          </p>
          {score.explanation === null ? null : (
            <p className="text-ink-2 [overflow-wrap:anywhere]">
              <VisibleText text={score.explanation} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
