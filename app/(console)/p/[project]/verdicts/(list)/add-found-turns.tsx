import { AddToDataset } from '../../datasets/add-to-dataset';
import { type Filters, listInput } from '../filters';

/** Adds the turns of all verdicts that the filters find to a dataset. */
export function AddFoundTurns({ project, filters }: { project: string; filters: Filters }) {
  const { project: _, ...verdicts } = listInput(project, filters);
  return (
    <AddToDataset
      project={project}
      source={{ verdicts }}
      what="The turns of all verdicts that the filters find: the newest 1,000 at most."
      reference="human"
    />
  );
}
