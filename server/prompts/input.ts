import { z } from 'zod';

const Project = z.object({ project: z.string().min(2).max(40) });

/** `<kind>-<name>`, never a path (S-20). */
export const PromptSlug = z
  .string()
  .max(100)
  .regex(
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    'must have lower-case letters and digits, with hyphens between them only',
  );

/** The name of a version; `production` is the current one. */
export const PromptLabel = z
  .string()
  .max(40)
  .regex(
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    'must have lower-case letters and digits, with hyphens between them only',
  );

/** 0 is the text shipped with the release. */
const PromptVersionNumber = z.number().int().min(0).max(1_000_000);

/** The whole markdown, including front matter. The function reports its faults, with lines. */
const Body = z.string();
const Message = z.string().trim().max(500).default('');

export const SaveBody = z.strictObject({ body: Body, message: Message });
export const LabelBody = z.strictObject({ version: PromptVersionNumber });

export const PromptIn = z.strictObject({ ...Project.shape, slug: PromptSlug });
export const PromptVersionIn = PromptIn.extend({ version: PromptVersionNumber });
export const SavePromptIn = PromptIn.extend(SaveBody.shape);
export const MoveLabelIn = PromptIn.extend({ label: PromptLabel, version: PromptVersionNumber });
/** `subject` by its id; omitted: the latest. */
export const PreviewPromptIn = PromptIn.extend({
  body: Body,
  subject: z.string().min(1).max(300).optional(),
});
