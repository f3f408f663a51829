import { z } from 'zod';
import { intakeLimits, Outcome, plainName } from '../../domain';
import { VerdictFilters } from '../../verdicts/input';

export const datasetLimits = {
  itemsPerRequest: 10_000,
  itemsPerDataset: 100_000,
  /** Stored turns that one request makes into items: each may be large. */
  turnsPerRequest: 1_000,
} as const;

/** Items of this split are hidden from people who edit prompts. */
export const heldOutSplit = 'held_out';

export const DatasetSlug = z
  .string()
  .regex(
    /^[a-z0-9-]{1,100}$/,
    'must have 1 to 100 lower-case letters, digits and hyphens, and nothing else',
  );

export const DatasetBody = z.object({
  name: plainName(200),
  description: z.string().max(10_000).default(''),
});

const Id = z.string().min(1).max(intakeLimits.idChars);
const Split = z.string().min(1, 'must not be empty').max(100);
const Tags = z.array(z.string().min(1, 'must not be empty').max(200)).max(100);
const Block = z.object({ id: Id.nullish(), content: z.unknown().optional() });
const Tool = z.object({
  id: Id.nullish(),
  name: z.string().max(500).nullish(),
  arguments: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.string().nullish(),
  started_at: z.string().max(100).nullish(),
  duration_ms: z.number().min(0).nullish(),
});

/** An item as sent. `tools` are tool calls with their recorded results. */
export const WireItem = z
  .object({
    id: Id.nullish(),
    input: z.unknown(),
    /** Sources as blocks; a string is the content of a block. */
    context: z.union([z.string(), z.array(z.union([Block, z.string()]))]).nullish(),
    tools: z.array(Tool).nullish(),
    /** The expected output, as any JSON. */
    reference: z.unknown().optional(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    tags: Tags.nullish(),
    split: Split.nullish(),
  })
  .refine((item) => item.input !== undefined, { path: ['input'], message: 'is required' });

export const ItemsMode = z.enum(['append', 'replace']);
export type ItemsMode = z.infer<typeof ItemsMode>;
export const ItemsFormat = z.enum(['json', 'jsonl', 'csv']);
export type ItemsFormat = z.infer<typeof ItemsFormat>;

/** The members of a JSON body; its items are validated one by one. */
export const ItemsBatch = z.object({
  items: z.array(z.unknown()).max(datasetLimits.itemsPerRequest),
  mode: ItemsMode.optional(),
});

const Time = z.iso.datetime({ offset: true }).transform((time) => new Date(time));
const Text = plainName(300).optional();

/** The filters of the list of turns, and of their verdicts. */
const TurnsFilter = z.strictObject({
  session_id: Text,
  trace_id: Text,
  model: Text,
  source: Text,
  from: Time.optional(),
  to: Time.optional(),
  verifier: Text,
  outcome: z.union([Outcome, z.array(Outcome).min(1)]).optional(),
});
export type TurnsFilter = z.infer<typeof TurnsFilter>;

const FromTurns = z.object({
  turns: z
    .array(plainName(intakeLimits.idChars))
    .min(1)
    .max(datasetLimits.turnsPerRequest)
    .optional(),
  filter: TurnsFilter.optional(),
  /** Turns of review items of this verifier that were ruled on. */
  review: Text,
  limit: z.number().int().min(1).max(datasetLimits.turnsPerRequest).default(200),
  reference: z.enum(['human', 'output', 'none']).default('none'),
  split: plainName(100).nullish(),
  tags: z.array(plainName(200)).max(100).nullish(),
});
/** Turns of the verdicts that match these filters. */
const verdicts = VerdictFilters.omit({ cursor: true, limit: true }).strict().optional();
export type TurnsSource = z.infer<typeof FromTurns> & { verdicts?: z.infer<typeof verdicts> };

const oneSource = ({ turns, filter, review, verdicts: listed }: TurnsSource): boolean =>
  [turns, filter, review, listed].filter((source) => source !== undefined).length === 1;
const sourceMessage = 'needs exactly one of `turns`, `filter` and `review`';

export const FromTurnsBody = FromTurns.refine(oneSource, sourceMessage);

const Project = z.object({ project: z.string().min(2).max(40) });
const Cursor = {
  cursor: z.string().max(500).optional(),
  limit: z.number().int().min(1).max(200).optional(),
};
const Version = z.number().int().min(1).max(2_147_483_647);
const DatasetRef = z.strictObject({ ...Project.shape, slug: DatasetSlug });

export const DatasetIn = DatasetRef;
export const ListDatasetsIn = z.strictObject({ ...Project.shape, ...Cursor });
export const PutDatasetIn = DatasetRef.extend({
  ...DatasetBody.shape,
  /** Refuses a slug that a dataset has, instead of changing that dataset. */
  onlyNew: z.boolean().default(false),
});
export const DatasetItemsIn = DatasetRef.extend({
  version: Version,
  split: plainName(100).optional(),
  tag: plainName(200).optional(),
  ...Cursor,
});
const ItemRef = DatasetRef.extend({ id: plainName(intakeLimits.idChars) });
export const DatasetItemIn = ItemRef;
export const AddItemsIn = DatasetRef.extend({
  /** The items as text, so that digits are kept: a JSON body, JSON lines, or CSV. */
  text: z.string().min(1).max(intakeLimits.bodyBytes),
  format: ItemsFormat,
  mode: ItemsMode.default('append'),
});
export const EditItemIn = ItemRef.extend({
  /** JSON text of `{input, context, tools, reference, metadata}`. */
  content: z.string().min(1).max(intakeLimits.bodyBytes),
  split: plainName(100).nullable(),
  tags: z.array(plainName(200)).max(100),
});
export const RemoveItemsIn = DatasetRef.extend({
  ids: z.array(plainName(intakeLimits.idChars)).min(1).max(datasetLimits.itemsPerRequest),
});
export const FromTurnsIn = DatasetRef.extend({ ...FromTurns.shape, verdicts }).refine(
  oneSource,
  'needs exactly one of `turns`, `filter`, `review` and `verdicts`',
);
export const DiffDatasetIn = DatasetRef.extend({
  /** 0: the empty dataset. */
  from: z.number().int().min(0).max(2_147_483_647),
  to: Version,
  ...Cursor,
});
