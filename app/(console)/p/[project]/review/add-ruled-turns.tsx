import { useState } from 'react';
import { SelectField } from '@/app/_ui/field';
import { plainText } from '@/app/_ui/visible-text';
import { AddToDataset } from '../datasets/add-to-dataset';

interface AddRuledTurnsProps {
  project: string;
  verifiers: readonly string[];
  /** The verifier whose items are shown. */
  shown: string | null;
}

/** Adds the turns of a verifier's reviewed items to a dataset. */
export function AddRuledTurns({ project, verifiers, shown }: AddRuledTurnsProps) {
  const [verifier, setVerifier] = useState(shown ?? verifiers[0] ?? '');
  if (verifier === '') return null;
  return (
    <AddToDataset
      project={project}
      source={{ review: verifier }}
      description="Turns of reviewed items, up to the newest 1,000."
      reference="human"
    >
      <SelectField
        label="Verifier"
        value={verifier}
        options={[...new Set([verifier, ...verifiers])].map((each) => [each, plainText(each)])}
        onChange={setVerifier}
      />
    </AddToDataset>
  );
}
