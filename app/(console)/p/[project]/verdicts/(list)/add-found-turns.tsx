import { AddToDataset } from '../../datasets/add-to-dataset';
import { type Filters, listInput } from '../filters';

/** Adds the turns of all verdicts that match the filters to a dataset. */
export function AddFoundTurns({ project, filters }: { project: string; filters: Filters }) {
  const { project: _, ...verdicts } = listInput(project, filters);
  return (
    <AddToDataset
      project={project}
      source={{ verdicts }}
      description="Turns of all matching verdicts, up to the newest 1,000."
      reference="human"
    />
  );
}
