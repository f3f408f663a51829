import type { Simulation } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { Panel } from '@/app/_ui/panel';
import { minForSuggestion } from '@/server/experiments/input';
import { plainNumber } from '../verdicts/[id]/subject/words';

interface SuggestionPanelProps {
  simulation: Simulation;
  candidate: number;
  onTry: (value: number) => void;
}

/**
 * SOAR-33, SOAR-34: values suggested by the labelled history; renders nothing if it is too short.
 */
export function SuggestionPanel({
  simulation: { suggestions, labelled },
  candidate,
  onTry,
}: SuggestionPanelProps) {
  return (
    <Panel
      title="Suggested thresholds"
      aside={
        <span className="text-12 text-ink-3">
          {labelled.toLocaleString('en')} labelled verdicts
        </span>
      }
    >
      {suggestions.length === 0 ? (
        <p className="text-ink-2 max-w-[72ch] p-4">
          {labelled < minForSuggestion
            ? `Suggestions need at least ${minForSuggestion} labelled verdicts.`
            : 'Nothing: no other value is better on these labels.'}
        </p>
      ) : (
        <ul aria-label="Suggestions">
          {suggestions.map(({ rule, value, why }) => (
            <li
              key={rule}
              className="border-line flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b px-4 py-3 last:border-0"
            >
              <p className="max-w-[72ch] min-w-0 grow basis-64">
                {value === null ? null : (
                  <strong className="font-semibold">{plainNumber(value)}: </strong>
                )}
                {why}
              </p>
              {value === null ? null : candidate === value ? (
                <span className="text-ink-3">shown now</span>
              ) : (
                <Button aria-label={`Try ${plainNumber(value)}`} onClick={() => onTry(value)}>
                  Try it
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
