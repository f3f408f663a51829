import type { ProjectCtx } from '../../access';
import {
  addItems,
  addItemsFromTurns,
  countDuplicates,
  deleteDataset,
  diffDataset,
  editItem,
  getDataset,
  getDatasetItem,
  listDatasetItems,
  listDatasets,
  listDatasetVersions,
  putDataset,
  removeItems,
} from '../../experiments';
import {
  AddItemsIn,
  DatasetIn,
  DatasetItemIn,
  DatasetItemsIn,
  DiffDatasetIn,
  EditItemIn,
  FromTurnsIn,
  ListDatasetsIn,
  PutDatasetIn,
  RemoveItemsIn,
} from '../../experiments/input';
import { createMasker, type Masker, maskJson, maskRows, startPaths } from '../../masking';
import type { Runtime } from '../../runtime';
import { maskedReason, projectProcedure, router } from './builders';

export const datasetsRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ListDatasetsIn)
    .query(({ ctx, input }) => listDatasets(ctx.project, input)),
  /** With its latest versions, newest first. */
  get: projectProcedure('verdicts.read')
    .input(DatasetIn)
    .query(async ({ ctx, input: { slug } }) => ({
      ...(await getDataset(ctx.project, slug)),
      duplicates: await countDuplicates(ctx.project, slug),
      versions: (await listDatasetVersions(ctx.project, { slug, limit: 50 })).items,
    })),
  items: projectProcedure('verdicts.read')
    .input(DatasetItemsIn)
    .query(({ ctx, input }) => listDatasetItems(ctx.project, input)),
  item: projectProcedure('verdicts.read')
    .input(DatasetItemIn)
    .query(({ ctx, input }) => getDatasetItem(ctx.project, input)),
  diff: projectProcedure('verdicts.read')
    .input(DiffDatasetIn)
    .query(({ ctx, input }) => diffDataset(ctx.project, input)),
  put: projectProcedure('labels.write')
    .input(PutDatasetIn)
    .mutation(async ({ ctx, input: { slug, name, description, onlyNew } }) => ({
      created: await putDataset(ctx.project, slug, {
        name: await maskedReason(ctx, name),
        description: await maskedReason(ctx, description),
        onlyNew,
      }),
    })),
  delete: projectProcedure('settings.write')
    .input(DatasetIn)
    .mutation(({ ctx, input }) => deleteDataset(ctx.project, input.slug)),
  addItems: projectProcedure('labels.write')
    .input(AddItemsIn)
    .mutation(async ({ ctx, input: { slug, text, format, mode } }) => {
      const sent = Buffer.from(text);
      const bytes = await masked(ctx, (masker) => {
        if (format !== 'json') return maskRows(sent, masker, format === 'csv' ? ',' : null);
        return maskJson(sent, { masker, states: startPaths(masker.rules.paths, 'items') });
      });
      return addItems(ctx.project, slug, { bytes: bytes ?? sent, format, mode });
    }),
  editItem: projectProcedure('labels.write')
    .input(EditItemIn)
    .mutation(async ({ ctx, input: { project: _project, content, ...item } }) => {
      const sent = Buffer.from(content);
      const bytes = await masked(ctx, (masker) =>
        maskJson(sent, { masker, states: startPaths(masker.rules.paths) }),
      );
      return editItem(ctx.project, { ...item, content: (bytes ?? sent).toString() });
    }),
  removeItems: projectProcedure('labels.write')
    .input(RemoveItemsIn)
    .mutation(({ ctx, input }) => removeItems(ctx.project, input)),
  fromTurns: projectProcedure('labels.write')
    .input(FromTurnsIn)
    .mutation(({ ctx, input: { project: _project, slug, ...from } }) =>
      addItemsFromTurns(ctx.project, slug, from),
    ),
});

/** The content as masked by `mask`, with the counts; null if masking is off. */
async function masked(
  { runtime, project }: { readonly runtime: Runtime; readonly project: ProjectCtx },
  mask: (masker: Masker) => Buffer,
): Promise<Buffer | null> {
  const rules = await runtime.masks.read(project.projectId);
  if (rules === null) return null;
  const masker = createMasker(rules);
  const bytes = mask(masker);
  runtime.masks.note(project.projectId, masker.counts);
  return bytes;
}
