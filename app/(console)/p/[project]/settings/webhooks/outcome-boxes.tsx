import { FieldError } from '@/app/_ui/field';
import { verdictStyles } from '@/app/_ui/verdict-styles';
import type { DestinationKind } from '@/server/deliveries/input';
import { Outcome } from '@/server/domain';

interface OutcomeBoxesProps {
  kind: DestinationKind;
  chosen: readonly Outcome[];
  error: string | undefined;
  onChange: (outcomes: readonly Outcome[]) => void;
}

/** Selects the verdicts that are sent by their outcome. A chat does not accept all of them. */
export function OutcomeBoxes({ kind, chosen, error, onChange }: OutcomeBoxesProps) {
  return (
    <fieldset className="grid gap-1 sm:grid-cols-3">
      <legend className="pb-1 font-semibold">
        {kind === 'slack' ? 'Outcomes of verdicts' : 'Outcomes of verdicts, none for all'}
      </legend>
      {Outcome.options.map((outcome) => (
        <label key={outcome} className="flex items-center gap-2">
          <input
            type="checkbox"
            className="accent-accent size-4"
            checked={chosen.includes(outcome)}
            onChange={(event) =>
              onChange(
                event.target.checked
                  ? [...chosen, outcome]
                  : chosen.filter((each) => each !== outcome),
              )
            }
          />
          {verdictStyles[outcome].word}
        </label>
      ))}
      <FieldError text={error} />
    </fieldset>
  );
}
