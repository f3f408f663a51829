import { FieldError } from '@/app/_ui/field';
import { type DestinationKind, type DestinationSends, sendsOf } from '@/server/deliveries/input';
import { sendsWords } from './sends-words';

interface SendsBoxesProps {
  kind: DestinationKind;
  chosen: readonly DestinationSends[];
  error: string | undefined;
  onChange: (sends: readonly DestinationSends[]) => void;
}

/**
 * Selects the content sent to a destination from the options of its kind; renders nothing for a
 * single option.
 */
export function SendsBoxes({ kind, chosen, error, onChange }: SendsBoxesProps) {
  if (sendsOf[kind].length === 1) return null;
  return (
    <fieldset className="grid gap-1 sm:grid-cols-3">
      <legend className="pb-1 font-semibold">What is sent</legend>
      {sendsOf[kind].map((each) => (
        <label key={each} className="flex items-center gap-2">
          <input
            type="checkbox"
            className="accent-accent size-4"
            checked={chosen.includes(each)}
            onChange={(event) =>
              onChange(
                event.target.checked ? [...chosen, each] : chosen.filter((other) => other !== each),
              )
            }
          />
          {sendsWords[each]}
        </label>
      ))}
      <FieldError text={error} />
    </fieldset>
  );
}
