import type { Verifier } from '@/app/_trpc/outputs';
import { ToggleGroup } from '@/app/_ui/filter-bar';
import { Toggle } from '@/app/_ui/filter-fields';
import { Panel } from '@/app/_ui/panel';

interface VerifierPanelProps {
  verifiers: readonly Verifier[];
  /** Slugs. */
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** The verifiers that the button of an answer runs. */
export function VerifierPanel({ verifiers, chosen, onChange }: VerifierPanelProps) {
  return (
    <Panel title="Verifiers">
      <div className="p-4">
        <ToggleGroup label="Verifiers">
          {verifiers.map(({ slug, name }) => (
            <Toggle
              key={slug}
              on={chosen.includes(slug)}
              onChange={(on) =>
                onChange(on ? [...chosen, slug] : chosen.filter((each) => each !== slug))
              }
            >
              {name}
            </Toggle>
          ))}
        </ToggleGroup>
      </div>
    </Panel>
  );
}
